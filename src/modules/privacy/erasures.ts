import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DateTime } from '../../platform/lists/scalars.js'

export const ErasureSubjectEnum = graphqlEnum('ErasureSubject', 'A deleted record whose content is erased.', {
  CONTACT: ['privacy.erase', 'A contact, with its conversations and attachments.'],
  CONVERSATION: ['conversation.deleted', 'A conversation.'],
  MESSAGE: ['message.deleted', 'A message.'],
})
export type ErasureSubject = (typeof ErasureSubjectEnum)[keyof typeof ErasureSubjectEnum]

@ObjectType({
  simpleResolvers: true,
  description:
    'An erasure that is not done: what the deleted record left in events, webhooks and stored responses. It is tried ' +
    'again until it is done, and never given up. One that does not fail may wait for a file that others propose or have not sent yet.',
})
export class Erasure {
  @Field(() => ID)
  id!: string

  @Field(() => ErasureSubjectEnum, {
    description: 'Kind of the deleted record, of which copies and traces are still to be erased.',
  })
  subject!: ErasureSubject

  @Field(() => ID, { description: 'Id of the deleted record, or of the first of several.' })
  subjectId!: string

  @Field(() => [ID], {
    description: 'Ids of all that it is of: conversations that a term of retention ended are erased many at a time.',
  })
  subjectIds!: string[]

  @Field(() => DateTime, { description: 'Time of the deletion.' })
  requestedAt!: string

  @Field(() => Int, { description: 'Attempts so far, one that is under way included.' })
  attempts!: number

  @Field(() => Boolean, { description: 'Whether the last attempt failed. Then operators find the reason in the log.' })
  isFailing!: boolean

  @Field(() => DateTime, { description: 'Time of the next attempt; in the past while one is under way or due.' })
  nextAttemptAt!: string
}

/** The oldest ones are listed. */
export const ERASURES_MAX = 100

/** By the partial index `job_erasure`: these words must stay as they are. A second look that is not due yet is not missing. */
const UNDONE = `kind in ('privacy.erase', 'contact.erase', 'conversation.deleted', 'message.deleted') and (run_at <= $1 or attempts > 0)`

/** Lists the oldest erasures that are not done of the caller's organization and those below it. */
export async function readErasures(ctx: Context): Promise<Erasure[]> {
  const rows = await ctx.reads.query<
    Omit<Erasure, 'subjectId' | 'requestedAt' | 'nextAttemptAt'> & Record<'requestedAt' | 'nextAttemptAt', Date>
  >(
    `select id, case kind when 'contact.erase' then 'privacy.erase' else kind end as subject,
       case kind when 'conversation.deleted' then array(select jsonb_array_elements_text(payload -> 'conversations'))
         else array[coalesce(payload ->> 'contact', payload ->> 'deleted')] end as "subjectIds",
       created_at as "requestedAt", attempts, failures > (leased_by is not null)::int as "isFailing", run_at as "nextAttemptAt"
     from job where ${UNDONE} and payload -> 'path' ? $2 order by created_at limit ${ERASURES_MAX}`,
    [ctx.now(), ctx.caller.path.findLast(Boolean)],
    'erasures',
  )
  return rows.map((row) => ({
    ...row,
    subjectId: row.subjectIds[0]!,
    requestedAt: row.requestedAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt.toISOString(),
  }))
}

export interface ErasureCounts {
  undone: number
  failing: number
  /** Since the oldest one was demanded that is due or failing: one may wait for what others have not sent yet. */
  oldestSeconds: number
}

/** Counts the erasures of the whole installation that are not done. */
export async function countErasures(sql: Sql, now: Date): Promise<ErasureCounts> {
  const [counts] = await sql.query<ErasureCounts>(
    `select count(*)::int as undone, count(*) filter (where failures > (leased_by is not null)::int)::int as failing,
       greatest(extract(epoch from $1::timestamptz - min(case when failures > 0 then created_at else run_at end)), 0)::float8 as "oldestSeconds"
     from job where ${UNDONE}`,
    [now],
    'count-erasures',
  )
  return counts!
}
