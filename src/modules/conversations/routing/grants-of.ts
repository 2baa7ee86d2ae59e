import type { BotAction, BotGrant, BotMode } from '../../bots/bot-grant.js'
import { NoGrant } from '../../bots/no-grant.js'
import { grantsFor, holdsAlways, lockGovernance } from '../../bots/read-grants.js'
import type { CompiledSchedules } from '../../schedules/current-schedule.js'
import type { RuleEngines } from '../../workflows/evaluation.js'
import { liveFacts } from '../../workflows/facts.js'
import { firstMatch } from '../../workflows/first-match.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Grants } from '../state/grants.js'
import { readFactsFor } from './routing-facts.js'

export interface GrantsOptions {
  engines: RuleEngines
  schedules: CompiledSchedules
}

/**
 * The rights of a bot in one conversation, as they are at the time at which that is locked. Bots that nobody governs
 * cost one read a transaction.
 */
export class GrantsOfBot implements Grants {
  /** The version of its grants; null if nobody governs it. */
  readonly #version: Promise<number | null>
  #hasAsked = false
  #least: BotMode = 'act'

  constructor(
    private readonly options: GrantsOptions,
    private readonly bot: string,
    private readonly change: ConversationChange,
  ) {
    // At once, beside what the operation reads first.
    this.#version = change.shared.lockOnce(`governance of ${bot}`, (sql) => lockGovernance(sql, bot))
  }

  async require(action: BotAction, least: BotMode = this.#least): Promise<void> {
    const mode = await this.#modeOf(action)
    if (MODES.indexOf(mode) < MODES.indexOf(least)) throw new NoGrant(action, mode)
    this.#hasAsked = true
  }

  pass(least: BotMode = this.#least): void {
    this.#hasAsked = true
    this.#least = least
  }

  async settle(hasChanged: () => boolean): Promise<void> {
    if (this.#hasAsked || (await this.#version) === null || !hasChanged()) return
    await this.require('other')
  }

  /** Returns how far the bot may go: the first line of the action whose conditions hold decides. */
  async #modeOf(action: BotAction): Promise<BotMode> {
    const version = await this.#version
    if (version === null) return 'act'
    const { bot, change } = this
    const { organizationId } = change.conversation
    const all = await change.shared.once(`grants of ${bot} in ${organizationId}`, () =>
      grantsFor(change.sql, bot, pathOf(change.conversation)),
    )
    const lines = all.filter((line) => line.action === action)
    const [first] = lines
    if (!first || holdsAlways(first)) return first?.mode ?? 'none'
    const found = await this.#firstMatch(lines, `${bot}@${version} ${organizationId} ${action}`)
    return found?.mode ?? 'none'
  }

  async #firstMatch(lines: readonly BotGrant[], version: string): Promise<BotGrant | undefined> {
    const { engines, schedules } = this.options
    const source = await readFactsFor(this.change, lines, schedules)
    return firstMatch(engines, lines, { list: 'bot grants', version, facts: liveFacts(source, this.change.now) })
  }
}

/** Each lets the bot do what those before do, and more. */
const MODES: readonly BotMode[] = ['none', 'suggest', 'approve', 'act']
