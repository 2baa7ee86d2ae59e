import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { parseEmailAddress } from '../contacts/identifiers.js'
import { emptyMessage } from '../conversations/messages/unplaced-message.js'
import { inGuestsConversation, requireUnblockedGuest } from '../conversations/state/guest-line.js'
import { requireUnmerged } from '../conversations/state/merged-conversation.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import type { Context } from '../../platform/context.js'
import { reading } from '../../platform/db/sql.js'
import { BadUserInput, Forbidden, RateLimited, Unprocessable } from '../../platform/errors.js'
import { MAIL_SHARE } from '../../platform/jobs/job.js'
import { TRANSCRIPT_CODE, TRANSCRIPT_MAIL } from './transcript-jobs.js'
import type { TranscriptCodes } from './transcript-codes.js'
import { transcriptText } from './transcript-text.js'

export const PER_DAY = 3
const DAY_MS = 86_400_000
/** A repeat within it is the same request. */
const REPEAT_MS = 60_000
const COMMAND = '/transcript'

export interface TranscriptDependencies {
  writer: ConversationWriter
  links: AttachmentLinks
  codes: TranscriptCodes
  isMailSet: boolean
}

export interface SentTranscript {
  to: string
  messageCount: number
  isShortened: boolean
}

interface Asked {
  conversation: string
  to: string
  code: string | null
}

/**
 * Mails a copy of what the consumer sees of a conversation: to the contact's address if an agent asks, to any address that
 * it has proved by a code if the consumer does. Three a day; a repeat within a minute sends nothing more.
 * @throws BadUserInput, Forbidden, Unprocessable, RateLimited, NotFound
 */
export async function sendTranscript(
  { writer, links, codes, isMailSet }: TranscriptDependencies,
  ctx: Context,
  { conversation: named, to: given, code }: Asked,
): Promise<SentTranscript> {
  const to = parseAddress(given)
  requireMail(isMailSet)
  return inConversation(ctx, named, (id) =>
    writer.runExclusive(ctx, id, async (change) => {
      await requireConsumer(ctx, change)
      const { conversation, now, clock, sql } = change
      // Afterwards: nobody spends the tries of a conversation that it does not see.
      if (ctx.guestCaller) await requireCode(codes, { conversation: id, to, code })
      else await requireContactsAddress(change, to)
      const [organization] = await sql.query<{ name: string }>(
        reading('select coalesce(display_name, name) as name from organization where id = $1'),
        [conversation.organizationId],
      )
      const { subject, text, ...counts } = await transcriptText(ctx, change, {
        links,
        organization: organization!.name,
      })
      const line = `${COMMAND} ${to}`
      const sent = await sentBefore(change)
      const last = sent[0]
      if (last?.text === line && now.getTime() - last.createdAt.getTime() < REPEAT_MS) return { to, ...counts }
      if (sent.length >= PER_DAY) {
        const first = sent.at(-1)!.createdAt.getTime()
        throw new RateLimited(
          `${PER_DAY} copies of this conversation were sent within a day`,
          Math.ceil((first + DAY_MS - now.getTime()) / 1_000),
        )
      }
      // Shows the team that it was sent, and counts it.
      const user = ctx.guestCaller ? null : ctx.userCaller.user
      const message = clock.newId()
      const base = { ...emptyMessage(message), type: 'command', text: line, meta: { _noCopy: true } } as const
      change.addMessage({ ...base, role: user === null ? 'system' : 'agent', userId: user })
      const payload = { conversation: conversation.id, contact: conversation.contactId!, to, subject, text }
      change.addJob(TRANSCRIPT_MAIL.create(payload, { key: `transcript:${message}`, share: MAIL_SHARE }))
      return { to, ...counts }
    }),
  )
}

/**
 * Mails a guest a code for an address; whether it was mailed stays unknown, since an address gets a few a day at most.
 * @throws BadUserInput, Forbidden for others than guests, Unprocessable, RateLimited
 */
export async function requestTranscriptCode(
  { writer, codes, isMailSet }: TranscriptDependencies,
  ctx: Context,
  { conversation: named, to: given }: Omit<Asked, 'code'>,
): Promise<true> {
  const to = parseAddress(given)
  if (!ctx.guestCaller) {
    throw new Forbidden("a code proves a visitor's address: agents send to the contact's", { reason: 'GUEST_REQUIRED' })
  }
  requireMail(isMailSet)
  await inConversation(ctx, named, (id) =>
    writer.runExclusive(ctx, id, async (change) => {
      await requireConsumer(ctx, change)
      if (!(await codes.mayMail(id, to, ctx.address))) return
      const payload = { conversation: id, contact: change.conversation.contactId!, to }
      change.addJob(TRANSCRIPT_CODE.create(payload, { key: `transcript-code:${id}`, share: MAIL_SHARE }))
    }),
  )
  return true
}

function inConversation<T>(ctx: Context, id: string, run: (id: string) => Promise<T>): Promise<T> {
  return ctx.guestCaller ? inGuestsConversation(ctx, id, run) : run(id)
}

function parseAddress(value: string): string {
  return parseEmailAddress(value, 'to').toLowerCase()
}

function requireMail(isMailSet: boolean): void {
  if (isMailSet) return
  throw new Unprocessable('this server sends no mail: its operator sets SMTP_URL', { reason: 'NO_MAIL_SERVER' })
}

async function requireCode(codes: TranscriptCodes, { conversation, to, code }: Asked): Promise<void> {
  if (code === null) throw new BadUserInput('code', 'code is required: requestTranscriptCode mails it to the address')
  if (await codes.isCode(conversation, to, code)) return
  throw new Unprocessable('code is wrong, or no longer valid: request another', { reason: 'CODE_WRONG', field: 'code' })
}

async function requireConsumer(ctx: Context, change: WritingChange): Promise<void> {
  const { type, contactId } = change.conversation
  if (type !== 'contact' || contactId === null) {
    throw new Unprocessable('a conversation without a consumer has no copy for one', {
      reason: 'CONVERSATION_TYPE',
      type,
    })
  }
  requireUnmerged(change.conversation)
  if (change.aggregate.isContactBlocked) throw new Forbidden('the contact is blocked', { reason: 'CONTACT_BLOCKED' })
  await requireUnblockedGuest(ctx, change)
}

async function requireContactsAddress({ sql, conversation }: WritingChange, to: string): Promise<void> {
  const [contact] = await sql.query<{ email: string | null }>(
    reading(`select profile ->> 'email' as email from contact where id = $1`),
    [conversation.contactId],
  )
  if (contact?.email?.toLowerCase() === to) return
  throw new Unprocessable("to must be the contact's email address: a copy goes to nobody else", {
    reason: 'OTHER_ADDRESS',
    field: 'to',
  })
}

/** Newest first. */
function sentBefore({ sql, conversation, now }: WritingChange): Promise<{ text: string; createdAt: Date }[]> {
  return sql.query(
    SENT,
    [conversation.id, `${COMMAND} %`, new Date(now.getTime() - DAY_MS), PER_DAY],
    'transcripts-sent',
  )
}

const SENT = reading(`
select text, created_at as "createdAt" from message
where conversation_id = $1 and type = 'command' and text like $2 and created_at > $3
order by position desc limit $4`)
