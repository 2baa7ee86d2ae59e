import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import { reading } from '../../../platform/db/sql.js'
import { isMarkOf, markOf, type Mark } from '../../messages/mark.js'
import { isToConsumer } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationStatus } from '../state/conversation-enums.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import { QUIET_COMMANDS, turnOfOthers } from '../state/turn.js'

/** A message of somebody else that the author of a held message has not seen. */
export interface News {
  id: string
  position: number
  kind: NewsKind
}

export type NewsKind = 'consumer' | 'answer' | 'note' | 'command' | 'system'

/** Reason for which a message is held: news to read before deciding again. */
export interface HeldBecause {
  /** The mark of the present state. */
  mark: string
  status: ConversationStatus
  /** At most 50, in order. Empty if only the status, who has accepted, or earlier messages changed. */
  news: News[]
}

/** Others have done something since the mark: nothing was written. */
export class MovedOn extends Unprocessable {
  constructor(
    field: string,
    readonly because: HeldBecause,
  ) {
    super(`${field}: others have written or done something in the conversation since; read the news and decide again`, {
      reason: 'MOVED_ON',
      field,
      ...because,
    })
  }
}

/**
 * Checks that the author of a message has seen what others have done. Needs the conversation's lock: nothing comes in between.
 * @param authors the sender, and the user on whose behalf it sends: what they did themselves is no news
 * @throws MovedOn; BadUserInput for a mark of another conversation, or of a state that has never been
 */
export async function requireSeen(
  change: ConversationChange,
  mark: Mark | null,
  authors: readonly (string | null | undefined)[],
): Promise<void> {
  if (!mark) return
  requirePossible(change, mark)
  const because = await newsSince(change, mark, authors)
  if (because) throw new MovedOn(mark.field, because)
}

/**
 * The same for a delayed message when it is due: its conversation may have been merged meanwhile.
 * @returns why it is held; null if it is not
 */
export async function heldNow(
  change: ConversationChange,
  mark: Mark | null,
  authors: readonly (string | null | undefined)[],
): Promise<HeldBecause | null> {
  if (!mark) return null
  const { conversation } = change
  return newsSince(change, isMarkOf(mark, conversation.id) ? mark : { ...mark, position: 0, turn: 0 }, authors)
}

function requirePossible({ conversation, earlier }: ConversationChange, mark: Mark): void {
  const { field } = mark
  if (!earlier) throw new BadUserInput(field, `${field} must be absent: a new conversation has no mark`)
  if (!isMarkOf(mark, conversation.id)) throw new BadUserInput(field, `${field} is the mark of another conversation`)
  if (mark.position > earlier.messageCount || mark.turn > earlier.turn)
    throw new BadUserInput(field, `${field} is the mark of a state that the conversation has not had yet`)
}

async function newsSince(
  { sql, conversation, earlier }: ConversationChange,
  { position, turn }: Mark,
  authors: readonly (string | null | undefined)[],
): Promise<HeldBecause | null> {
  // As it was before the operation: what the request itself adds is no news.
  const now: Readonly<ConversationState> = earlier ?? conversation
  const users = authors.filter((user) => typeof user === 'string')
  const isTurned = turnOfOthers(now, users) > turn
  if (!isTurned && position >= now.messageCount) return null
  const rows = await sql.query<NewsRow>(NEWS, [now.id, position, now.messageCount, users, NEWS_MAX], 'news-since')
  if (!isTurned && rows.length === 0) return null
  const news = rows.map((row) => ({ id: row.id, position: row.position, kind: kindOf(row) }))
  return { mark: markOf(now)!, status: now.status, news }
}

const NEWS_MAX = 50

/** Includes what is sent as the consumer, which is news to everybody, whoever passes it on. */
const NEWS = reading(`
select id, position, type, role, is_backchannel as "isBackchannel" from message m
where conversation_id = $1 and position > $2 and position <= $3
  and (role = 'contact' or user_id is null or user_id <> all($4::uuid[]))
  and not (type = 'command' and text ~ '^/(${QUIET_COMMANDS.join('|')})\\M')
order by position limit $5`)

type NewsRow = Pick<MessageRow, 'id' | 'position' | 'type' | 'role' | 'isBackchannel'>

function kindOf(news: NewsRow): NewsKind {
  const { type, role } = news
  if (type === 'command') return 'command'
  if (role === 'system') return 'system'
  if (role === 'contact') return 'consumer'
  return isToConsumer(news) ? 'answer' : 'note'
}
