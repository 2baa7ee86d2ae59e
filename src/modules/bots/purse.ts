import { OutcomeUnknown } from '../../platform/errors.js'
import { BudgetSpent, DrawNeeded } from './budget-spent.js'
import type { DayDraws, Taken } from './day-draws.js'
import type { VersionedLimits } from './read-budgets.js'

/** Draws for one write; each gets one, so that more are only needed while the budget changes. */
const TRIES_MAX = 20

/** Holds what one write of a bot takes of its day's budget, however often the write is tried. */
export class Purse {
  /** Counted by the present try. */
  #wanted = 0
  #taken: Taken = { version: 0, day: '', count: 0 }
  #isSpent = false
  #spent: BudgetSpent | null = null

  constructor(
    readonly bot: string,
    private readonly draws: DayDraws,
  ) {}

  /** Begins a try: what an earlier one has taken is there for it. */
  begin(): void {
    this.#wanted = 0
    this.#spent = null
  }

  /** The budget that the last try found spent. */
  get spent(): BudgetSpent | null {
    return this.#spent
  }

  /** Takes one message. @param sent by the bot in the case so far @throws BudgetSpent; DrawNeeded, and the write is tried again */
  take({ version, perConversation, perDay }: VersionedLimits, sent: number, now: Date): void {
    if (perConversation !== null && sent >= perConversation)
      throw (this.#spent = new BudgetSpent('perConversation', perConversation, now))
    if (perDay === null) return
    const { bot, draws } = this
    if (this.#taken.version !== version || this.#taken.day !== draws.today) {
      this.#putBack(this.#taken.count)
      this.#taken = { version, day: draws.today, count: 0 }
      this.#isSpent = false
    }
    this.#wanted++
    if (this.#wanted <= this.#taken.count) return
    if (draws.take(bot, 'perDay', version)) this.#taken.count++
    else if (this.#isSpent) throw (this.#spent = new BudgetSpent('perDay', perDay, now))
    else throw new DrawNeeded(version)
  }

  /**
   * Tries a write until what it needs is drawn. What it has taken and not used is put back; what may have been written counts.
   * @throws BudgetSpent; what the write throws
   */
  async during<T>(write: () => Promise<T>): Promise<T> {
    try {
      await this.draws.prepare(this.bot, 'perDay')
      const answer = await this.#tryAll(write)
      this.#putBack(this.#taken.count - this.#wanted)
      return answer
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) this.#putBack(this.#taken.count)
      throw error
    }
  }

  async #tryAll<T>(write: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        if (!(error instanceof DrawNeeded) || tries === TRIES_MAX) throw error
        await this.#draw(error.version)
      }
    }
  }

  async #draw(version: number): Promise<void> {
    const { bot, draws } = this
    const day = draws.today
    const drawn = await draws.draw(bot, 'perDay', version)
    if (drawn === 'spent') this.#isSpent = true
    if (drawn !== 'taken') return
    if (this.#taken.version === version && this.#taken.day === day && draws.today === day) this.#taken.count++
    else draws.putBack(bot, 'perDay', { version, day, count: 1 })
  }

  #putBack(count: number): void {
    if (count > 0) this.draws.putBack(this.bot, 'perDay', { ...this.#taken, count })
    this.#taken.count -= Math.max(0, count)
  }
}
