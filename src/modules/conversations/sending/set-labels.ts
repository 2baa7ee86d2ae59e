import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../../platform/errors.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { LABELS_PER_CONVERSATION_MAX, type ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'

export interface LabelChange {
  add: readonly string[]
  remove: readonly string[]
}

/**
 * Puts labels on a conversation and takes labels from it. Under the conversation's lock, so that changes of two agents
 * commute; whatever is on already, or is not, stays so.
 * @throws NotFound for a label of another organization; Unprocessable for an archived one, and beyond the limit
 */
export function setLabels(
  writer: ConversationWriter,
  ctx: Context,
  id: string,
  given: LabelChange,
): Promise<ConversationState> {
  const change = { add: parseIds(given.add, 'add'), remove: parseIds(given.remove, 'remove') }
  const both = change.add.find((label) => change.remove.includes(label))
  if (both) throw new BadUserInput('remove', `remove names the label ${both}, which add names too`)
  return writer.run(ctx, id, async (conversation) => {
    await applyLabels(conversation, { ...change, user: ctx.userCaller.user })
    return conversation.conversation
  })
}

/** Changes the labels as part of another operation. @throws as {@link setLabels} */
export async function applyLabels(
  change: ConversationChange,
  { add, remove, user }: LabelChange & { user: string },
): Promise<void> {
  const { conversation } = change
  await change.grants.require('set')
  if (conversation.status === 'archived')
    throw new Unprocessable('the conversation was merged into another one: label that', {
      reason: 'CONVERSATION_STATUS',
      status: conversation.status,
    })
  const added = add.filter((label) => !conversation.labels.includes(label))
  if (added.length > 0) await requireUsable(change, added)
  const absent = remove.filter((label) => !conversation.labels.includes(label))
  if (absent.length > 0) await findLabels(change, absent, 'remove')
  const kept = conversation.labels.filter((label) => !remove.includes(label))
  if (added.length === 0 && kept.length === conversation.labels.length) return
  const labels = [...kept, ...added]
  if (labels.length > LABELS_PER_CONVERSATION_MAX)
    throw new Unprocessable(
      `the conversation would have ${labels.length} labels; at most ${LABELS_PER_CONVERSATION_MAX} are possible: remove some`,
      { reason: 'TOO_MANY', field: 'add' },
    )
  conversation.labels = labels
  change.noted.push(...added.map((label) => ({ kind: 'labelled' as const, userId: user, ms: null, detail: label })))
}

/** Requires labels that can be put on. */
async function requireUsable(change: ConversationChange, labels: readonly string[]): Promise<void> {
  const archived = (await findLabels(change, labels, 'add')).find(({ isArchived }) => isArchived)
  if (archived)
    throw new Unprocessable(`the label ${quoteValue(archived.name)} is archived: choose another one`, {
      reason: 'LABEL_ARCHIVED',
      field: 'add',
      label: archived.id,
    })
}

interface LabelRow {
  id: string
  name: string
  isArchived: boolean
}

/** Finds labels of the conversation's organization and of those above it. @throws NotFound for any other */
async function findLabels(
  { sql, conversation }: ConversationChange,
  labels: readonly string[],
  field: keyof LabelChange,
): Promise<LabelRow[]> {
  const rows = await sql.query<LabelRow>(LABELS, [labels, pathOf(conversation)], 'labels-by-id')
  const unknown = labels.find((id) => !rows.some((row) => row.id === id))
  if (unknown !== undefined) throw recordNotFound('Label', unknown, field)
  return rows
}

const LABELS = reading(
  `select id, name, archived_at is not null as "isArchived" from label
   where id = any($1::uuid[]) and organization_id = any($2::uuid[])`,
)

function parseIds(ids: readonly string[], field: string): string[] {
  if (ids.length > LABELS_PER_CONVERSATION_MAX)
    throw new BadUserInput(field, `${field} has ${ids.length} labels; at most ${LABELS_PER_CONVERSATION_MAX} at once`)
  return [
    ...new Set(
      ids.map((id) => {
        if (!isId(id)) throw recordNotFound('Label', id, field)
        return id.toLowerCase()
      }),
    ),
  ]
}
