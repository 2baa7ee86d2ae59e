import type { RuleEngines } from '../../workflows/evaluation.js'
import { liveFacts } from '../../workflows/facts.js'
import { choosePolicy, policiesFor, type TriedPolicy } from '../../sla/choose-policy.js'
import { factsReadBy } from '../../workflows/first-match.js'
import type { CompiledSchedules } from '../../schedules/current-schedule.js'
import type { TermsCache, ClockTerms } from '../../sla/clock-terms.js'
import type { PolicyCache } from '../../sla/policy-cache.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { readFactsFor } from '../routing/routing-facts.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import { recountCase } from './recount-case.js'

export interface ClockPoliciesOptions {
  engines: RuleEngines
  policies: PolicyCache
  terms: TermsCache
  schedules: CompiledSchedules
}

/** Finds the terms by which the clocks of a conversation count. */
export class ClockPolicies {
  constructor(private readonly options: ClockPoliciesOptions) {}

  /**
   * Gives the changes of operations that have ended the terms of their clocks: chosen by the facts as they are now if a
   * case begins, and again if a fact that policies read changes before the first answer; else those of the case. Costs
   * conversations without policies nothing.
   */
  async prepareAll(changes: readonly ConversationChange[]): Promise<void> {
    await Promise.all(changes.map((change) => this.#prepare(change)))
  }

  async #prepare(change: ConversationChange): Promise<void> {
    const { clocks, conversation, opensCase, sql } = change
    if (!(await this.#isConcerned(change))) return
    if (opensCase) clocks.terms = await this.choose(change)
    else if (await this.#mayChange(change)) {
      // By the time at which the case began: only what is known of it has changed.
      const terms = await this.choose(change, conversation.caseAt!)
      if (terms?.choice.policy !== conversation.sla?.choice.policy) await recountCase(change, terms)
    }
    if (!clocks.terms && conversation.sla) clocks.terms = await this.options.terms.of(sql, conversation.sla.choice)
  }

  async #isConcerned({ clocks, conversation, opensCase, sql }: ConversationChange): Promise<boolean> {
    if (clocks.terms) return false
    if (isRunning(conversation)) return true
    return (opensCase || isUnanswered(conversation)) && this.options.policies.has(conversation.org1, sql)
  }

  /** Tells whether the operation may have changed a fact that policies read, in a case that nobody answered yet. */
  async #mayChange(change: ConversationChange): Promise<boolean> {
    const { conversation, earlier, messages } = change
    if (!earlier || !isUnanswered(conversation) || change.clocks.isWithdrawn) return false
    const read = factsReadBy(await this.#policiesOf(change))
    // These change without the conversation: with its next write they may be others.
    if (read.has('contact') || read.has('organization')) return true
    const differs = (key: 'meta' | 'category' | 'categoryIndex' | 'language' | 'forms' | 'results'): boolean =>
      earlier[key] !== conversation[key]
    const isSaid = messages.some(({ role, type }) => role === 'contact' && type !== 'command')
    return (
      (read.has('conversation') && (['meta', 'category', 'categoryIndex', 'language'] as const).some(differs)) ||
      (read.has('forms') && differs('forms')) ||
      (read.has('results') && differs('results')) ||
      (read.has('message') && isSaid)
    )
  }

  #policiesOf({ conversation, shared, sql }: ConversationChange): Promise<TriedPolicy[]> {
    return shared.once(`SLA policies for ${conversation.organizationId}`, () => policiesFor(sql, pathOf(conversation)))
  }

  /** Returns the terms of the first policy that applies at a time; null if none does. */
  async choose(change: ConversationChange, at: Date = change.now): Promise<ClockTerms | null> {
    const { engines, schedules, terms } = this.options
    const policies = await this.#policiesOf(change)
    if (policies.length === 0) return null
    const source = await readFactsFor(change, policies, schedules)
    const choice = await choosePolicy(engines, policies, liveFacts(source, at))
    return choice && terms.of(change.sql, choice)
  }
}

/** Nothing counts between two cases; the versions of the last one may be gone. */
const isRunning = ({ sla }: ConversationState): boolean => sla !== null && sla.caseNth !== null

/** Tells whether a case is open in which no agent has answered the consumer's first message. */
const isUnanswered = ({ caseAt, caseTurns, unansweredSince }: ConversationState): boolean =>
  caseAt !== null && (caseTurns === 0 || (caseTurns === 1 && unansweredSince !== null))
