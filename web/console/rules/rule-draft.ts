import type { AdminWorkflowsQuery } from '../../generated/workflows.js'
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
  /** Demands on agents, which are set by the interfaces: they stay as they are. */
  needs: Needs
}

type Params = Workflow['rules'][number]['event']['params']
type Needs = Pick<Params, 'skills' | 'skillsDropAfter' | 'urgency'>

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
    needs: NO_NEEDS,
  }
}

const NO_NEEDS: Needs = { skills: null, skillsDropAfter: null, urgency: null }

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
    needs: { skills: params.skills, skillsDropAfter: params.skillsDropAfter, urgency: params.urgency },
  }
}

export function inputOf({ key, name, priority, conditions, channels, users, delay, isLastRule, needs }: RuleDraft) {
  const given = Object.entries(needs).filter(([, value]) => value !== null && value !== undefined)
  const params = {
    ...{ name, channels, delay, isLastRule },
    ...(users.length > 0 && { users }),
    ...(Object.fromEntries(given) as Partial<Needs>),
  }
  return {
    id: key,
    priority,
    conditions: conditions as unknown as Record<string, unknown>,
    event: { type: 'NOTIFY' as const, params },
  }
}
