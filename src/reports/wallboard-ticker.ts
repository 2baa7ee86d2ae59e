import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Database, Sql } from '../db/database.js'
import type { Dispatcher } from '../events/dispatcher.js'
import type { JsonObject } from '../json.js'
import { readTeam, readWaiting, type Team, type WallboardState } from './wallboard-state.js'

const TICK_MS = 1_000
/** The team is read with every fifth tick: who is in it changes less often than what waits. */
const TEAM_TICKS = 5

export const wallboardStream = (org1: string): string => `wallboard:${org1}`
export const WALLBOARD_TICK = 'wallboard.tick'

interface Watched {
  watchers: number
  team: Team | null
  ticks: number
  isReading: boolean
}

interface TickerOptions {
  clock: Clock
  database: Database
  dispatcher: Dispatcher
  log: Logger
  tickMs?: number
}

/**
 * Sends the state of each organization whose wallboards are open on this node, once a second, to the subscribers on this
 * node: every node reads for its own. Nothing is stored; a tick that fails is left out.
 */
export class WallboardTicker {
  readonly #watched = new Map<string, Watched>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly options: TickerOptions) {}

  /** @returns a function that ends it */
  watch(org1: string): () => void {
    const watched = this.#watched.get(org1) ?? { watchers: 0, team: null, ticks: 0, isReading: false }
    this.#watched.set(org1, watched)
    watched.watchers += 1
    this.#timer ??= setInterval(() => this.#tickAll(), this.options.tickMs ?? TICK_MS).unref()
    let isWatching = true
    return () => {
      if (!isWatching) return
      isWatching = false
      watched.watchers -= 1
      if (watched.watchers === 0) this.#watched.delete(org1)
      if (this.#watched.size === 0) this.stop()
    }
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  async read(sql: Sql, org1: string): Promise<WallboardState> {
    const team = this.#watched.get(org1)?.team ?? (await readTeam(sql, org1))
    return { ...team, ...(await readWaiting(sql, org1, this.options.clock.now())) }
  }

  #tickAll(): void {
    for (const [org1, watched] of this.#watched) {
      if (!watched.isReading) void this.#tick(org1, watched)
    }
  }

  async #tick(org1: string, watched: Watched): Promise<void> {
    watched.isReading = true
    // In turn with the organization's other reads, and limited like them.
    const sql = this.options.database.readsOf({ tenant: org1, caller: 'wallboard' })
    try {
      if (watched.ticks++ % TEAM_TICKS === 0) watched.team = await readTeam(sql, org1)
      const state = await this.read(sql, org1)
      const data: object = state
      this.options.dispatcher.ephemeral({
        stream: wallboardStream(org1),
        type: WALLBOARD_TICK,
        data: data as JsonObject,
      })
    } catch (error) {
      this.options.log.warn({ err: error, organization: org1 }, 'failed to read a wallboard')
    } finally {
      watched.isReading = false
    }
  }
}
