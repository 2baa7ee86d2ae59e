/**
 * Goes round a changing set, a part at a time, so that no turn of the event loop is long. Who comes during a round is
 * looked at in the next one.
 */
export class ChunkedSweep<Item> {
  #round: Item[] = []
  #part = 0

  constructor(
    private readonly items: ReadonlySet<Item>,
    /** Parts of a round. */
    private readonly parts: number,
  ) {}

  /** The next part. */
  next(): Item[] {
    if (this.#part === 0) this.#round = [...this.items]
    const size = Math.ceil(this.#round.length / this.parts)
    const part = this.#round.slice(this.#part * size, (this.#part + 1) * size)
    this.#part = (this.#part + 1) % this.parts
    if (this.#part === 0) this.#round = []
    return part.filter((item) => this.items.has(item))
  }
}
