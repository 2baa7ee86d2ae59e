/** Goes round all of a changing set, a part at a time, so that no turn of the event loop is long. */
export class Rounds<Item> {
  #rest: SetIterator<Item>

  constructor(
    private readonly items: ReadonlySet<Item>,
    /** Parts of a round. */
    private readonly parts: number,
  ) {
    this.#rest = items.values()
  }

  /** The next part; with `parts` calls each item that stays has come once. */
  next(): Item[] {
    const part: Item[] = []
    const wanted = Math.ceil(this.items.size / this.parts)
    for (let restarts = 0; part.length < wanted && restarts < 2; ) {
      const { done, value } = this.#rest.next()
      if (!done) {
        part.push(value)
        continue
      }
      this.#rest = this.items.values()
      restarts++
    }
    return part
  }
}
