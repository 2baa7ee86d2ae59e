import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import type { Sql } from '../../../platform/db/database.js'
import { isOnPath, tenantSql, type TenantScope } from '../../../platform/db/tenancy.js'
import { userStream, type StoredEvent } from '../../../platform/events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../../platform/events/live-feed.js'
import type { JsonObject } from '../../../platform/json.js'
import { camelRow } from '../../../platform/lists/rows.js'
import {
  inboxEntry,
  SHOWN_COLUMNS,
  SHOWN_OF_PARTICIPANT,
  type ShownConversation,
  type ShownParticipant,
} from '../state/change-events.js'
import type { OwnListEvents } from '../state/conversation-event-types.js'
import { inboxRow } from './entry-ids.js'
import { readPageSize } from './page-size.js'

/** A list of conversations whose changes a user's stream carries. */
interface OwnList {
  field: string
  snapshotName: string
  /** GraphQL type of the further pages of a snapshot. */
  pageName: string
  /** SQL condition on participants `p` of conversations `c`. */
  where: string
  /** GraphQL types by event; null for events of the other list. */
  eventNames: Readonly<Record<keyof OwnListEvents, string | null>>
}

/**
 * Conversations that were assigned to the user, have news or mention the user, and notifications by rules (section 6).
 */
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
    'bulk.changed': 'BulkChanged',
    'agent.changed': 'AgentStateChanged',
    'offer.made': 'OfferMade',
    'offer.ended': 'OfferEnded',
  },
}

/** Active conversations that the user has accepted and not left: accepting removes them from the inbox (3.2). */
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
    'bulk.changed': null,
    'agent.changed': null,
    'offer.made': null,
    'offer.ended': null,
  },
}

/** Source of `inbox` and `myConversations`: lists of the caller's own. */
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
      // A user who moves to another organization must not share the events of the former one.
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

type EntryRow = ShownConversation & ShownParticipant & { contactName: string | null }

async function readEntries(sql: Sql, scope: TenantScope, user: string, list: OwnList): Promise<LiveEvent> {
  const values: unknown[] = [user]
  const tenant = tenantSql(scope, 'c', values)
  const rows = await sql.query<Record<string, unknown>>(
    `select ${SHOWN_COLUMNS}, ct.profile ->> 'name' as contact_name, ${SHOWN_OF_PARTICIPANT}
     from participant p join conversation c on c.id = p.conversation_id left join contact ct on ct.id = c.contact_id
     where p.user_id = $1 and ${list.where} and ${tenant} order by c.last_message_at desc nulls last, c.id`,
    values,
  )
  const entries = rows.map((row) => {
    const { contactName, ...entry } = camelRow<EntryRow>(row)
    return inboxRow(inboxEntry({ conversation: entry, contactName }, entry))
  })
  return { __typename: list.snapshotName, entries }
}

/**
 * Converts a stored event; null if it is not for this caller. Checks reach again, since the user may have been moved
 * since the event was written or at the same moment. The removal of an entry has no path: it holds only its id, which the
 * user's screen already has.
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
