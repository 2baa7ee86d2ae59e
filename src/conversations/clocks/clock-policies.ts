import type { RuleEngines } from '../../workflows/evaluation.js'
import { liveFacts } from '../../workflows/facts.js'
import { choosePolicy, policiesFor } from '../../sla/choose-policy.js'
import type { TermsCache, ClockTerms } from '../../sla/clock-terms.js'
import type { PolicyCache } from '../../sla/policy-cache.js'
import { pathOf } from '../../db/tenancy.js'
import { readFactSource } from '../routing/routing-facts.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'

export interface ClockPoliciesOptions {
  engines: RuleEngines
  policies: PolicyCache
  terms: TermsCache
}

/** Finds the terms by which the clocks of a conversation count. */
export class ClockPolicies {
  constructor(private readonly options: ClockPoliciesOptions) {}

  /**
   * Gives the drafts of operations that have ended the terms of their clocks: chosen by the facts as they are now if a
   * case begins, else those of the case. Costs conversations without policies nothing.
   */
  async prepareAll(drafts: readonly ConversationDraft[]): Promise<void> {
    await Promise.all(drafts.filter((draft) => this.#isConcerned(draft)).map((draft) => this.#prepare(draft)))
  }

  async #prepare(draft: ConversationDraft): Promise<void> {
    const { clocks, conversation, opensCase, sql } = draft
    clocks.terms = opensCase ? await this.choose(draft) : await this.options.terms.of(sql, conversation.sla!.choice)
  }

  #isConcerned({ clocks, conversation, opensCase }: ConversationDraft): boolean {
    if (clocks.terms) return false
    if (opensCase) return this.options.policies.has(conversation.org1)
    // Nothing counts between two cases; the versions of the last one may be gone.
    return conversation.sla !== null && conversation.sla.caseNth !== null
  }

  /** Returns the terms of the first policy that applies now; null if none does. */
  async choose(draft: ConversationDraft): Promise<ClockTerms | null> {
    const { conversation, shared, sql, now } = draft
    const { engines, terms } = this.options
    const policies = await shared.once(`SLA policies for ${conversation.organizationId}`, () =>
      policiesFor(sql, pathOf(conversation)),
    )
    if (policies.length === 0) return null
    const choice = await choosePolicy(engines, policies, liveFacts(await readFactSource(draft), now))
    return choice && terms.of(sql, choice)
  }
}
