/**
 * Iterates over a changing set in parts, so that no turn of the event loop is long. Items added during a round are
 * included in the next.
 */
export class ChunkedSweep<Item> {
  #round: Item[] = []
  #part = 0

  constructor(
    private readonly items: ReadonlySet<Item>,
    /** Number of parts per round. */
    private readonly parts: number,
  ) {}

  /** Returns the next part. */
  next(): Item[] {
    if (this.#part === 0) this.#round = [...this.items]
    const size = Math.ceil(this.#round.length / this.parts)
    const part = this.#round.slice(this.#part * size, (this.#part + 1) * size)
    this.#part = (this.#part + 1) % this.parts
    if (this.#part === 0) this.#round = []
    return part.filter((item) => this.items.has(item))
  }
}
