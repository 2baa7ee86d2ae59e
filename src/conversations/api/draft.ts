import { Field, ID, ObjectType } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../context.js'
import { pathOf, tenantSql } from '../../db/tenancy.js'
import { userStream } from '../../events/event.js'
import type { Transact } from '../../events/transact.js'
import { parseText } from '../../input.js'
import { camelRow } from '../../lists/rows.js'
import { DateTime } from '../../lists/scalars.js'
import { fetchConversation } from './conversation.js'

@ObjectType({
  simpleResolvers: true,
  description: 'What the caller has written in a conversation and not sent. Nobody else sees it.',
})
export class Draft {
  @Field(() => ID) conversation!: string
  @Field(() => String) text!: string
  @Field(() => Boolean, { description: 'Whether it is a note for colleagues (2.9).' }) isBackchannel!: boolean
  @Field(() => DateTime) updatedAt!: Date
}

const TEXT_CHARS_MAX = 100_000
const DRAFTS_MAX = 200
const CHARS_READ_MAX = 1_000_000
const COLUMNS = 'd.conversation_id as conversation, d.text, d.is_backchannel, d.updated_at'

/** Keeps what the caller has written, for all of its browsers; the last one to write counts. An empty text forgets it. */
export async function saveDraft(
  ctx: Context,
  transact: Transact,
  given: { conversation: string; text: string; isBackchannel: boolean },
): Promise<Draft | null> {
  const text = parseText(given.text, 'text', { max: TEXT_CHARS_MAX })
  const { user } = ctx.userCaller
  const conversation = await fetchConversation(ctx, given.conversation)
  return transact(ctx, async (tx) => {
    const now = ctx.now()
    const rows = await tx.query<Record<string, unknown>>(
      text === ''
        ? 'delete from conversation_draft where user_id = $1 and conversation_id = $2 returning user_id'
        : `insert into conversation_draft as d (user_id, conversation_id, text, is_backchannel, updated_at)
           values ($1, $2, $3, $4, $5)
           on conflict (user_id, conversation_id) do update
             set text = excluded.text, is_backchannel = excluded.is_backchannel, updated_at = excluded.updated_at
           returning ${COLUMNS}`,
      text === '' ? [user, conversation.id] : [user, conversation.id, text, given.isBackchannel, now],
    )
    // Without the text: the stream keeps what it holds for days, and the screen asks for what is there by then.
    if (rows.length > 0)
      tx.emit(userStream(user), 'draft.changed', {
        conversation: conversation.id,
        path: pathOf(conversation).filter((id) => id !== undefined),
      })
    return text === '' ? null : camelRow<Draft>(rows[0]!)
  })
}

/** Reads of this request: a document may name the field many times. */
const reads = new WeakMap<Context, Promise<Draft[]>>()

/** Returns the caller's drafts, the newest first, as many as fit into `CHARS_READ_MAX`. */
export function readDrafts(ctx: Context): Promise<Draft[]> {
  let read = reads.get(ctx)
  if (!read) reads.set(ctx, (read = newestDrafts(ctx)))
  return read
}

async function newestDrafts(ctx: Context): Promise<Draft[]> {
  const values: unknown[] = [ctx.userCaller.user]
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select * from (
       select ${COLUMNS}, sum(length(d.text)) over (order by d.updated_at desc, d.conversation_id) as chars
       from conversation_draft d join conversation c on c.id = d.conversation_id
       where d.user_id = $1 and ${tenantSql(ctx.tenant, 'c', values)}) newest
     where chars <= ${CHARS_READ_MAX} order by updated_at desc limit ${DRAFTS_MAX}`,
    values,
  )
  return rows.map(({ chars: _chars, ...row }) => camelRow<Draft>(row))
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
