import { newId } from '@switchboard/client'
import type { AdminBotQuery, BotAction, BotMode } from '../../../generated/bots-admin.js'
import { words as acts } from '../../acts/words.js'
import { kindOf, membersOf, textOf, type Leaf, type Node } from '../../rules/tree.js'
import { words } from './words.js'

export type Bot = NonNullable<AdminBotQuery['user']>
export type Governance = NonNullable<Bot['governance']>

export const ACTIONS = Object.keys(words.actions) as BotAction[]
export const MODES = Object.keys(words.modes) as BotMode[]

/** A line as it is edited. */
export interface Line {
  key: string
  action: BotAction
  mode: BotMode
  conditions: Node
}

export const ALWAYS: Node = { all: [] }

export function isAlways(node: Node): boolean {
  return kindOf(node) === 'all' && membersOf(node).length === 0
}

export function lineOf(action: BotAction, mode: BotMode, conditions: Node = ALWAYS): Line {
  return { key: newId(), action, mode, conditions }
}

/** The lines of one organization, in their order. */
export function linesOf(governance: Governance | null, organization: string): Line[] {
  const own = governance?.grants.filter(({ organizationId }) => organizationId === organization) ?? []
  return own.map(({ action, mode, conditions }) => lineOf(action, mode, conditions as unknown as Node))
}

/** Lines for a bot that nobody has limited yet: its answers wait for a person. */
export const firstLines = (): Line[] => [lineOf('NOTE', 'ACT'), lineOf('HAND_OVER', 'ACT'), lineOf('REPLY', 'APPROVE')]

/** Returns conditions in words, such as `conversation.category is Billing and …`. */
export function conditionText(node: Node): string {
  const kind = kindOf(node)
  if (!kind) {
    const { fact, path, operator, value } = node as Leaf
    const named = acts.rules.operators[operator as keyof typeof acts.rules.operators] ?? operator
    return `${fact}${path} ${named} ${textOf(value)}`
  }
  const parts = membersOf(node).map((each) => (kindOf(each) ? `(${conditionText(each)})` : conditionText(each)))
  return parts.join(kind === 'all' ? words.and : words.or)
}
