import { BadUserInput } from '../../errors.js'
import { isSystemKey, parseJsonObject, parseMeta, type JsonObject } from '../../json.js'
import type { Touchpoint } from '../../messages/message-content.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { attachCategoryForms } from '../messages/active-forms.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { readCategory } from '../messages/read-category.js'
import type { Command } from './command.js'

/** `/set` in all its forms (4.8): `@name`, `@category`, `@touchpoint`, `@language`, a key of meta, or a meta object. */
export const set: Command<'set'> = {
  name: 'set',
  permission: 'conversation.command',
  async run({ draft, parsed, meta }) {
    const { conversation } = draft
    switch (parsed.attribute) {
      case 'name':
        conversation.name = parsed.value
        return
      case 'language':
        conversation.language = parsed.value
        return
      case 'touchpoint':
        return selectTouchpoint(conversation, parsed.value)
      case 'category':
        return setCategory(draft, parsed.value, 'text')
      case 'metaKey':
        return parsed.value === null ? clearMeta(draft, parsed.key) : mergeMeta(draft, { [parsed.key]: parsed.value })
      case 'meta':
        if (Object.keys(meta).length === 0) throw new BadUserInput('meta', '/set needs a key and a value, or meta')
        return mergeMeta(draft, parseMeta(meta, 'meta'))
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
export async function setCategory(
  draft: ConversationDraft,
  wanted: string | number | null,
  field: string,
): Promise<void> {
  const { conversation } = draft
  if (wanted === null) {
    conversation.category = null
    conversation.categoryIndex = null
    return
  }
  const category = await readCategory(draft, wanted, field)
  conversation.category = category.name
  conversation.categoryIndex = category.index
  await attachCategoryForms(draft, category)
}

/** Top-level keys are merged; the whole must stay within what metadata may hold. */
export function mergeMeta(draft: ConversationDraft, patch: ConversationDraft['conversation']['meta']): void {
  checkPage(patch, 'meta')
  const merged = { ...draft.conversation.meta, ...patch }
  try {
    // Without the system's keys, so that a consumer's page takes no room from the agents.
    parseJsonObject(Object.fromEntries(Object.entries(merged).filter(([key]) => !isSystemKey(key))), 'meta')
  } catch (error) {
    throw error instanceof BadUserInput ? new BadUserInput('meta', `the conversation's ${error.message}`) : error
  }
  draft.conversation.meta = merged
}

function clearMeta({ conversation }: ConversationDraft, key: string): void {
  const { [key]: _, ...others } = conversation.meta
  conversation.meta = others
}
