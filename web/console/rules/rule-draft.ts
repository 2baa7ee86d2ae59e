import type { AdminWorkflowsQuery } from '../../generated/admin.js'
import { NEW_LEAF, type Node } from './tree.js'

export type Workflow = AdminWorkflowsQuery['workflows']['edges'][number]['node']

/** A rule as it is edited, by its id. */
export interface RuleDraft {
  key: string
  name: string
  priority: number
  conditions: Node
  channels: string[]
  users: string[]
  delay: number
  isLastRule: boolean
}

/** A new rule has an id from the start, under which the result of a trial is reported. */
export function newRule(): RuleDraft {
  return {
    key: crypto.randomUUID(),
    name: '',
    priority: 1,
    conditions: { all: [NEW_LEAF] },
    channels: [],
    users: [],
    delay: 0,
    isLastRule: false,
  }
}

export function draftOf({ id, priority, conditions, event: { params } }: Workflow['rules'][number]): RuleDraft {
  return {
    key: id,
    name: params.name ?? '',
    priority,
    conditions: conditions as unknown as Node,
    channels: params.channels ?? [],
    users: params.users ?? [],
    delay: params.delay ?? 0,
    isLastRule: params.isLastRule ?? false,
  }
}

export function inputOf({ key, name, priority, conditions, channels, users, delay, isLastRule }: RuleDraft) {
  const params = { name, channels, delay, isLastRule, ...(users.length > 0 && { users }) }
  return {
    id: key,
    priority,
    conditions: conditions as unknown as Record<string, unknown>,
    event: { type: 'NOTIFY' as const, params },
  }
}
