import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { attachmentKeyOf, messageAttachmentLoader } from '../attachments/message-attachment.js'
import { visibleMessagesSql } from '../conversations/state/guest-line.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import { consumerVisibleSql, type MessageRow } from '../messages/message-row.js'
import type { Context } from '../../platform/context.js'
import { reading } from '../../platform/db/sql.js'
import { camelRow } from '../../platform/lists/rows.js'
import { timezoneOf } from '../reports/day-of-organization.js'
import { disclosed } from '../touchpoints/disclosed.js'
import { plainText } from '../touchpoints/plain-text.js'
import { userProfileLoader } from '../users/user-profile.js'
import { transcriptWords } from './transcript-words.js'

const MESSAGES_MAX = 1_000
const CHARS_MAX = 200_000

export interface TranscriptText {
  subject: string
  text: string
  /** Messages that it has. */
  messageCount: number
  /** True if earlier messages are left out. */
  isShortened: boolean
}

/**
 * Writes what the consumer sees of a conversation as plain text, newest 1,000 messages at most: no notes, no commands. A
 * guest gets what it sees itself, also after a merge (4.8).
 */
export async function transcriptText(
  ctx: Context,
  change: WritingChange,
  { links, organization }: { links: AttachmentLinks; organization: string },
): Promise<TranscriptText> {
  const { conversation, aggregate, sql } = change
  const words = transcriptWords(conversation.language)
  const values: unknown[] = [conversation.id, MESSAGES_MAX + 1]
  const visible = ctx.guestCaller
    ? await visibleMessagesSql(ctx, [conversation.id], 'm', values)
    : consumerVisibleSql('m')
  const rows = await sql.query<Record<string, unknown>>(
    reading(`select m.* from message m where m.conversation_id = $1 and ${visible} order by m.position desc limit $2`),
    values,
  )
  const timezone = await timezoneOf(sql, conversation.org1)
  const format = new Intl.DateTimeFormat(words.language === 'en' ? 'en-GB' : words.language, {
    ...{ dateStyle: 'short', timeStyle: 'short', timeZone: timezone },
  })
  const system = ctx.system()
  const consumer = aggregate.contactName ?? words.you
  const turnOf = async (message: MessageRow): Promise<string | null> => {
    const { role, userId, isAutomated, createdAt } = message
    const clicked = message.type === 'postback' ? message.actions?.[0] : undefined
    // 2.10: a reply is said, a postback is not.
    if (clicked?.type === 'postback') return null
    const key = attachmentKeyOf(message)
    const [attachment, user] = await Promise.all([
      key === null ? null : system.loader(messageAttachmentLoader).load(key),
      userId === null ? null : system.loader(userProfileLoader).load(userId),
    ])
    const link = attachment ? links.urlOf(attachment.id, attachment.fileName) : null
    const text = clicked?.text ?? plainText(disclosed(message), link)
    if (text === '') return null
    const agent = user?.displayName ?? organization
    const name = role === 'contact' ? consumer : isAutomated ? `${agent} (${words.automated})` : agent
    return `${format.format(createdAt)}  ${name}\n${text}`
  }
  // At once, so that what they name is read once for all.
  const turns = await Promise.all(rows.slice(0, MESSAGES_MAX).map((row) => turnOf(camelRow<MessageRow>(row))))
  const said: string[] = []
  let chars = 0
  let isShortened = rows.length > MESSAGES_MAX
  for (const turn of turns) {
    if (turn === null) continue
    chars += turn.length
    isShortened ||= chars > CHARS_MAX
    if (chars > CHARS_MAX) break
    said.push(turn)
  }
  const head = [words.zone(timezone), ...(isShortened ? [words.shortened] : [])]
  return {
    subject: words.subject(organization),
    text: `${[head.join('\n'), ...said.reverse()].join('\n\n')}\n`,
    messageCount: said.length,
    isShortened,
  }
}
