import type { Worker } from '../../harness/processes.js'

const EVERY_MS = 200

/** Looks at the resident memory of the server's process until it is stopped, in bytes. */
export class MemoryWatch {
  #isOver = false
  readonly #looking: Promise<number>

  constructor(private readonly server: Worker) {
    this.#looking = this.#look()
  }

  /** Resolves with the most that it saw. */
  stop(): Promise<number> {
    this.#isOver = true
    return this.#looking
  }

  async #look(): Promise<number> {
    for (let most = 0; ;) {
      most = Math.max(most, await this.server.ask<number>('memory'))
      if (this.#isOver) return most
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  }
}
