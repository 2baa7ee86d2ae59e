import type { Context } from '../../../platform/context.js'
import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import { connectionType, OrderDirection, type ConnectionArgs, type Page } from '../../../platform/lists/connection.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { listPage, type ListDefinition } from '../../../platform/lists/list-page.js'
import {
  inboxEntry,
  queueEntry,
  SHOWN_COLUMNS,
  SHOWN_OF_PARTICIPANT,
  type ShownConversation,
  type ShownParticipant,
} from '../state/change-events.js'
import { lastMessageSlot } from '../api/last-message-slot.js'
import { inboxRow, queueRow } from './entry-ids.js'
import { InboxEntry } from './inbox-events.js'
import { QueueEntry } from './queue-events.js'

export const QueueEntryConnection = connectionType('QueueEntry', () => QueueEntry)
export const InboxEntryConnection = connectionType('InboxEntry', () => InboxEntry)

const SHOWN = `${SHOWN_COLUMNS}, c.org1, c.org2, c.org3, ct.profile ->> 'name' as contact_name`

/** Queued conversations, one entry for each channel that shows them: the longest waiting first. */
const queueList: ListDefinition = {
  table: `(select ${SHOWN}, c.channels, c.channels_offline, q.channel
    from conversation c left join contact ct on ct.id = c.contact_id
    cross join lateral (select distinct unnest(c.channels || c.channels_offline) as channel) q where ${isWaitingSql('c')})`,
  fields: {
    id: { kind: 'id', sql: 't.id', sortable: true },
    channel: { kind: 'id', sql: 't.channel', sortable: true },
    queuedAt: { kind: 'time', sql: 't.queued_at', sortable: true },
    nextDue: { kind: 'time', sql: 't.next_due', sortable: true },
  },
  defaultOrder: [
    { field: 'queuedAt', direction: OrderDirection.ASC },
    { field: 'id', direction: OrderDirection.ASC },
    { field: 'channel', direction: OrderDirection.ASC },
  ],
}

/** The same for few rows: the order of an expression cannot be read from an index, so that they are found and sorted. */
const shortQueueList: ListDefinition = {
  ...queueList,
  fields: { ...queueList.fields, queuedAt: { kind: 'time', sql: `(t.queued_at + interval '0')`, sortable: true } },
}

/** Queues with more than this are read in their order. */
const SHORT_QUEUE_MAX = 1_000

const WAITING = `
select count(*)::int as count from (
  select from conversation c
  where ${isWaitingSql('c')} and (c.channels && $1::uuid[] or c.channels_offline && $1::uuid[]) limit $2) found`

export const QueueOrderEnum = graphqlEnum('QueueOrder', 'Order in which a queue is listed.', {
  LONGEST_WAITING: ['queuedAt', 'The longest waiting first.'],
  NEXT_DUE: ['nextDue', 'By what is due next; conversations without a clock come last.'],
})
export type QueueOrder = (typeof QueueOrderEnum)[keyof typeof QueueOrderEnum]
const BY_NEXT_DUE = ['nextDue', 'id', 'channel'].map((field) => ({ field, direction: OrderDirection.ASC }))

/** Conversations in users' inboxes, latest news first. */
const inboxList: ListDefinition = {
  table: `(select ${SHOWN}, p.user_id, p.inbox_slot, ${SHOWN_OF_PARTICIPANT}
    from participant p join conversation c on c.id = p.conversation_id left join contact ct on ct.id = c.contact_id
    where p.inbox)`,
  fields: {
    id: { kind: 'id', sql: 't.id', sortable: true },
    lastMessageAt: { kind: 'time', sql: 't.last_message_at', sortable: true, slot: lastMessageSlot('t.inbox_slot') },
  },
  defaultOrder: [{ field: 'lastMessageAt', direction: OrderDirection.DESC }],
}

type ShownRow = ShownConversation & { contactName: string | null }
type QueueRow = ShownRow & { channel: string }
type InboxRow = ShownRow & ShownParticipant

/** Returns a page of the queues of channels that the caller may watch. */
export async function listQueue(
  ctx: Context,
  args: ConnectionArgs,
  channels: readonly string[],
  order: QueueOrder | null,
): Promise<Page<object>> {
  const restrict = (values: unknown[]): string => {
    const wanted = `$${values.push(channels)}::uuid[]`
    // An organization below the first level as well reads them in their order.
    const tenant = `t.org1 = $${values.push(ctx.caller.path[0])}`
    return `${tenant} and (t.channels && ${wanted} or t.channels_offline && ${wanted}) and t.channel = any(${wanted})`
  }
  // PostgreSQL does not know how many wait in these channels, and is a hundred times slower when it guesses wrong.
  const [waiting] = await ctx.reads.query<{ count: number }>(WAITING, [channels, SHORT_QUEUE_MAX + 1], 'waiting-in')
  const list = waiting!.count > SHORT_QUEUE_MAX ? queueList : shortQueueList
  const orderBy = order === 'nextDue' ? BY_NEXT_DUE : null
  const page = await listPage<QueueRow>(ctx, list, { args, restrict, orderBy })
  return shownAs(page, ({ contactName, channel, ...conversation }) =>
    queueRow({ ...queueEntry({ conversation, contactName }), channel }),
  )
}

/** Returns a page of the caller's inbox. */
export async function listInbox(ctx: Context, args: ConnectionArgs): Promise<Page<object>> {
  const { user } = ctx.userCaller
  const restrict = (values: unknown[]): string => `t.user_id = $${values.push(user)}`
  const page = await listPage<InboxRow>(ctx, inboxList, { args, restrict })
  return shownAs(page, ({ contactName, ...row }) => inboxRow(inboxEntry({ conversation: row, contactName }, row)))
}

function shownAs<Row>({ edges, pageInfo, totalCount }: Page<Row>, show: (row: Row) => object): Page<object> {
  return { edges: edges.map(({ cursor, node }) => ({ cursor, node: show(node) })), pageInfo, totalCount }
}
