import type { Logger } from 'pino'
import type { AssignmentCache } from '../../channels/assignment-cache.js'
import type { Context } from '../../context.js'
import type { Clock } from '../../db/clock.js'
import type { Database } from '../../db/database.js'
import { NotFound } from '../../errors.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { makeOffer } from './make-offer.js'
import { explain, match, type Office, type Pairing } from './match.js'
import { readOffice, readWaiting } from './read-office.js'

export interface MatcherOptions {
  database: Database
  writer: ConversationWriter
  assignments: AssignmentCache
  clock: Clock
  log: Logger
  idleMinutes: number
  systemContext: (requestId: string) => Context
  /** Called with the number of offers made. */
  observe: (made: number) => void
}

/** What no event tells of is found after this time: conversations that became idle, and wake-ups of a dead node. */
const SWEEP_MS = 2_000
/** Offers committed together at most; others of the tenant write in between. */
const CHUNK = 250
/** Rounds in a row in which somebody else was faster; the next sweep goes on. */
const TRIES_MAX = 5

/**
 * Offers waiting conversations to agents. What waits and who has room is in the database alone: a wake-up only says
 * when to look, and each node looks every 2 seconds besides. Wake-ups that come together are one. Several nodes may
 * decide at once: the writer decides each offer again, under the locks of the conversation and of the agent.
 */
export class Matcher {
  readonly #running = new Map<string, { isAgain: boolean; done: Promise<void> }>()
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(private readonly options: MatcherOptions) {}

  start(): void {
    this.#timer = setInterval(() => {
      for (const organization of this.options.assignments.offering) this.wake(organization)
    }, SWEEP_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Looks for work of a level-1 organization soon; only if it has channels that offer or assign. */
  wake(organization: string): void {
    if (this.#isStopped || !this.options.assignments.offering.has(organization)) return
    const running = this.#running.get(organization)
    if (running) {
      running.isAgain = true
      return
    }
    const state = { isAgain: false, done: Promise.resolve() }
    this.#running.set(organization, state)
    state.done = this.#run(organization, state)
      .catch((error: unknown) => this.options.log.warn({ err: error, organization }, 'failed to make offers'))
      .finally(() => {
        this.#running.delete(organization)
        if (state.isAgain) this.wake(organization)
      })
  }

  async #run(organization: string, state: { isAgain: boolean }): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX;) {
      state.isAgain = false
      const { made, refused } = await this.#round(organization)
      if (made > 0) this.options.observe(made)
      if (refused > 0) tries++
      else if (!state.isAgain) return
    }
  }

  async #round(organization: string): Promise<{ made: number; refused: number }> {
    const { clock, database, idleMinutes } = this.options
    const now = clock.now()
    const office = await readOffice(database, organization, { now, idleMinutes })
    if (office.channels.size === 0) return { made: 0, refused: 0 }
    const waiting = await readWaiting(database, organization, [...office.channels.keys()])
    const pairings = match(waiting, office, now.getTime())
    let made = 0
    for (let at = 0; at < pairings.length && !this.#isStopped; at += CHUNK) {
      const chunk = pairings.slice(at, at + CHUNK)
      const outcomes = await Promise.all(chunk.map((pairing) => this.#offer(pairing, office, now)))
      made += outcomes.filter(Boolean).length
    }
    return { made, refused: pairings.length - made }
  }

  async #offer(pairing: Pairing, office: Office, now: Date): Promise<boolean> {
    const { clock, systemContext, writer } = this.options
    const { conversation, channel, agent } = pairing
    const given = {
      assignment: office.channels.get(channel)!,
      candidates: explain({ conversation, channel, chosen: agent.id }, office, now.getTime()),
    }
    try {
      return await writer.run(
        systemContext(clock.newId()),
        conversation.id,
        (draft) => makeOffer(draft, pairing, given),
        { claims: [agent.id] },
      )
    } catch (error) {
      // It was deleted in the meantime.
      if (error instanceof NotFound) return false
      throw error
    }
  }
}
