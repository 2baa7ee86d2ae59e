/** Gathers what is added in one turn of the event loop, each once, and hands it over together. */
export class Gathered<Item> {
  readonly #items = new Set<Item>()

  constructor(private readonly take: (items: ReadonlySet<Item>) => void) {}

  add(item: Item): void {
    if (this.#items.size === 0) setImmediate(() => this.#handOver())
    this.#items.add(item)
  }

  #handOver(): void {
    const items = new Set(this.#items)
    this.#items.clear()
    this.take(items)
  }
}
