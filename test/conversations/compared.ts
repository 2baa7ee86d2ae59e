/** Until other programs on this machine have been still for long enough. */
export const ROUNDS_MAX = 12

/** What other programs do on this machine only adds to it: the better of the rounds' median and of all rounds together. */
export class Compared {
  readonly #without: number[][] = []
  readonly #with: number[][] = []

  without(times: number[]): void {
    this.#without.push(times)
  }

  with(times: number[]): void {
    this.#with.push(times)
  }

  get #rounds(): number[] {
    return this.#with.map((times, round) => p99(times) / p99(this.#without[round]!))
  }

  get ratio(): number {
    const rounds = sorted(this.#rounds)
    return Math.min(rounds[Math.floor(rounds.length / 2)]!, p99(this.#with.flat()) / p99(this.#without.flat()))
  }

  toString(): string {
    return `${this.ratio.toFixed(2)} (${this.#rounds.map((each) => each.toFixed(2)).join(', ')})`
  }
}

const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other)
const p99 = (times: readonly number[]): number => sorted(times)[Math.floor(times.length * 0.99)]!
