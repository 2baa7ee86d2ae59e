import type { Context, LoaderDefinition } from '../../../platform/context.js'
import type { ConnectionArgs, Page } from '../../../platform/lists/connection.js'
import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import { PAGE_DEFAULT, PAGE_MAX } from '../../../platform/lists/list-page.js'
import type { MessageRow } from '../../messages/message-row.js'
import { messageOfRow } from './conversation.js'
import { visibleMessagesSql } from '../state/guest-line.js'

/** The requested page of a conversation's messages; bounds are message positions. */
interface PageRequest {
  limit: number
  isBackward: boolean
  after: number | null
  before: number | null
  offset: number
}

/**
 * Returns the loader of pages of messages. Fields that request the same page of many conversations share one statement,
 * so that a list of conversations with their last messages takes a constant number of statements.
 */
export async function conversationMessagesLoader(
  ctx: Context,
  conversation: string,
  args: ConnectionArgs,
): Promise<Page<MessageRow>> {
  const request = readPage(args)
  const rows = (await ctx.loader(pagesLoader).load(JSON.stringify([conversation, request]))) ?? []
  const hasMore = rows.length > request.limit
  const page = rows.slice(0, request.limit)
  if (request.isBackward) page.reverse()
  const edges = page.map((node) => ({ cursor: messageCursor(node.position), node }))
  return {
    edges,
    pageInfo: {
      hasNextPage: request.isBackward ? request.before !== null : hasMore,
      hasPreviousPage: request.isBackward ? hasMore : request.after !== null || request.offset > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: async () => (await ctx.loader(countLoader).load(conversation)) ?? 0,
  }
}

function readPage({ first, last, after, before, offset }: ConnectionArgs): PageRequest {
  if (first != null && last != null) throw new BadUserInput('last', 'give first or last, not both')
  const field = last != null ? 'last' : 'first'
  const limit = last ?? first ?? PAGE_DEFAULT
  if (limit < 1 || limit > PAGE_MAX) throw new BadUserInput(field, `${field} ${limit} is not from 1 to ${PAGE_MAX}`)
  if (offset != null && (offset < 0 || offset > 1_000_000)) {
    throw new BadUserInput('offset', `offset ${offset} is not from 0 to 1000000`)
  }
  return {
    limit,
    isBackward: last != null,
    after: readCursor(after, 'after'),
    before: readCursor(before, 'before'),
    offset: offset ?? 0,
  }
}

const pagesLoader: LoaderDefinition<MessageRow[]> = {
  async load(ctx, keys) {
    const found = new Map<string, MessageRow[]>(keys.map((key) => [key, []]))
    const byRequest = Map.groupBy(keys, (key) => JSON.stringify((JSON.parse(key) as [string, PageRequest])[1]))
    for (const [text, group] of byRequest) {
      const request = JSON.parse(text) as PageRequest
      const conversations = group.map((key) => (JSON.parse(key) as [string, PageRequest])[0])
      for (const row of await readPages(ctx, conversations, request)) {
        found.get(JSON.stringify([row.conversationId, request]))?.push(row)
      }
    }
    return found
  },
}

async function readPages(ctx: Context, conversations: string[], request: PageRequest): Promise<MessageRow[]> {
  const { limit, isBackward, after, before, offset } = request
  const values: unknown[] = [conversations, after ?? 0, before ?? 2_147_483_647, limit + 1, offset]
  const visible = await visibleMessagesSql(ctx, conversations, 'm', values)
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select page.* from unnest($1::uuid[]) as c(id) cross join lateral (
       select m.* from message m where m.conversation_id = c.id and m.position > $2 and m.position < $3 and ${visible}
       order by m.position ${isBackward ? 'desc' : 'asc'} limit $4 offset $5) page`,
    values,
  )
  return rows.map((row) => messageOfRow(ctx, row))
}

/** Maximum number of ids in a conversation's `messageIds`. */
export const MESSAGE_IDS_MAX = 100

/** Ids of the newest messages that the caller may see, oldest first, by conversation. */
export const messageIdsLoader: LoaderDefinition<string[]> = {
  async load(ctx, conversations) {
    const values: unknown[] = [conversations]
    const visible = await visibleMessagesSql(ctx, conversations, 'm', values)
    const rows = await ctx.reads.query<{ id: string; messages: string[] }>(
      `select c.id, array(select m.id::text from message m where m.conversation_id = c.id and ${visible}
         order by m.position desc limit ${MESSAGE_IDS_MAX}) as messages
       from unnest($1::uuid[]) as c(id)`,
      values,
    )
    return new Map(rows.map(({ id, messages }) => [id, messages.toReversed()]))
  },
}

const countLoader: LoaderDefinition<number> = {
  async load(ctx, conversations) {
    const values: unknown[] = [conversations]
    const visible = await visibleMessagesSql(ctx, conversations, 'm', values)
    const rows = await ctx.reads.query<{ id: string; count: number }>(
      `select m.conversation_id as id, count(*) as count from message m
       where m.conversation_id = any($1::uuid[]) and ${visible} group by m.conversation_id`,
      values,
    )
    return new Map(rows.map(({ id, count }) => [id, count]))
  },
}

/** Returns a message's cursor in `Conversation.messages`. */
export function messageCursor(position: number): string {
  return Buffer.from(String(position)).toString('base64url')
}

function readCursor(cursor: string | null | undefined, field: string): number | null {
  if (cursor == null) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,9}$/.test(text))
    throw new BadUserInput(field, `${field} ${quoteValue(cursor)} is not a cursor of this list`)
  return Number(text)
}
