import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/sql.js'
import type { DayBudget } from './bot-budget.js'
import { dayOf } from './budget-day.js'

/** A draw takes at most this: one row is not everybody's lock, and a node that dies loses little. */
const DRAW_MAX = 50
/** A draw takes at most this part of what is left in the day, an eighth: nodes share its end. */
const DRAW_PART = 8
/** With less than this left, the next draw begins before anybody has to wait for it. */
const AHEAD = 25
/** The time after which a node gives back what it has drawn and not used. */
const IDLE_MS = 5_000
const LOOK_EVERY_MS = 1_000
/** After this time a bot that does nothing is forgotten. */
const FORGOTTEN_MS = 3_600_000
/** For this time a budget that was found spent is not asked about again. */
const SPENT_MS = 500

export interface DayDrawsOptions {
  /** Each draw is a statement of its own, never part of a transaction. */
  sql: Sql
  clock: Clock
  log: Logger
}

/** A part of a version of the budget, taken on a day. */
export interface Taken {
  version: number
  day: string
  count: number
}

/** The part of one budget of a bot that this node has drawn. */
interface Drawn {
  readonly bot: string
  readonly budget: DayBudget
  day: string
  /** The version of the budget that was drawn from. */
  version: number
  left: number
  usedAt: number
  /** Until when the budget counts as spent. */
  spentUntil: number
  drawing: Promise<void> | null
}

/**
 * Hands out the budgets of a day, of which each node draws a part in advance. Together the nodes never hand out more than there is, also
 * if some are killed: what those had drawn is lost for the day. What is drawn of another version of the budget, or on another day, is worth nothing.
 */
export class DayDraws {
  readonly #drawn = new Map<string, Drawn>()
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(private readonly options: DayDrawsOptions) {}

  start(): void {
    const { clock } = this.options
    this.#timer = setInterval(() => void this.#returnIdle(), pacedMs(clock, LOOK_EVERY_MS))
    this.#timer.unref()
  }

  /** Gives back all that is left. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
    const all = [...this.#drawn.values()]
    const draws = all.flatMap(({ drawing }) => drawing ?? [])
    await Promise.allSettled(draws)
    await Promise.all(all.map((drawn) => this.#giveAllBack(drawn)))
  }

  /** Takes one of what this node has drawn. @returns false if it has drawn too little */
  take(bot: string, budget: DayBudget, version: number): boolean {
    const drawn = this.#of(bot, budget)
    if (!this.#isOf(drawn, version) || drawn.left < 1) return false
    drawn.left--
    drawn.usedAt = performance.now()
    if (drawn.left < AHEAD) this.#drawAhead(drawn)
    return true
  }

  /** Takes one, and draws for it if need be. `changed`: the budget has another version, or is gone: it is to be read again. */
  async draw(bot: string, budget: DayBudget, version: number): Promise<'taken' | 'spent' | 'changed'> {
    const drawn = this.#of(bot, budget)
    for (;;) {
      if (this.take(bot, budget, version)) return 'taken'
      if (this.#isOf(drawn, version) && this.#isSpent(drawn)) return 'spent'
      await this.#draw(drawn)
      if (drawn.version !== version) return 'changed'
    }
  }

  /** Draws for a bot that was here before, so that what it does next need not be repeated for that. */
  async prepare(bot: string, budget: DayBudget): Promise<void> {
    const drawn = this.#drawn.get(keyOf(bot, budget))
    if (drawn && drawn.version > 0 && drawn.left === 0 && !this.#isSpent(drawn)) await this.#draw(drawn)
  }

  /** Puts back what was taken and not used. */
  putBack(bot: string, budget: DayBudget, { version, day, count }: Taken): void {
    const drawn = this.#of(bot, budget)
    if (drawn.version === version && drawn.day === day && !this.#isStopped) drawn.left += count
    else void this.#giveBack(drawn, { day, count })
  }

  get today(): string {
    return dayOf(this.options.clock.now())
  }

  #isOf(drawn: Drawn, version: number): boolean {
    return drawn.version === version && drawn.day === this.today
  }

  #isSpent({ spentUntil }: Drawn): boolean {
    return performance.now() < spentUntil
  }

  #of(bot: string, budget: DayBudget): Drawn {
    const key = keyOf(bot, budget)
    let drawn = this.#drawn.get(key)
    if (!drawn) {
      drawn = { bot, budget, day: '', version: 0, left: 0, usedAt: performance.now(), spentUntil: 0, drawing: null }
      this.#drawn.set(key, drawn)
    }
    return drawn
  }

  #drawAhead(drawn: Drawn): void {
    if (drawn.drawing || this.#isSpent(drawn) || this.#isStopped) return
    this.#draw(drawn).catch((error: unknown) => this.#log(error, 'failed to draw from the budget of a bot'))
  }

  #draw(drawn: Drawn): Promise<void> {
    return (drawn.drawing ??= this.#drawAnew(drawn).finally(() => (drawn.drawing = null)))
  }

  async #drawAnew(drawn: Drawn): Promise<void> {
    const day = this.today
    const { bot, budget } = drawn
    const [found] = await this.options.sql.query<{ version: number; count: number }>(
      DRAW[budget],
      [bot, day, budget, DRAW_MAX, DRAW_PART],
      `draw-${budget}`,
    )
    const { version, count } = found ?? { version: 0, count: 0 }
    const former = { day: drawn.day, count: drawn.left }
    if (drawn.version !== version || drawn.day !== day) {
      Object.assign(drawn, { version, day, left: 0 })
      const givenBack = this.#giveBack(drawn, former)
      // The rest of the former budget may be all that is left of this one.
      if (count === 0 && former.count > 0) {
        await givenBack
        return this.#drawAnew(drawn)
      }
    }
    drawn.left += count
    drawn.usedAt = performance.now()
    drawn.spentUntil = count === 0 ? performance.now() + SPENT_MS : 0
  }

  async #returnIdle(): Promise<void> {
    const { clock } = this.options
    for (const [key, drawn] of this.#drawn) {
      const idleMs = performance.now() - drawn.usedAt
      if (drawn.drawing || idleMs < pacedMs(clock, IDLE_MS)) continue
      await this.#giveAllBack(drawn)
      if (idleMs > FORGOTTEN_MS) this.#drawn.delete(key)
    }
  }

  #giveAllBack(drawn: Drawn): Promise<void> {
    const { day, left: count } = drawn
    drawn.left = 0
    return this.#giveBack(drawn, { day, count })
  }

  /** Gives back a part of a day. If that fails, it is lost for the day. */
  async #giveBack({ bot, budget }: Drawn, { day, count }: { day: string; count: number }): Promise<void> {
    if (count === 0) return
    try {
      await this.options.sql.query(GIVE_BACK, [bot, day, budget, count], 'give-back-budget')
    } catch (error) {
      this.#log(error, 'failed to give back what was drawn from the budget of a bot')
    }
  }

  #log(error: unknown, message: string): void {
    this.options.log.warn({ err: error }, message)
  }
}

const keyOf = (bot: string, budget: DayBudget): string => `${budget} ${bot}`

/** A row of the day is there from the first draw on; limits come from the budget as it is at the moment. */
const drawFrom = (limit: string): string => `
with budget as (select bot_id, version, ${limit} as day_limit from bot_budget where bot_id = $1 and ${limit} is not null),
drawn as (
  insert into bot_day as d (bot_id, day, budget, drawn, last_draw, day_limit)
  select b.bot_id, $2::date, $3, first.draw, first.draw, b.day_limit
  from budget b, lateral (select least($4::int, greatest(1, b.day_limit / $5::int)) as draw) first
  where b.day_limit > 0
  on conflict (bot_id, budget, day) do update set
    drawn = d.drawn + least($4::int, greatest(1, (excluded.day_limit - d.drawn) / $5::int)),
    last_draw = least($4::int, greatest(1, (excluded.day_limit - d.drawn) / $5::int)),
    day_limit = excluded.day_limit
  where d.drawn < excluded.day_limit
  returning d.last_draw
)
select b.version, coalesce(d.last_draw, 0) as count from budget b left join drawn d on true`

const DRAW: Readonly<Record<DayBudget, string>> = {
  perDay: drawFrom('per_day'),
  toolCallsPerDay: drawFrom('tool_calls_per_day'),
}

const GIVE_BACK = `update bot_day set drawn = greatest(0, drawn - $4) where bot_id = $1 and day = $2::date and budget = $3`
