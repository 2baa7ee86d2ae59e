import { pathOf, type OrganizationPath } from '../../../platform/db/tenancy.js'
import type { Aggregate } from '../state/conversation-state.js'
import { costOf } from './write-cost.js'

const KNOWN_MAX = 50_000

/** A conversation as its last write left it: where it belongs, and what the next write will cost at least. */
export interface KnownConversation {
  path: OrganizationPath
  /** In sends. */
  leastCost: number
}

/** The organization of a conversation that this node has not written yet, for the system's first write to it. */
export const UNKNOWN_PATH: OrganizationPath = ['unknown']
const UNKNOWN: KnownConversation = { path: UNKNOWN_PATH, leastCost: 1 }

/** Remembers the conversations that were written lately. */
export class KnownConversations {
  /** Most recently written last. */
  readonly #known = new Map<string, KnownConversation>()

  get(id: string): KnownConversation {
    return this.#known.get(id) ?? UNKNOWN
  }

  learn(id: string, known: KnownConversation): void {
    this.#known.delete(id)
    this.#known.set(id, known)
    if (this.#known.size > KNOWN_MAX) this.#known.delete(this.#known.keys().next().value!)
  }
}

/** Returns what is known of a conversation once it was written. */
export function knownOf({ conversation, participants }: Aggregate): KnownConversation {
  let streams = 0
  for (const { inbox } of participants.values()) if (inbox) streams += 1
  if (conversation.status === 'queued') streams += conversation.channels.length + conversation.channelsOffline.length
  return { path: pathOf(conversation), leastCost: costOf({ events: streams, rows: 0 }) }
}
