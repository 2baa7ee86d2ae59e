import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import type { Sql } from '../../db/database.js'
import { tenantSql, type TenantScope } from '../../db/tenancy.js'
import { userStream, type StoredEvent } from '../../events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../events/live-feed.js'
import { camelRow } from '../../lists/rows.js'
import { inboxEntry } from '../change-events.js'
import type { ConversationState, ParticipantState } from '../conversation-state.js'

/** `inbox`: the caller's own (section 6). */
export class InboxSource implements LiveSource {
  readonly field = 'inbox'

  async open(ctx: Context): Promise<LiveFeed> {
    ctx.require('inbox.watch')
    const { user } = ctx.userCaller
    return {
      streams: [userStream(user)],
      audience: `user:${user}`,
      snapshot: (sql) => readInbox(sql, ctx.tenant, user),
      toEvent,
      isStillAllowed: async (now) => isAllowed(now.caller, 'inbox.watch'),
    }
  }
}

type InboxRow = ConversationState &
  Pick<ParticipantState, 'unreadCount' | 'active' | 'accepted' | 'follow'> & { contactName: string | null }

async function readInbox(sql: Sql, scope: TenantScope, user: string): Promise<LiveEvent> {
  const values: unknown[] = [user]
  const tenant = tenantSql(scope, 'c', values)
  const rows = await sql.query<Record<string, unknown>>(
    `select c.*, ct.profile ->> 'name' as contact_name, p.unread_count, p.active, p.accepted, p.follow
     from participant p join conversation c on c.id = p.conversation_id left join contact ct on ct.id = c.contact_id
     where p.user_id = $1 and p.inbox and ${tenant} order by c.last_message_at desc nulls last, c.id`,
    values,
  )
  const entries = rows.map((row) => {
    const { contactName, unreadCount, active, accepted, follow, ...conversation } = camelRow<InboxRow>(row)
    return inboxEntry({ conversation, contactName }, { unreadCount, active, accepted, follow })
  })
  return { __typename: 'InboxSnapshot', entries }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  'inbox.added': 'InboxEntryAdded',
  'inbox.changed': 'InboxEntryChanged',
  'inbox.removed': 'InboxEntryRemoved',
  'rule.notification': 'RuleNotification',
}

function toEvent({ type, data }: StoredEvent): LiveEvent | null {
  const name = TYPE_NAMES[type]
  return name ? { __typename: name, ...data } : null
}
