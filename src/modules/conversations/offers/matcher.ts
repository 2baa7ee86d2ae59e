import { systemShare } from '../../../platform/fairness/share.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AssignmentCache } from '../../channels/assignment-cache.js'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { NotFound, Unavailable } from '../../../platform/errors.js'
import { dueNowSql, type Pulse } from '../../../platform/jobs/pulse.js'
import type { RunnerSessions } from '../../../platform/jobs/runner-session.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { makeOffer } from './make-offer.js'
import { InFlight } from './in-flight.js'
import { Ledger } from './ledger.js'
import { match, type Pairing } from './match.js'
import { readWork } from './read-staff.js'
import { RoundLock } from './round-lock.js'
import { Stuck } from './stuck.js'

export interface MatcherOptions {
  database: Database
  writer: ConversationWriter
  assignments: AssignmentCache
  clock: Clock
  log: Logger
  idleMinutes: number
  sessions: RunnerSessions
  /** Asks whether any channel offers; absent: each sweep looks. */
  pulse?: Pulse | undefined
  systemContext: (requestId: string) => Context
  /** Called with the number of offers made. */
  observe: (made: number) => void
}

/** Interval of the search for what no event tells of: conversations that became idle, and wake-ups of a dead node. */
const SWEEP_MS = 2_000
/** Tells whether there are channels whose conversations are offered. */
const OFFERS = `exists (select from channel where assignment is not null and assignment ->> 'mode' <> 'pull')`
/** Offers that are given to the writer at once; when some are made, the next ones follow. */
const WINDOW = 256
/** Time for which an offer waits for rows that others have locked, before it is decided anew. */
const WAIT_MS_MAX = 2_000
/** Ends a round none of whose offers ended for this long: the next one decides while those that hang go on. */
const HANGING_MS = 500
/** The line in which offers wait for their turn beside the writes of callers. */
const CALLER = 'matcher'
/** Rounds in a row in which somebody else was faster; the next sweep goes on. */
const TRIES_MAX = 5

/** The rounds under way in an organization. */
interface Running {
  isAgain: boolean
  done: Promise<void>
}

/**
 * Offers waiting conversations to agents. What waits and who has room is in the database alone: a wake-up only says
 * when to look, and each node looks every 2 seconds besides. Wake-ups that come together are one. Nodes decide by turns,
 * and the writer decides each offer again, under the locks of the conversation and of the agent.
 */
export class Matcher {
  readonly #running = new Map<string, Running>()
  readonly #inFlight = new Map<string, InFlight>()
  /** Conversations and agents whose rows are locked by others: nothing else waits for them. */
  readonly #stuck: Stuck
  readonly #lock: RoundLock
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(private readonly options: MatcherOptions) {
    this.#stuck = new Stuck(options.database.asyncCommit)
    this.#lock = new RoundLock(options.sessions)
  }

  start(): void {
    const sweep = (): void => {
      void this.options.assignments.offering().then((all) => {
        for (const organization of all) this.#wake(organization)
      })
    }
    const { pulse } = this.options
    if (pulse) return pulse.add({ everyMs: SWEEP_MS, dueSql: ({ now }) => dueNowSql(OFFERS, now), onDue: sweep })
    this.#timer = setInterval(sweep, SWEEP_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
    await Promise.all([...this.#running.values()].map(({ done }) => done))
    await Promise.all([...this.#inFlight.values()].map((inFlight) => inFlight.ended()))
  }

  /** Looks for work of a contact center soon; only if it has channels that offer or assign. */
  wake(organization: string): void {
    void this.options.assignments.offering().then((all) => {
      if (all.has(organization)) this.#wake(organization)
    })
  }

  #wake(organization: string): void {
    if (this.#isStopped) return
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

  async #run(organization: string, state: Running): Promise<void> {
    const inFlight = this.#inFlight.get(organization) ?? new InFlight()
    this.#inFlight.set(organization, inFlight)
    for (let tries = 0; tries < TRIES_MAX;) {
      const { made, refused, failure } = await this.#lock.during(organization, () => {
        state.isAgain = false
        return this.#round(organization, inFlight)
      })
      if (failure) throw failure.reason
      if (refused > 0) tries = made > 0 ? 0 : tries + 1
      else if (!state.isAgain) return
    }
  }

  async #round(organization: string, inFlight: InFlight): Promise<Round> {
    const { clock, database, idleMinutes } = this.options
    const now = clock.now()
    const { staff, waiting } = inFlight.leaveOut(await readWork(database, organization, { now, idleMinutes }))
    for (const agent of staff.agents) agent.isLocked = this.#stuck.has(agent.id)
    const pairings = match(
      waiting.filter(({ id }) => !this.#stuck.has(id)),
      staff,
      now.getTime(),
    )
    const round: Round = { organization, ledger: new Ledger(staff), now, made: 0, refused: 0, ended: 0, isOver: false }
    const areGiven = Promise.withResolvers<void>()
    let next = 0
    const offerNext = async (): Promise<void> => {
      while (next < pairings.length && !round.isOver && !this.#isStopped) {
        const pairing = pairings[next++]!
        const offer = inFlight.during(pairing, this.#offer(pairing, round))
        if (next === pairings.length) areGiven.resolve()
        await offer
        // The next look may have come too early for it.
        if (round.isOver) this.wake(organization)
      }
    }
    const width = Math.min(WINDOW - inFlight.size, pairings.length)
    const areMade = Promise.all(Array.from({ length: width }, offerNext))
    await Promise.race([areMade, areGiven.promise])
    for (let ended = -1; ended < round.ended && round.ended < next;) {
      ended = round.ended
      await Promise.race([areMade, sleep(HANGING_MS, undefined, { ref: false })])
    }
    round.isOver = true
    return round
  }

  /** Does not reject: the others of the round go on to their ends. */
  async #offer(pairing: Pairing, round: Round): Promise<void> {
    const { log, observe } = this.options
    try {
      if (await this.#write(pairing, round)) {
        round.made++
        observe(1)
      } else round.refused++
    } catch (error) {
      if (round.isOver && !round.failure)
        log.warn({ err: error, organization: round.organization }, 'failed to make an offer')
      round.failure ??= { reason: error }
      round.isOver = true
    } finally {
      round.ended++
    }
  }

  async #write(pairing: Pairing, { ledger, now }: Round): Promise<boolean> {
    const { clock, systemContext, writer } = this.options
    const { conversation, agent } = pairing
    const given = ledger.explain(pairing, now)
    const options = { agentsToLock: [agent.id], share: systemShare(conversation.path, CALLER), waitMsMax: WAIT_MS_MAX }
    try {
      const system = systemContext(clock.newId())
      return await writer.run(system, conversation.id, (change) => makeOffer(change, pairing, given), options)
    } catch (error) {
      // It was deleted in the meantime.
      if (error instanceof NotFound) return false
      if (!(error instanceof Unavailable)) throw error
      // What nobody holds has lost a race, and keeps its place in the line.
      await this.#stuck.suspect(conversation.id, agent.id)
      return false
    }
  }
}

interface Round {
  organization: string
  ledger: Ledger
  now: Date
  made: number
  refused: number
  ended: number
  /** Reason for which one of its offers failed, not for a lock or a race: the next sweep goes on. */
  failure?: { reason: unknown }
  /** True if nothing more is given to the writer. */
  isOver: boolean
}
