import type { Conditions } from './conditions.js'

/** A workflow (2.7). */
export interface WorkflowDefinition {
  id: string
  name: string
  /** Changes with the rules; key of everything compiled from them. */
  version: number | string
  rules: RuleDefinition[]
}

export interface RuleDefinition {
  id: string
  conditions: Conditions
  event: NotifyEvent
  /** At least 1. Higher runs first, equal ones in parallel; ignored for a delayed rule. */
  priority: number
}

export interface NotifyEvent {
  type: 'notify'
  params: NotifyParams
}

export interface NotifyParams {
  name?: string
  /** Channel ids. */
  channels?: string[]
  /** User ids, notified whatever they are subscribed to. */
  users?: string[]
  /** Seconds to wait before notifying, from the queueing; 0 by default. */
  delay?: number
  /** False by default. */
  isLastRule?: boolean
  /** Skill ids that an agent must have to be offered the conversation. */
  skills?: string[]
  /** Seconds from the queueing after which skills no longer count. */
  skillsDropAfter?: number
  /** Higher is offered first; 0 by default. */
  urgency?: number
}
