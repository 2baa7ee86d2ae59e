/** A socket that returns within this time is not shown as interrupted. */
const AWAY_MS = 1_500
const AGAIN_MS = 5_000

/** Derives the displayed state of the connection. */
export class Reach {
  /** Time at which the connection was lost; null while there is one, or none is needed. */
  offlineSince: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: { changed(): void; back(): void; look(): void }) {}

  readonly set = (isOpen: boolean): void => {
    if (isOpen) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      if (this.offlineSince === null) return
      this.offlineSince = null
      this.options.back()
      this.options.changed()
    } else if (this.#timer === undefined && this.offlineSince === null) {
      const since = Date.now()
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.offlineSince = since
        this.#lookAgain()
        this.options.changed()
      }, AWAY_MS)
    }
  }

  /** Asks the server if nothing else does. */
  #lookAgain(): void {
    if (this.offlineSince === null) return
    setTimeout(
      () => {
        if (this.offlineSince !== null) this.options.look()
        this.#lookAgain()
      },
      AGAIN_MS * (0.5 + Math.random()),
    )
  }
}
