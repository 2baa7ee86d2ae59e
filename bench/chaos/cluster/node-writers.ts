import type { Stage } from '../stage.js'
import { Api } from '../api.js'
import { sleep } from '../victim.js'

const BETWEEN_MS = 50
const ANSWER_MS_MAX = 20_000

/** Writes to each node for itself, past haproxy: how long each of them was silent. */
export class NodeWriters {
  readonly #answers: number[][]
  #isOver = false

  constructor(urls: readonly string[], { bot, conversations }: Stage, name: string) {
    this.#answers = urls.map(() => [])
    for (const [index, url] of urls.entries()) {
      const api = new Api(url, bot.api.token, ANSWER_MS_MAX)
      void this.#write(api, conversations[index]!, `${name} at ${index}`, this.#answers[index]!)
    }
  }

  /** Returns the longest silence of each node, in ms. */
  stop(since: number): { from: number; to: number }[] {
    this.#isOver = true
    const now = performance.now()
    return this.#answers.map((answers) => {
      const times = [since, ...answers.filter((at) => at > since), now]
      const gaps = times.slice(1).map((to, index) => ({ from: times[index]!, to }))
      return gaps.reduce((one, other) => (other.to - other.from > one.to - one.from ? other : one))
    })
  }

  async #write(api: Api, conversation: string, name: string, answers: number[]): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++, await sleep(BETWEEN_MS)) {
      const text = `${name} ${turn}`
      await api.rest('POST', `/conversations/${conversation}/messages`, { role: 'contact', text }, text)
      answers.push(performance.now())
    }
  }
}
