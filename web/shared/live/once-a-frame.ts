/** Frames may stop coming, as when the window is covered. */
const LATE_MS = 100

/** Runs something with the next frame, once however often it was asked for before. A page that is not seen has no frames. */
export class OnceAFrame {
  #frame = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly run: () => void) {}

  ask(): void {
    if (document.hidden) return this.#now()
    if (this.#timer) return
    this.#frame = requestAnimationFrame(() => this.#now())
    this.#timer = setTimeout(() => this.#now(), LATE_MS)
  }

  stop(): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #now(): void {
    this.stop()
    this.run()
  }
}
