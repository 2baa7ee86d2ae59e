import { isDeepStrictEqual } from 'node:util'
import { reading } from '../../../platform/db/sql.js'
import type { JsonObject } from '../../../platform/json.js'
import { BOT_CONSECUTIVE_WINDOW_MS, BOT_IDENTICAL_WINDOW_MS, checkBotLimits } from '../../messages/bot-limits.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'

interface History {
  /** Number of messages within the longer window, among those read. */
  seen: number
  identical: number
  oldestIdentical: Date | null
  consecutive: number
  oldestConsecutive: Date | null
  /** Those of the users of earlier messages of the request that are bots. */
  bots: string[]
}

/** Read first: more messages within an hour are rare, and a conversation may have thousands of older ones. */
const HISTORY_FIRST = 100
/** No bot can send more within the windows, because of the request rate limit. */
const HISTORY_MAX = 2_000

/**
 * Applies section 8's limits to one more message of a bot. The count is exact: the conversation's lock orders all
 * senders, and earlier messages of the same request are included. Commands do not count; messages of a create do not
 * count as consecutive. Needs the conversation's row lock. @throws RateLimited
 */
export async function checkBotHistory(
  change: ConversationChange,
  { bot, newMessage, isInCreate }: { bot: string; newMessage: NewMessage; isInCreate: boolean },
): Promise<void> {
  const stored = change.isNew ? NOTHING : await readHistory(change, bot, newMessage)
  const messages = change.messages.filter(({ type, role }) => type !== 'command' && role !== 'system')
  const reset = messages.findLastIndex((message) => isReset(message, stored.bots))
  const own = messages.filter((message) => isOf(message, bot))
  const since = messages.slice(reset + 1).filter((message) => isOf(message, bot) && !message.isDelayedOfCreate)
  const hasIdentical = own.filter((message) => isSame(message, newMessage))
  const before = reset < 0 ? stored : { ...stored, consecutive: 0, oldestConsecutive: null }
  checkBotLimits({
    now: change.now,
    identicalInWindow: stored.identical + hasIdentical.length,
    oldestIdenticalAt: stored.oldestIdentical ?? hasIdentical[0]?.createdAt ?? null,
    consecutiveInHour: isInCreate ? 0 : before.consecutive + since.length,
    oldestConsecutiveAt: before.oldestConsecutive ?? since[0]?.createdAt ?? null,
  })
}

type Said = Pick<MessageRow, 'role' | 'userId'>

/**
 * Tells whether the message is a reply by a person: the consumer or an agent. Another bot's answer is none, or two bots that
 * answer each other would never stop.
 */
function isReset({ role, userId }: Said, bots: readonly string[]): boolean {
  return role === 'contact' || (role === 'agent' && userId !== null && !bots.includes(userId))
}

function isOf({ role, userId }: Said, bot: string): boolean {
  return userId === bot && role !== 'contact'
}

/**
 * Tells whether the content is equal, including the metadata: it may hold a card's title, a mention's target or a
 * form's id.
 */
function isSame(message: MessageRow, { type, text, actions, items, meta }: NewMessage): boolean {
  return (
    message.type === type &&
    message.text === text &&
    isDeepStrictEqual(message.actions ?? [], actions) &&
    isDeepStrictEqual(message.items ?? [], items) &&
    isDeepStrictEqual(metaAsSent(message.meta ?? {}), metaAsSent(meta))
  )
}

/** Removes the mention's name, which is set when the message is sent. */
function metaAsSent({ targetName: _set, ...meta }: JsonObject): JsonObject {
  return meta
}

const NOTHING: History = {
  seen: 0,
  identical: 0,
  oldestIdentical: null,
  consecutive: 0,
  oldestConsecutive: null,
  bots: [],
}

async function readHistory(change: ConversationChange, bot: string, newMessage: NewMessage): Promise<History> {
  const history = await readLatest(change, bot, newMessage, HISTORY_FIRST)
  return history.seen < HISTORY_FIRST ? history : readLatest(change, bot, newMessage, HISTORY_MAX)
}

async function readLatest(
  { sql, conversation, now, messages }: ConversationChange,
  bot: string,
  newMessage: NewMessage,
  limit: number,
): Promise<History> {
  const [history] = await sql.query<History>(
    HISTORY,
    [
      conversation.id,
      bot,
      new Date(now.getTime() - BOT_CONSECUTIVE_WINDOW_MS),
      new Date(now.getTime() - BOT_IDENTICAL_WINDOW_MS),
      conversation.createdAt,
      newMessage.type,
      newMessage.text,
      JSON.stringify(newMessage.actions),
      JSON.stringify(newMessage.items),
      limit,
      JSON.stringify(metaAsSent(newMessage.meta)),
      [...new Set(messages.flatMap(({ userId }) => userId ?? []))],
    ],
    'bot-history',
  )
  return history!
}

/** Messages of a create have the conversation's creation time, or are marked. */
const HISTORY = reading(`
with latest as materialized (
  select position, role, type, user_id, created_at as at, is_delayed_of_create as of_create,
    type = $6 and text is not distinct from $7
      and coalesce(actions, '[]') = $8::jsonb and coalesce(items, '[]') = $9::jsonb
      and coalesce(meta, '{}') - 'targetName' = $11::jsonb as same
  from (select * from message where conversation_id = $1 order by position desc limit $10) newest
  where created_at > $3
), said as (
  select * from latest where type <> 'command' and role <> 'system'
), reset as (
  select coalesce(max(position), 0) as at from said
  where role = 'contact' or (role = 'agent' and not exists (
    select 1 from app_user u where u.id = said.user_id and u.role = 'bot'))
), own as (
  select said.at, said.same and said.at > $4 as identical,
    said.position > reset.at and said.at > $5 and said.of_create is not true as consecutive
  from said, reset where user_id = $2 and role <> 'contact'
)
select (select count(*)::int from latest) as "seen",
  count(*) filter (where identical)::int as "identical", min(at) filter (where identical) as "oldestIdentical",
  count(*) filter (where consecutive)::int as "consecutive", min(at) filter (where consecutive) as "oldestConsecutive",
  array(select id::text from app_user where id = any($12::uuid[]) and role = 'bot') as "bots"
from own`)
