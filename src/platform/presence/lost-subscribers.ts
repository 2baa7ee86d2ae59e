import type { Logger } from 'pino'

export interface QueueRegistration {
  subscription: string
  channels: readonly string[]
  user: string
}

/** Subscribers whose grace periods end within this time are removed together. */
const STEP_MS = 250
const RETRY_MS = 1_000

export interface LostSubscribersOptions {
  log: Logger
  graceMs: number
  /** Removes those whose grace period has ended. */
  remove(ended: readonly QueueRegistration[]): Promise<void>
}

/** Subscribers whose connections were lost, until their grace periods end. */
export class LostSubscribers {
  /** In the order in which they were lost. */
  #lost: { registration: QueueRegistration; at: number }[] = []
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(private readonly options: LostSubscribersOptions) {}

  add(registration: QueueRegistration): void {
    this.#lost.push({ registration, at: performance.now() })
    this.#arm(this.options.graceMs)
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#lost = []
  }

  #arm(ms: number): void {
    if (this.#timer || this.#isStopped || this.#lost.length === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#removeEnded()
    }, ms)
    this.#timer.unref()
  }

  async #removeEnded(): Promise<void> {
    const { graceMs, log, remove } = this.options
    const isEnded = ({ at }: { at: number }): boolean => performance.now() - at >= graceMs
    const ended = this.#lost.filter(isEnded)
    this.#lost = this.#lost.slice(ended.length)
    try {
      if (ended.length > 0) await remove(ended.map(({ registration }) => registration))
      this.#arm(STEP_MS)
    } catch (error) {
      log.warn({ err: error }, 'failed to remove subscribers that did not come back')
      this.#lost.unshift(...ended)
      this.#arm(RETRY_MS)
    }
  }
}
