import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { tenantSql } from '../../../platform/db/tenancy.js'
import { connectionType, OrderDirection } from '../../../platform/lists/connection.js'
import type { FilterFields } from '../../../platform/lists/filters.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import type { ListDefinition } from '../../../platform/lists/list-page.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { EntryState } from './ledger.js'

export const MailboxEntryState = graphqlEnum('MailboxEntryState', 'Fates of the mails of a mailbox.', {
  LISTED: ['listed', 'It is to be read; `reason` says what went wrong the last time.'],
  STORED: ['stored', 'A message.'],
  AGAIN: ['again', 'It was received before: moved to another folder, or there twice.'],
  AUTOMATIC: ['automatic', 'An automatic answer, of which no message is made.'],
  BOUNCE: ['bounce', 'The notice that a mail did not arrive; its delivery has failed.'],
  OWN: ['own', 'A mail of the address itself, or of this server.'],
  BLOCKED: ['blocked', 'The contact is blocked, or nothing proves the sender and such mail is refused.'],
  TOO_LARGE: ['tooLarge', 'A message with its text alone.'],
  UNREADABLE: ['unreadable', 'It cannot be parsed: a message with the mail as a file, or none where nobody is named.'],
  GONE: ['gone', 'It was removed before it was read, or its folder was numbered anew.'],
})

@ObjectType({
  simpleResolvers: true,
  description: "A mail of a mailbox, and what became of it: a line of the mailbox's ledger.",
})
export class MailboxEntry {
  @Field(() => ID) id!: string
  @Field(() => ID, { description: 'The service of type `mailbox` whose ledger it is in.' }) serviceId!: string
  @Field(() => String, { description: 'The folder, as it was called when the mail was listed.' }) folder!: string
  @Field(() => Float, { description: "The mail's number in its folder (UID), a whole number below 2³²." }) uid!: number
  @Field(() => MailboxEntryState, { description: 'The fate of the mail, as far as it is known.' }) state!: EntryState
  @Field(() => String, {
    nullable: true,
    description: 'The reason of the state, or what went wrong the last time; in English, without addresses.',
  })
  reason!: string | null
  @Field(() => DateTime, { description: 'Time at which the mailbox was seen to have it.' }) listedAt!: Date
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which the state was found; null while it is to be read.',
  })
  settledAt!: Date | null
  @Field(() => Int, { description: 'Number of attempts to read it.' }) tries!: number
  @Field(() => DateTime, { nullable: true, description: 'Time of the next attempt, after one that failed.' })
  retryAt!: Date | null
  @Field(() => ID, { nullable: true, description: 'The message that was made of it; it may be deleted by now.' })
  messageId!: string | null
  @Field(() => Boolean, {
    description:
      'Whether `readMailboxEntry` reads it again: it is UNREADABLE, TOO_LARGE, AUTOMATIC or BLOCKED, or reading it failed.',
  })
  isReadable!: boolean
}

/** States whose mails an administrator may have read again, beside those whose reading failed. */
export const READ_AGAIN: readonly EntryState[] = ['unreadable', 'tooLarge', 'automatic', 'blocked']

const EPOCH = 'select {} from mailbox_epoch p where p.id = t.epoch_id'
const ofEpoch = (column: string): string => `(${EPOCH.replace('{}', `p.${column}`)})`

/** SQL, over alias `t`: whether it is read when an administrator asks. A folder that is numbered anew has other numbers. */
const IS_READABLE = `(${ofEpoch('ended_at')} is null and (t.state in (${READ_AGAIN.map((each) => `'${each}'`).join(', ')})
  or t.state = 'listed' and t.reason is not null))`

export const ENTRY_COLUMNS = `t.id, t.service_id, ${ofEpoch('folder')} as folder, t.uid::float8 as uid, t.state, t.reason,
  t.listed_at, t.settled_at, t.tries, t.retry_at, t.message_id, ${IS_READABLE} as is_readable`

const fields: FilterFields = { id: { kind: 'id', sql: 't.id', sortable: true } }

export const mailboxEntryList: ListDefinition = {
  table: 'mailbox_entry',
  fields,
  columns: ENTRY_COLUMNS,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
  // Each list belongs to one service, which was checked to be the caller's.
  visible: () => 'true',
}
export const MailboxEntryConnection = connectionType('MailboxEntry', () => MailboxEntry)

/** The message of a mail, as the ledger shows it. */
export interface EntryMessage {
  id: string
  conversationId: string
  subject: string | null
}

/** Loads by the id of the message, within the caller's tenants; of one that was merged, the copy in the conversation that is left. */
export const entryMessageLoader: LoaderDefinition<EntryMessage> = {
  async load(ctx: Context, ids) {
    const values: unknown[] = [ids]
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select coalesce(m.original_id, m.id) as id, m.conversation_id, m.meta ->> 'subject' as subject from message m
       where (m.id = any($1::uuid[]) or m.original_id = any($1::uuid[])) and ${tenantSql(ctx.tenant, 'm', values)}
       order by m.original_id nulls first, m.created_at`,
      values,
      'messages-of-entries',
    )
    return new Map(rows.map((row) => [row.id as string, camelRow<EntryMessage>(row)]))
  },
}
