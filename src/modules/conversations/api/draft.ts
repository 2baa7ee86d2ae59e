import { Field, ID, InputType, ObjectType } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { pathOf, tenantSql } from '../../../platform/db/tenancy.js'
import { quoteValue, Unprocessable } from '../../../platform/errors.js'
import { userStream } from '../../../platform/events/event.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { parseText } from '../../../platform/input.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { HeldBecause } from '../sending/require-seen.js'
import { HeldBecauseObject } from './held-because.js'
import { fetchConversation } from './conversation.js'

const MAIL = {
  to: 'Recipients beside the contact, with commas between them.',
  cc: 'Recipients of copies.',
  bcc: 'Recipients of copies whom the others do not see.',
  subject: 'The subject; empty for that of the mail answered.',
}

@ObjectType({
  simpleResolvers: true,
  description: 'Fields above a mail to the consumer, as they were typed: nothing of them is checked before it is sent.',
})
export class DraftMail {
  @Field(() => String, { description: MAIL.to }) to!: string
  @Field(() => String, { description: MAIL.cc }) cc!: string
  @Field(() => String, { description: MAIL.bcc }) bcc!: string
  @Field(() => String, { description: MAIL.subject }) subject!: string
}

@InputType({ description: 'Fields above a mail, as they were typed; at most 20,000 characters each.' })
export class DraftMailInput implements DraftMail {
  @Field(() => String, { defaultValue: '', description: MAIL.to }) to!: string
  @Field(() => String, { defaultValue: '', description: MAIL.cc }) cc!: string
  @Field(() => String, { defaultValue: '', description: MAIL.bcc }) bcc!: string
  @Field(() => String, { defaultValue: '', description: MAIL.subject }) subject!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Text that the caller has written in a conversation and not sent. Nobody else can see it.',
})
export class Draft {
  @Field(() => ID) conversation!: string
  @Field(() => String) text!: string
  @Field(() => Boolean, { description: 'Whether it is a note for colleagues (2.9).' }) isBackchannel!: boolean
  @Field(() => DraftMail, {
    nullable: true,
    description: 'Recipients and subject of a mail; null where none were typed.',
  })
  mail!: DraftMail | null
  @Field(() => HeldBecauseObject, {
    nullable: true,
    description:
      'The reason for which a delayed message came back as this draft; null for one that the caller has saved since.',
  })
  heldBecause!: HeldBecause | null
  @Field(() => DateTime) updatedAt!: Date
}

const TEXT_CHARS_MAX = 100_000
const DRAFTS_MAX = 200
/** Maximum total size of a user's drafts, in UTF-8. */
const BYTES_MAX = 1_048_576
const MAIL_FIELDS = ['to', 'cc', 'bcc', 'subject'] as const
const MAIL_CHARS_MAX = 20_000
const COLUMNS = 'd.conversation_id as conversation, d.text, d.is_backchannel, d.mail, d.held_because, d.updated_at'
const BYTES = `octet_length(d.text) + coalesce(octet_length(d.mail::text), 0)`

/**
 * Stores the caller's unsent text for all of its browsers; the last write wins. An empty text deletes the draft, unless it has
 * recipients or a subject.
 * @param given.mail absent: that of the draft stays
 * @throws Unprocessable naming `text` if the user's drafts would be too many or too large
 */
export async function saveDraft(
  ctx: Context,
  transact: Transact,
  given: { conversation: string; text: string; isBackchannel: boolean; mail?: DraftMail | null },
): Promise<Draft | null> {
  const text = parseText(given.text, 'text', { max: TEXT_CHARS_MAX })
  const mail = given.mail == null ? null : parseMail(given.mail)
  const isEmpty = text === '' && mail === null
  const { user } = ctx.userCaller
  const conversation = await fetchConversation(ctx, given.conversation)
  return transact(ctx, async (tx) => {
    const now = ctx.now()
    if (!isEmpty) await refuseTooMany(ctx, tx, { conversation: conversation.id, text, mail })
    const rows = isEmpty
      ? await emptied(tx, [user, conversation.id, given.isBackchannel, now], given.mail === undefined)
      : await tx.query<Record<string, unknown>>(
          `insert into conversation_draft as d (user_id, conversation_id, text, is_backchannel, updated_at, mail)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (user_id, conversation_id) do update
             set text = excluded.text, is_backchannel = excluded.is_backchannel, held_because = null,
               mail = case when $7::boolean then d.mail else excluded.mail end, updated_at = excluded.updated_at
           returning ${COLUMNS}`,
          [
            user,
            conversation.id,
            text,
            given.isBackchannel,
            now,
            mail && JSON.stringify(mail),
            given.mail === undefined,
          ],
        )
    // Without the text: the stream retains events for days, and the screen fetches the current text.
    if (rows.length > 0)
      tx.emit(userStream(user), 'draft.changed', {
        conversation: conversation.id,
        path: pathOf(conversation).filter((id) => id !== undefined),
      })
    const draft = rows[0] && camelRow<Draft>(rows[0])
    return draft && (draft.text !== '' || draft.mail) ? draft : null
  })
}

/**
 * Empties the text of a draft that has recipients or a subject, if they stay: an older program says nothing of them. Else deletes it.
 * @returns it as it is, or was, if there was one
 */
async function emptied(
  tx: WriteTx,
  values: readonly unknown[],
  isMailKept: boolean,
): Promise<Record<string, unknown>[]> {
  if (isMailKept) {
    const kept = await tx.query<Record<string, unknown>>(
      `update conversation_draft d set text = '', is_backchannel = $3, held_because = null, updated_at = $4
       where user_id = $1 and conversation_id = $2 and mail is not null returning ${COLUMNS}`,
      values,
    )
    if (kept.length > 0) return kept
  }
  return tx.query(
    `delete from conversation_draft where user_id = $1 and conversation_id = $2 returning '' as text, null as mail`,
    values.slice(0, 2),
  )
}

/** @returns null for fields that are all blank @throws BadUserInput */
function parseMail(given: DraftMail): DraftMail | null {
  const fields = MAIL_FIELDS.map(
    (field) => [field, parseText(given[field], `mail.${field}`, { max: MAIL_CHARS_MAX })] as const,
  )
  return fields.some(([, typed]) => typed.trim() !== '') ? (Object.fromEntries(fields) as unknown as DraftMail) : null
}

/** Locks the user's row, so that concurrent saves are counted one after the other. @throws Unprocessable */
async function refuseTooMany(
  ctx: Context,
  tx: WriteTx,
  { conversation, text, mail }: { conversation: string; text: string; mail: DraftMail | null },
): Promise<void> {
  const { user } = ctx.userCaller
  await tx.query('select 1 from app_user where id = $1 for no key update', [user])
  const values: unknown[] = [user, conversation]
  const [others] = await tx.query<{ count: number; bytes: number }>(
    `select count(*) as count, coalesce(sum(${BYTES}), 0)::bigint as bytes
     from conversation_draft d join conversation c on c.id = d.conversation_id
     where d.user_id = $1 and d.conversation_id <> $2 and ${tenantSql(ctx.tenant, 'c', values)}`,
    values,
  )
  const { count, bytes } = others!
  const total = bytes + Buffer.byteLength(text) + (mail ? Buffer.byteLength(JSON.stringify(mail)) : 0)
  const advice = 'send or delete some first'
  if (count >= DRAFTS_MAX) {
    throw new Unprocessable(
      `text: the user has drafts in ${count} other conversations, which is the maximum: ${advice}`,
      { reason: 'TOO_MANY', field: 'text' },
    )
  }
  if (total > BYTES_MAX) {
    const message = `text: with ${quoteValue(text)} the user's drafts would have ${total} bytes; at most ${BYTES_MAX} are allowed`
    throw new Unprocessable(`${message}: ${advice}`, { field: 'text' })
  }
}

/** Reads per request: a document may select the field many times. */
const reads = new WeakMap<Context, Promise<Draft[]>>()

/** Returns the caller's drafts, newest first, up to the maximum number and size. */
export function readDrafts(ctx: Context): Promise<Draft[]> {
  let read = reads.get(ctx)
  if (!read) reads.set(ctx, (read = newestDrafts(ctx)))
  return read
}

async function newestDrafts(ctx: Context): Promise<Draft[]> {
  const values: unknown[] = [ctx.userCaller.user]
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select * from (
       select ${COLUMNS}, sum(${BYTES}) over (order by d.updated_at desc, d.conversation_id) as bytes
       from conversation_draft d join conversation c on c.id = d.conversation_id
       where d.user_id = $1 and ${tenantSql(ctx.tenant, 'c', values)}) newest
     where bytes <= ${BYTES_MAX} order by updated_at desc limit ${DRAFTS_MAX}`,
    values,
  )
  return rows.map(({ bytes: _bytes, ...row }) => camelRow<Draft>(row))
}

/** The caller's drafts by conversation. */
export const draftLoader: LoaderDefinition<Draft> = {
  async load(ctx, conversations) {
    const values: unknown[] = [ctx.userCaller.user, conversations]
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select ${COLUMNS} from conversation_draft d join conversation c on c.id = d.conversation_id
       where d.user_id = $1 and d.conversation_id = any($2::uuid[]) and ${tenantSql(ctx.tenant, 'c', values)}`,
      values,
    )
    return new Map(rows.map((row) => [row.conversation as string, camelRow<Draft>(row)]))
  },
}
