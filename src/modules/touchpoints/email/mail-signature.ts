import { textOfHtml } from '../../../platform/content/html-text.js'
import { signatureOf } from '../../../platform/signature.js'
import { reading, type ReadSql } from '../../../platform/db/sql.js'
import type { OutgoingMessage } from '../adapter.js'
import { bodyInWords } from '../plain-text.js'

/**
 * Returns the signatures of a person's answers by mail, by conversation, where it is not the service's: that of the first channel of the
 * case that has one, else the person's own. Null for a bot, and for a user who is gone.
 */
export async function readSignatures(
  sql: ReadSql,
  { conversations, user }: { conversations: readonly string[]; user: string },
): Promise<Map<string, string> | null> {
  const rows = await sql.query<{ id: string | null; html: string | null }>(
    SIGNATURES,
    [conversations, user],
    'signatures-of-mail',
  )
  if (rows.length === 0) return null
  return new Map(rows.flatMap(({ id, html }) => (id !== null && html !== null ? [[id, html] as const] : [])))
}

/** Returns what is added below the text of a mail; null for what no person wrote, for notes, and where it ends the text already. */
export async function signatureFor(
  sql: ReadSql,
  { conversation, message, senderName, service }: Omit<OutgoingMessage, 'attempt' | 'signal'>,
): Promise<string | null> {
  const { isAutomated, isBackchannel, role, userId } = message
  if (role !== 'agent' || isBackchannel || isAutomated || userId === null) return null
  const found = await readSignatures(sql, { conversations: [conversation.id], user: userId })
  const ofService = service.params.signature
  const html = found && (found.get(conversation.id) ?? (typeof ofService === 'string' ? ofService : null))
  if (html === null) return null
  const signature = signatureOf(html, senderName ?? '')
  return endsWith(bodyInWords(message), textOfHtml(signature)) ? null : signature
}

/** Tells whether what a person wrote ends with a signature, above what is quoted; said elsewhere, its words are no signature. */
function endsWith(text: string | null, signature: string): boolean {
  const wanted = linesOf(signature)
  const lines = linesOf(text ?? '')
  const quoteAt = lines.findIndex((line) => line.startsWith('>'))
  const own = quoteAt === -1 ? lines : lines.slice(0, quoteAt)
  // "On Monday Erna wrote:"
  if (quoteAt > 0 && own.at(-1)!.endsWith(':')) own.pop()
  return wanted.length > 0 && own.slice(-wanted.length).join('\n') === wanted.join('\n')
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')

const SIGNATURES = reading(`
select c.id, coalesce((
    select ch.signature from channel ch where ch.id = any(c.case_channels) and ch.signature is not null
    order by array_position(c.case_channels, ch.id) limit 1), u.settings ->> 'signature') as html
from app_user u left join conversation c on c.id = any($1::uuid[]) where u.id = $2 and u.role <> 'bot'`)
