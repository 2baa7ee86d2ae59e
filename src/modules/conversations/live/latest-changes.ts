import { createHash } from 'node:crypto'

/** Longer than changes of one agent in different streams overtake one another; those of a replay are read within it. */
const KEPT_MS = 60_000

/**
 * The last changes that were shown, of agents, on screens with the same channels: the streams of channels have no order among
 * themselves, so that a change may come after a later one of the same agent.
 */
export class LatestChanges {
  readonly #byUser = new Map<string, { version: number; until: number }>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes a change that is about to be shown. @returns false if a later one was shown before, and this one is not to be */
  note(user: string, version: number): boolean {
    const now = this.now()
    const known = this.#byUser.get(user)
    if (known && known.version > version) return false
    // The oldest come first.
    this.#byUser.delete(user)
    this.#byUser.set(user, { version, until: now + KEPT_MS })
    for (const [each, { until }] of this.#byUser) {
      if (until > now) break
      this.#byUser.delete(each)
    }
    return true
  }
}

/** Those of the screens of this node: of screens with the same channels the same ones, so that who comes later knows what others were shown. */
export class ScreensChanges {
  readonly #byChannels = new Map<string, WeakRef<LatestChanges>>()
  #sweepAt = 64

  of(channels: readonly string[]): LatestChanges {
    const key = createHash('sha256').update(channels.toSorted().join(' ')).digest('base64')
    const known = this.#byChannels.get(key)?.deref()
    if (known) return known
    const made = new LatestChanges()
    this.#byChannels.set(key, new WeakRef(made))
    if (this.#byChannels.size >= this.#sweepAt) {
      for (const [each, screens] of this.#byChannels) if (!screens.deref()) this.#byChannels.delete(each)
      this.#sweepAt = Math.max(64, 2 * this.#byChannels.size)
    }
    return made
  }
}
