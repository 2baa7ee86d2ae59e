import { BadUserInput } from '../../errors.js'
import { parseJsonObject, parseMeta, type JsonObject } from '../../json.js'
import type { Touchpoint } from '../../messages/message-content.js'
import { attachCategoryForms } from '../active-forms.js'
import type { ConversationState } from '../conversation-state.js'
import type { ConversationWork } from '../conversation-work.js'
import { readCategory } from '../read-category.js'
import type { Command } from './command.js'

/** `/set` in all its forms (4.8): `@name`, `@category`, `@touchpoint`, `@language`, a key of meta, or a meta object. */
export const set: Command<'set'> = {
  name: 'set',
  permission: 'conversation.command',
  async run({ work, parsed, meta }) {
    const { conversation } = work
    switch (parsed.attribute) {
      case 'name':
      case 'language':
        conversation[parsed.attribute] = parsed.value
        return
      case 'touchpoint':
        return selectTouchpoint(conversation, parsed.value)
      case 'category':
        return setCategory(work, parsed.value, 'text')
      case 'metaKey':
        return mergeMeta(work, { [parsed.key]: parsed.value })
      case 'meta':
        if (Object.keys(meta).length === 0) throw new BadUserInput('meta', '/set needs a key and a value, or meta')
        return mergeMeta(work, parseMeta(meta, 'meta'))
    }
  },
}

/** Messages to the consumer go there from now on (4.7, delivery rule 4); `touchpoints` shows it as the selected one. */
export function selectTouchpoint(conversation: ConversationState, selected: Touchpoint | null): void {
  conversation.touchpoint = selected
  conversation.touchpointChosen = selected !== null
  const known = { ...(selected && { [selected]: { services: [] } }), ...conversation.touchpoints }
  conversation.touchpoints = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, { ...(value as JsonObject), selected: name === selected }]),
  )
}

/**
 * By name, or by zero-based index in the organization's categories; null clears. The forms attached to the category
 * become active; those of another stay, under theirs (2.4, 4.6). @throws Unprocessable
 */
export async function setCategory(work: ConversationWork, wanted: string | number | null, field: string): Promise<void> {
  const { conversation } = work
  if (wanted === null) {
    conversation.category = null
    conversation.categoryIndex = null
    return
  }
  const category = await readCategory(work, wanted, field)
  conversation.category = category.name
  conversation.categoryIndex = category.index
  await attachCategoryForms(work, category)
}

/** Top-level keys are merged; the whole must stay within what metadata may hold. */
export function mergeMeta(work: ConversationWork, patch: ConversationWork['conversation']['meta']): void {
  const merged = { ...work.conversation.meta, ...patch }
  try {
    parseJsonObject(merged, 'meta')
  } catch (error) {
    throw error instanceof BadUserInput ? new BadUserInput('meta', `the conversation's ${error.message}`) : error
  }
  work.conversation.meta = merged
}
