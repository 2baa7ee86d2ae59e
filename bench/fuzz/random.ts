/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(max: number): number {
    return Math.floor(this.next() * max)
  }

  isLucky(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }
}
