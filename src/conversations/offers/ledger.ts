import type { Assignment } from '../../channels/assignment.js'
import type { Candidate } from '../writing/offer.js'
import { explain, type Office, type OfficeAgent, type Pairing } from './match.js'

/** The office as each pairing of a round found it: with what the pairings before it gave to the agents. */
export class Ledger {
  readonly #office: Office
  readonly #agents: ReadonlyMap<string, OfficeAgent>

  constructor(office: Office) {
    const agents = office.agents.map((agent) => ({ ...agent }))
    this.#office = { ...office, agents }
    this.#agents = new Map(agents.map((agent) => [agent.id, agent]))
  }

  /** Explains the next pairing of the round, and counts it. */
  explain(
    { conversation, channel, agent, reserved }: Pairing,
    now: Date,
  ): { assignment: Assignment; candidates: readonly Candidate[] } {
    const candidates = explain({ conversation, channel, chosen: agent.id, reserved }, this.#office, now.getTime())
    this.#agents.get(agent.id)!.load += conversation.weight
    return { assignment: this.#office.channels.get(channel)!, candidates }
  }
}
