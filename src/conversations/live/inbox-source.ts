import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import type { Sql } from '../../db/database.js'
import { isOnPath, tenantSql, type TenantScope } from '../../db/tenancy.js'
import { userStream, type StoredEvent } from '../../events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../events/live-feed.js'
import type { JsonObject } from '../../json.js'
import { camelRow } from '../../lists/rows.js'
import { inboxEntry, SHOWN_COLUMNS, type ShownConversation } from '../writing/change-events.js'
import type { OwnListEvents } from '../writing/conversation-event-types.js'
import type { ParticipantState } from '../writing/conversation-state.js'
import { inboxRow } from './entry-ids.js'
import { readPageSize } from './page-size.js'

/** One of the lists that a user's stream tells of. */
interface OwnList {
  field: string
  snapshotName: string
  /** Of the parts behind the first, where a snapshot is sent in pages. */
  pageName: string
  /** Which participations `p` of conversations `c` are in it. */
  where: string
  /** GraphQL types of what it shows; null for what is another list's. */
  eventNames: Readonly<Record<keyof OwnListEvents, string | null>>
}

/** What was assigned to the user, has news or mentions it, and what rules told it (section 6). */
const INBOX: OwnList = {
  field: 'inbox',
  snapshotName: 'InboxSnapshot',
  pageName: 'InboxSnapshotPage',
  where: 'p.inbox',
  eventNames: {
    'inbox.added': 'InboxEntryAdded',
    'inbox.changed': 'InboxEntryChanged',
    'inbox.removed': 'InboxEntryRemoved',
    'mine.added': null,
    'mine.changed': null,
    'mine.removed': null,
    'rule.notification': 'RuleNotification',
    'draft.changed': 'DraftChanged',
  },
}

/** What the user has accepted and not left: accepting takes it out of the inbox (3.2). */
const MINE: OwnList = {
  field: 'myConversations',
  snapshotName: 'MyConversationsSnapshot',
  pageName: 'MyConversationsSnapshotPage',
  where: `p.accepted and c.status = 'active'`,
  eventNames: {
    'inbox.added': null,
    'inbox.changed': null,
    'inbox.removed': null,
    'mine.added': 'MyConversationAdded',
    'mine.changed': 'MyConversationChanged',
    'mine.removed': 'MyConversationRemoved',
    'rule.notification': null,
    'draft.changed': null,
  },
}

/** `inbox` and `myConversations`: the caller's own. */
class OwnListSource implements LiveSource {
  constructor(private readonly list: OwnList) {}

  get field(): string {
    return this.list.field
  }

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('inbox.watch')
    const size = readPageSize(args)
    const { user } = ctx.userCaller
    const { list } = this
    return {
      streams: [userStream(user)],
      // Another organization's events are another's to hear, whoever is the user.
      audience: `user:${user}:${ctx.caller.organization}`,
      ...(size !== null && { pages: { size, __typename: list.pageName } }),
      snapshot: (sql) => readEntries(sql, ctx.tenant, user, list),
      toEvent: (event) => toEvent(event, ctx.tenant, list),
      isStillAllowed: async (now) => isAllowed(now.caller, 'inbox.watch'),
    }
  }
}

export class InboxSource extends OwnListSource {
  constructor() {
    super(INBOX)
  }
}

export class MyConversationsSource extends OwnListSource {
  constructor() {
    super(MINE)
  }
}

type EntryRow = ShownConversation &
  Pick<ParticipantState, 'unreadCount' | 'active' | 'accepted' | 'follow'> & { contactName: string | null }

async function readEntries(sql: Sql, scope: TenantScope, user: string, list: OwnList): Promise<LiveEvent> {
  const values: unknown[] = [user]
  const tenant = tenantSql(scope, 'c', values)
  const rows = await sql.query<Record<string, unknown>>(
    `select ${SHOWN_COLUMNS}, ct.profile ->> 'name' as contact_name, p.unread_count, p.active, p.accepted, p.follow
     from participant p join conversation c on c.id = p.conversation_id left join contact ct on ct.id = c.contact_id
     where p.user_id = $1 and ${list.where} and ${tenant} order by c.last_message_at desc nulls last, c.id`,
    values,
  )
  const entries = rows.map((row) => {
    const { contactName, unreadCount, active, accepted, follow, ...conversation } = camelRow<EntryRow>(row)
    return inboxRow(inboxEntry({ conversation, contactName }, { unreadCount, active, accepted, follow }))
  })
  return { __typename: list.snapshotName, entries }
}

/**
 * Checks reach once more: the user may have been moved since, or at that moment. What an older version of this server
 * wrote has no path. That an entry is gone holds its id alone, which the user's screen knows.
 */
function toEvent({ type, data }: StoredEvent, scope: TenantScope, { eventNames }: OwnList): LiveEvent | null {
  const name = isOwnListEvent(type) ? eventNames[type] : null
  if (!name) return null
  const { path, entry, ...shown } = data
  if (Array.isArray(path) && !isOnPath(scope, path as string[])) return null
  return {
    __typename: name,
    ...shown,
    ...(entry !== undefined && { entry: inboxRow(entry as JsonObject & { conversation: string }) }),
  }
}

const isOwnListEvent = (type: string): type is keyof OwnListEvents => Object.hasOwn(INBOX.eventNames, type)
