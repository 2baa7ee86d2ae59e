import type { Assignment } from '../../channels/assignment.js'
import type { Candidate } from '../state/offer.js'
import { explain, type Staff, type StaffAgent, type Pairing } from './match.js'

/** The staff as each pairing of a round found it: with what the pairings before it gave to the agents. */
export class Ledger {
  readonly #staff: Staff
  readonly #agents: ReadonlyMap<string, StaffAgent>

  constructor(staff: Staff) {
    const agents = staff.agents.map((agent) => ({ ...agent }))
    this.#staff = { ...staff, agents }
    this.#agents = new Map(agents.map((agent) => [agent.id, agent]))
  }

  /** Explains the next pairing of the round, and counts it. */
  explain(
    { conversation, channel, agent, reserved }: Pairing,
    now: Date,
  ): { assignment: Assignment; candidates: readonly Candidate[] } {
    const candidates = explain({ conversation, channel, chosen: agent.id, reserved }, this.#staff, now.getTime())
    this.#agents.get(agent.id)!.load += conversation.weight
    return { assignment: this.#staff.channels.get(channel)!, candidates }
  }
}
