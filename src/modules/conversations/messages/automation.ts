import { reading } from '../../../platform/db/sql.js'
import { Unprocessable } from '../../../platform/errors.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { disclosureIn, type Disclosure } from '../../users/disclosure.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'

/** Answers of automations to each other, after which the next is refused: no person takes part any more. */
const DEPTH_MAX = 5

/**
 * Returns how many automations answered each other up to this message: one more than the event that it answers.
 * @throws Unprocessable `TOO_DEEP`
 */
export function depthOf({ depth }: NewMessage): number | null {
  if (depth === null) return null
  if (depth + 1 < DEPTH_MAX) return depth + 1
  throw new Unprocessable(
    `depth: ${depth + 1} automations have answered each other, and the next is refused until a person writes`,
    { reason: 'TOO_DEEP', field: 'depth' },
  )
}

/**
 * Returns the words that open a bot's first message to the consumer in a case: that it is one. They are kept with the message,
 * beside its text, and reach every touchpoint with it.
 */
export async function disclosureFor(change: ConversationChange, bot: Member): Promise<string | null> {
  const { conversation, shared, sql } = change
  const read = async (): Promise<Disclosure | null> => {
    const rows = await sql.query<{ disclosure: Disclosure | null }>(DISCLOSURE, [bot.userId], 'disclosure-of-bot')
    return rows[0]?.disclosure ?? null
  }
  const disclosure = await shared.once(`disclosure of ${bot.userId}`, read)
  if (!disclosure || (await hasDisclosed(change, bot.userId))) return null
  return disclosureIn(disclosure, conversation.language)
}

async function hasDisclosed(change: ConversationChange, bot: string): Promise<boolean> {
  const { conversation, messages, sql } = change
  const isIts = ({ userId, disclosure }: MessageRow): boolean => userId === bot && disclosure != null
  if (messages.some(isIts)) return true
  if (change.isNew || change.opensCase) return false
  const rows = await sql.query(DISCLOSED, [conversation.id, bot, conversation.caseAt], 'bot-disclosed')
  return rows.length > 0
}

const DISCLOSURE = reading('select disclosure from app_user where id = $1')

/** Reads whether the bot has said so in the current case; in the whole conversation, before its first. */
const DISCLOSED = reading(`select 1 from message where conversation_id = $1 and user_id = $2 and disclosure is not null
  and ($3::timestamptz is null or created_at >= $3) limit 1`)
