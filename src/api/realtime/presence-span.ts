import type { Logger } from 'pino'
import type { LiveFeed } from '../../platform/events/live-feed.js'

/** Tracks ends of presence in progress, so that a stopping server can wait for them. */
export class PresenceEnds {
  readonly #underWay = new Set<Promise<void>>()

  constructor(private readonly log: Logger) {}

  add(end: Promise<void>): void {
    const settled = end
      .catch((error: unknown) => this.log.warn({ err: error }, 'failed to end a presence'))
      .finally(() => this.#underWay.delete(settled))
    this.#underWay.add(settled)
  }

  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }
}

/** A feed's presence, begun and ended exactly once, whatever happens in between. */
export class PresenceSpan {
  #begun: Promise<void> | null = null

  constructor(
    private readonly feed: LiveFeed,
    private readonly subscription: string,
    private readonly ends: PresenceEnds,
  ) {}

  async begin(): Promise<void> {
    if (!this.feed.begin) return
    this.#begun = this.feed.begin(this.subscription)
    await this.#begun
  }

  /** May be called while it begins: it ends after that. @param isLost the connection was lost */
  end(isLost: boolean): void {
    const begun = this.#begun
    if (!begun) return
    this.#begun = null
    this.ends.add(
      begun.then(
        () => this.feed.end?.(this.subscription, isLost),
        () => this.feed.end?.(this.subscription, isLost),
      ),
    )
  }
}
