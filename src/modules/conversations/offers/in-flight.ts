import type { Pairing } from './match.js'
import type { Work } from './read-staff.js'

/** The offers that the writer has been given and has not ended yet: they are of no use for another one. */
export class InFlight {
  readonly #pairings = new Map<Pairing, Promise<unknown>>()

  get size(): number {
    return this.#pairings.size
  }

  /** Resolves when all have ended. */
  async ended(): Promise<void> {
    while (this.#pairings.size > 0) await Promise.allSettled(this.#pairings.values())
  }

  during<T>(pairing: Pairing, offer: Promise<T>): Promise<T> {
    const ended = offer.finally(() => this.#pairings.delete(pairing))
    this.#pairings.set(pairing, ended)
    return ended
  }

  /** Leaves out their conversations, and counts their places. What does not wait any more was read as given. */
  leaveOut({ staff, waiting }: Work): Work {
    if (this.#pairings.size === 0) return { staff, waiting }
    const agents = new Map(staff.agents.map((agent) => [agent.id, agent]))
    const givenTo = new Map([...this.#pairings.keys()].map(({ conversation, agent }) => [conversation.id, agent.id]))
    const left = waiting.filter(({ id, weight }) => {
      const agent = givenTo.get(id)
      const found = agent === undefined ? undefined : agents.get(agent)
      if (found) found.load += weight
      return agent === undefined
    })
    return { staff, waiting: left }
  }
}
