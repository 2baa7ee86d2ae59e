import type { AccessChanges } from '../access/access-changes.js'
import type { Dispatcher } from './dispatcher.js'
import { Gathered } from './gathered.js'

const STREAM = 'access'

/** Ids in one hint. */
const TOLD_MAX = 500

/**
 * Tells the other nodes at once whose access may have changed. A hint only: without Redis, or when it is lost, caches that
 * are two seconds old at most and the rounds over sockets find it out.
 */
export class AccessBroadcast implements AccessChanges {
  /** Set while it tells or hears: what it has caused itself goes no further. */
  #isBusy = false
  /** All guests of a bot may change at once. */
  readonly #changed = new Gathered<string>((users) => this.#tell([...users]))

  constructor(
    private readonly dispatcher: Pick<Dispatcher, 'hear' | 'publishEphemeral'>,
    changes: AccessChanges,
  ) {
    dispatcher.hear(STREAM, ({ data }) => {
      const users: unknown[] = Array.isArray(data.users) ? data.users : []
      this.#alone(() => users.forEach((user) => typeof user === 'string' && changes.userChanged(user)))
    })
  }

  userChanged(user: string): void {
    if (!this.#isBusy) this.#changed.add(user)
  }

  #tell(changed: readonly string[]): void {
    for (let from = 0; from < changed.length; from += TOLD_MAX) {
      const users = changed.slice(from, from + TOLD_MAX)
      this.#alone(() => this.dispatcher.publishEphemeral({ stream: STREAM, type: STREAM, data: { users } }))
    }
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
