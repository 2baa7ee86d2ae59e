import { sleep } from '../victim.js'

const EVERY_MS = 100
const ANSWER_MS_MAX = 1_000
/** A node may commit again before the connection whose silence is measured: that one asks every 50 ms, and connects first. */
const EARLIER_MS_MAX = 500

interface Answer {
  at: number
  isReady: boolean
}

/** Asks each node all the time whether it is ready, as a balancer does. */
export class ReadinessWatch {
  readonly #answers: Answer[][]
  #isOver = false

  constructor(urls: readonly string[]) {
    this.#answers = urls.map(() => [])
    for (const [index, url] of urls.entries()) void this.#ask(url, this.#answers[index]!)
  }

  stop(): void {
    this.#isOver = true
  }

  /**
   * Returns the time between the last commit and a node's last word that it is ready, in ms; of a silence from `from`
   * to `to`.
   */
  readyWithoutCommits(from: number, to: number): number {
    const late = this.#answers.flat().filter(({ at, isReady }) => isReady && at > from && at < to - EARLIER_MS_MAX)
    return Math.max(0, ...late.map(({ at }) => at - from))
  }

  /** Returns the time between `at` and the last node's being ready again, in ms; null: never. */
  readyAfter(at: number): number | null {
    const times = this.#answers.map((answers) => {
      const later = answers.filter((answer) => answer.at >= at)
      const firstReady = later.findIndex(
        ({ isReady }, index) => isReady && later.slice(index).every((each) => each.isReady),
      )
      return firstReady < 0 ? null : later[firstReady]!.at - at
    })
    return times.includes(null) ? null : Math.max(0, ...(times as number[]))
  }

  async #ask(url: string, answers: Answer[]): Promise<void> {
    while (!this.#isOver) {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX)
      const isReady = await fetch(`${url}/readyz`, { signal }).then(
        ({ ok }) => ok,
        () => false,
      )
      answers.push({ at: performance.now(), isReady })
      await sleep(EVERY_MS)
    }
  }
}
