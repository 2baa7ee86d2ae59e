import { reading } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { putInInbox } from '../state/inbox-reason.js'
import { readMembers, type Sender } from './members.js'
import type { Router } from '../routing/router.js'

interface Mention {
  /** A message whose metadata names exactly one target, see `checkMetaOfKind`. */
  message: MessageRow
  sender: Sender
  router: Router
}

/**
 * Applies a mention. A mention of a user adds the conversation to that user's inbox, and makes the user a participant;
 * one of an organization runs that organization's workflows (2.12, open points). Sets `meta.targetName`.
 * @throws NotFound if the user or organization is not on the conversation's path or not visible to the sender
 */
export async function applyMention(change: ConversationChange, { message, sender, router }: Mention): Promise<void> {
  const { targetUser, targetOrganization } = message.meta ?? {}
  if (typeof targetUser === 'string') {
    const [member] = await readMembers(change.sql, sender, change.conversation, [targetUser], 'meta.targetUser')
    putInInbox(change.join(member!), 'mentioned', message.id)
    message.meta = { ...message.meta, targetName: member!.name }
    return
  }
  const organization = String(targetOrganization).toLowerCase()
  message.meta = { ...message.meta, targetName: await nameOnPath(change, organization) }
  await router.mention(change, organization)
}

async function nameOnPath({ sql, conversation }: ConversationChange, organization: string): Promise<string> {
  const rows = await sql.query<{ name: string }>(
    reading('select coalesce(display_name, name) as name from organization where id = $1 and id = any($2::uuid[])'),
    [organization, pathOf(conversation)],
  )
  if (!rows[0]) {
    const field = 'meta.targetOrganization'
    throw recordNotFound('Organization', organization, field)
  }
  return rows[0].name
}
