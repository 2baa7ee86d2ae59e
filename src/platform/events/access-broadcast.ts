import type { AccessChanges } from '../access/access-changes.js'
import type { Dispatcher } from './dispatcher.js'

const STREAM = 'access'

/**
 * Tells the other nodes at once whose access may have changed. A hint only: without Redis, or when it is lost, caches that
 * are two seconds old at most and the rounds over sockets find it out.
 */
export class AccessBroadcast implements AccessChanges {
  /** Set while it tells or hears: what it has caused itself goes no further. */
  #isBusy = false

  constructor(
    private readonly dispatcher: Pick<Dispatcher, 'hear' | 'publishEphemeral'>,
    changes: AccessChanges,
  ) {
    dispatcher.hear(STREAM, ({ data }) => {
      if (typeof data.user === 'string') this.#alone(() => changes.userChanged(data.user as string))
    })
  }

  userChanged(user: string): void {
    this.#alone(() => this.dispatcher.publishEphemeral({ stream: STREAM, type: STREAM, data: { user } }))
  }

  #alone(work: () => void): void {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      work()
    } finally {
      this.#isBusy = false
    }
  }
}
