import type { RuleEvaluation } from './evaluation.js'
import type { DeferredRule, IsOnline, RoutingDecision, RoutingTraceEntry } from './routing-decision.js'

/** A matched rule being processed; without workflow and rule if none decided. */
export interface RoutedRule extends Omit<DeferredRule, 'workflow' | 'rule'> {
  workflow: RoutingTraceEntry['workflow']
  rule: RoutingTraceEntry['rule']
  conditions: RoutingTraceEntry['conditions']
}

/** One processing of rules: takes them step by step and builds the decision. `planRouting` determines the order. */
export class Routing {
  readonly decision: RoutingDecision = { notify: [], offline: [], deferred: [], trace: [] }
  /** The rule that ended the processing. */
  stoppedBy: RoutedRule | null = null
  #hasNotifiedChannel = false
  readonly #online = new Map<string, boolean>()
  readonly #askIsOnline: IsOnline

  constructor(isOnline: IsOnline) {
    this.#askIsOnline = isOnline
  }

  /** Processes the next step's matched rules: all of them are skipped, deferred or fired. */
  take(step: readonly RoutedRule[]): void {
    if (this.stoppedBy) return this.#skip(step, this.stoppedBy)
    const delaySeconds = step[0]?.delaySeconds ?? 0
    if (delaySeconds > 0 && this.#hasNotifiedChannel) return this.#defer(step)
    const isBypassed = delaySeconds > 0
    this.fire(step, isBypassed ? 'conditions met; delay bypassed, as no channel was notified yet' : 'conditions met')
  }

  fire(step: readonly RoutedRule[], reason: string): void {
    const { notify, offline } = this.decision
    for (const rule of step) {
      const { workflow, users } = rule
      const { online = [], away = [] } = Object.groupBy(rule.channels, (id) => (this.#isOnline(id) ? 'online' : 'away'))
      if (online.length > 0 || users.length > 0)
        notify.push({ workflow, rule: rule.rule, channels: online, users, ...(rule.needs && { needs: rule.needs }) })
      for (const id of away) if (!offline.includes(id)) offline.push(id)
      if (online.length > 0) {
        this.#hasNotifiedChannel = true
        if (rule.isLastRule) this.stoppedBy ??= rule
      }
      this.#trace(rule, 'fired', reason, { channelsNotified: online, channelsOffline: away, users })
    }
  }

  /** Records a rule whose conditions were not met. */
  passOver(rule: RoutedRule, { error, unknown }: RuleEvaluation): void {
    const reason = unknown ? `not known, as nobody recorded ${unknown.join(', ')}` : 'conditions not met'
    this.#trace(rule, 'notMatched', error ? `the rule cannot be evaluated: ${error}` : reason)
  }

  #skip(step: readonly RoutedRule[], by: RoutedRule): void {
    const name = by.rule?.name ?? by.rule?.id
    for (const rule of step) this.#trace(rule, 'skipped', `the last rule "${name}" notified a channel`)
  }

  #defer(step: readonly RoutedRule[]): void {
    for (const { conditions, workflow, rule, ...rest } of step) {
      if (!workflow || !rule) continue
      this.decision.deferred.push({ workflow, rule, ...rest })
      this.#trace(
        { conditions, workflow, rule, ...rest },
        'deferred',
        `an earlier rule notified a channel; waiting for the delay of ${rest.delaySeconds} s`,
      )
    }
  }

  #trace(
    rule: RoutedRule,
    outcome: RoutingTraceEntry['outcome'],
    reason: string,
    reached: Partial<Pick<RoutingTraceEntry, 'channelsNotified' | 'channelsOffline' | 'users'>> = {},
  ): void {
    const { workflow, rule: name, conditions, delaySeconds } = rule
    this.decision.trace.push({
      workflow,
      rule: name,
      outcome,
      reason,
      conditions,
      channelsNotified: reached.channelsNotified ?? [],
      channelsOffline: reached.channelsOffline ?? [],
      users: reached.users ?? [],
      ...(delaySeconds > 0 && { delaySeconds }),
    })
  }

  /** Queried once per channel, so that a decision is consistent. */
  #isOnline(id: string): boolean {
    const known = this.#online.get(id)
    if (known !== undefined) return known
    const online = this.#askIsOnline(id)
    this.#online.set(id, online)
    return online
  }
}
