import type { GuestLine, GuestStretch } from '../../../platform/access/guest-line.js'
import type { Context } from '../../../platform/context.js'
import { reading, type ReadSql } from '../../../platform/db/sql.js'
import { Forbidden, NotFound } from '../../../platform/errors.js'
import { consumerVisibleSql, isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import { isOfMerged, MERGES } from './merged-conversation.js'

/*
 * A guest's access follows its conversation into what it is merged with (4.8). Who merged decided that both contacts are
 * one person, and may have been wrong: of a conversation of another contact the guest sees the copies of its own
 * messages and what is said from then on, never what the other contact said before.
 */

/** Maximum number of attempts if the conversation is merged again during one. */
const TRIES_MAX = 5

/**
 * Finds the conversation into which a guest's conversation was merged, and lets the request see it. One indexed
 * statement: call it if the requested conversation is archived, or not the guest's own.
 * @returns the conversation that replaces `id`; null if `id` was never the guest's
 */
export async function followGuest(ctx: Context, id: string): Promise<string | null> {
  const guest = ctx.guestCaller
  if (!guest?.conversation) return null
  const rows = await ctx.reads.query<{ id: string; isThere: boolean; contact: string | null; since: Date | null }>(
    LINE,
    [guest.conversation],
    'guest-line',
  )
  const last = rows.at(-1)
  if (!last?.isThere || rows[0]!.contact !== guest.contact) return null
  const stretches = rows.map((row): GuestStretch => {
    return { conversation: row.id, since: row.contact === guest.contact ? null : row.since }
  })
  const conversations = rows.map((row) => row.id)
  ctx.guestLine = { current: last.id, conversations, stretches: last.contact === guest.contact ? null : stretches }
  return conversations.includes(id.toLowerCase()) ? last.id : null
}

/** Includes deleted conversations in between. */
const LINE = `
with recursive ${MERGES}
select l.id, c.id is not null as "isThere", c.contact_id as contact, l.since
from line l left join conversation c on c.id = l.id order by l.step`

/** Runs a guest's operation in the requested conversation, or in the one into which it has been merged. */
export async function inGuestsConversation<T>(ctx: Context, id: string, run: (id: string) => Promise<T>): Promise<T> {
  let named = id
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(named)
    } catch (error) {
      const known = ctx.guestLine?.current
      const isGone = error instanceof NotFound || isOfMerged(error)
      const target = isGone && tries < TRIES_MAX ? await followGuest(ctx, named) : null
      if (target === null || (target === named.toLowerCase() && target === known)) throw error
      named = target
    }
  }
}

/** A guest is refused if its contact is blocked, even in another contact's conversation. @throws Forbidden */
export async function requireUnblockedGuest(
  { guestCaller, guestLine }: Context,
  { sql }: { sql: ReadSql },
): Promise<void> {
  if (!guestCaller || !guestLine?.stretches) return
  const blocked = await sql.query(reading(`select 1 from contact where id = $1 and status = 'blocked'`), [
    guestCaller.contact,
  ])
  if (blocked.length > 0) throw new Forbidden('the contact is blocked', { reason: 'CONTACT_BLOCKED' })
}

/** Returns the SQL condition for messages of these conversations that the caller may see. */
export async function visibleMessagesSql(
  ctx: Context,
  conversations: readonly string[],
  alias: string,
  values: unknown[],
): Promise<string> {
  const guest = ctx.guestCaller
  if (!guest) return ctx.seesAsConsumer ? consumerVisibleSql(alias) : 'true'
  const isOwn = conversations.every((id) => id === guest.conversation)
  if (isOwn || guest.conversation === null) return consumerVisibleSql(alias)
  if (!ctx.guestLine) await followGuest(ctx, guest.conversation)
  return ctx.guestLine ? guestMessagesSql(ctx.guestLine, alias, values) : 'false'
}

/**
 * Returns the condition of {@link visibleMessagesSql} for a known line. @param line null for the guest's own
 * conversation
 */
export function guestMessagesSql(line: GuestLine | null, alias: string, values: unknown[]): string {
  const visible = consumerVisibleSql(alias)
  if (!line?.stretches) return visible
  const conversations = values.push(line.stretches.map(({ conversation }) => conversation))
  const since = values.push(line.stretches.map((stretch) => stretch.since))
  return `(${visible} and exists (
    select 1 from unnest($${conversations}::uuid[], $${since}::timestamptz[]) as s(id, since)
    where s.id = coalesce(${alias}.origin_id, ${alias}.conversation_id)
      and (s.since is null or ${alias}.created_at >= s.since)))`
}

/** Tells whether a guest with this line may see the message. */
export function isVisibleToGuest(
  line: GuestLine | null,
  message: Pick<MessageRow, 'type' | 'role' | 'isBackchannel' | 'conversationId' | 'originId' | 'createdAt'>,
): boolean {
  if (!isConsumerVisible(message)) return false
  if (!line?.stretches) return true
  const saidIn = message.originId ?? message.conversationId
  return line.stretches.some(
    // In events, times are texts.
    ({ conversation, since }) => conversation === saidIn && (since === null || new Date(message.createdAt) >= since),
  )
}

/** Returns the time from which the guest sees everything in the current conversation; null if it sees all of it. */
export function visibleSince(line: GuestLine | null): Date | null {
  return line?.stretches?.at(-1)?.since ?? null
}
