import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import { systemShare } from '../../platform/fairness/share.js'
import type { Dispatcher } from '../../platform/events/dispatcher.js'
import type { JsonObject } from '../../platform/json.js'
import { readTeam, readWaiting, type Team, type WallboardState } from './wallboard-state.js'

const TICK_MS = 1_000
/** The team is read with every fifth tick: who is in it changes less often than what waits. */
const TEAM_TICKS = 5

export const wallboardStream = (tenant: string): string => `wallboard:${tenant}`
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
  watch(tenant: string): () => void {
    const watched = this.#watched.get(tenant) ?? { watchers: 0, team: null, ticks: 0, isReading: false }
    this.#watched.set(tenant, watched)
    watched.watchers += 1
    this.#timer ??= setInterval(() => this.#tickAll(), pacedMs(this.options.clock, TICK_MS)).unref()
    let isWatching = true
    return () => {
      if (!isWatching) return
      isWatching = false
      watched.watchers -= 1
      if (watched.watchers === 0) this.#watched.delete(tenant)
      if (this.#watched.size === 0) this.stop()
    }
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  async read(sql: Sql, tenant: string): Promise<WallboardState> {
    const team = this.#watched.get(tenant)?.team ?? (await readTeam(sql, tenant, this.options.clock.now()))
    return { ...team, ...(await readWaiting(sql, tenant, this.options.clock.now())) }
  }

  #tickAll(): void {
    for (const [tenant, watched] of this.#watched) {
      if (!watched.isReading) void this.#tick(tenant, watched)
    }
  }

  async #tick(tenant: string, watched: Watched): Promise<void> {
    watched.isReading = true
    // In turn with the organization's other reads, and limited like them.
    const sql = this.options.database.readsOf(systemShare([tenant], 'wallboard'))
    try {
      if (watched.ticks++ % TEAM_TICKS === 0) watched.team = await readTeam(sql, tenant, this.options.clock.now())
      const state = await this.read(sql, tenant)
      const data: object = state
      this.options.dispatcher.ephemeral({
        stream: wallboardStream(tenant),
        type: WALLBOARD_TICK,
        data: data as JsonObject,
      })
    } catch (error) {
      this.options.log.warn({ err: error, organization: tenant }, 'failed to read a wallboard')
    } finally {
      watched.isReading = false
    }
  }
}
