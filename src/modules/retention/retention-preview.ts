import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathOf, tenantSql } from '../../platform/db/tenancy.js'
import { parseInteger } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { HoldName } from '../holds/hold.js'
import { Organization } from '../organizations/organization.js'
import { DAY_MS, dueSql, noneNearerSql, noticedSql, SUBJECTS, type Bind, type DueRecords } from './due-records.js'
import { holdsOnRecords } from './holds-on-records.js'
import { DAYS, NOTICE_DAYS, type RetentionSubject } from './retention-policy.js'

/** Up to this number, records are counted. */
const COUNT_MAX = 10_000
/** Records that a preview looks at. */
const LOOK_MAX = 50_000
const SAMPLE = 10

@ObjectType({ simpleResolvers: true, description: 'A record that a retention policy would erase.' })
export class RetentionSample {
  @Field(() => ID, { description: 'Id of the conversation, the attachment or the contact.' })
  id!: string

  @Field(() => String, { description: 'Name of the conversation, the file or the contact.' })
  name!: string

  @Field(() => DateTime, { description: 'Time from which its days are counted.' })
  since!: Date

  @Field(() => [HoldName], { description: 'Legal holds that keep it: it would stay.' })
  holds!: HoldName[]
}

@ObjectType({ simpleResolvers: true, description: 'The records that a retention policy would erase if it ran now.' })
export class RetentionPreview {
  @Field(() => Int, { description: `Number of records that would go at once, up to ${COUNT_MAX}.` })
  due!: number

  @Field(() => Int, {
    description: `Number of records that are old enough, but came here less than ${NOTICE_DAYS} days ago, as by an import: they go when these are over.`,
  })
  waiting!: number

  @Field(() => Int, { description: `Number of records of this subject that there are, up to ${2 * COUNT_MAX}.` })
  total!: number

  @Field(() => Boolean, { description: 'True if there may be more than are counted.' })
  isMore!: boolean

  @Field(() => Boolean, {
    description:
      'True if more than half of what there is would go, or more than is looked at might: such a policy must be confirmed.',
  })
  needsConfirmation!: boolean

  @Field(() => [RetentionSample], { description: `Up to ${SAMPLE} of the records that are due.` })
  sample!: RetentionSample[]
}

interface Previewed {
  organization?: string | null
  subject: RetentionSubject
  days: number
}

export type RetentionCounts = Omit<RetentionPreview, 'sample'>

/** Counts what a policy would erase if it ran now, and shows some of it. Bounded. @throws NotFound, BadUserInput */
export async function previewRetention(ctx: Context, previewed: Previewed): Promise<RetentionPreview> {
  const records = await recordsOf(ctx, previewed)
  return { ...(await countDue(ctx, records)), sample: await readSample(ctx, records) }
}

/** Counts the same without showing any. @throws as {@link previewRetention} */
export const countRetention = async (ctx: Context, previewed: Previewed): Promise<RetentionCounts> =>
  countDue(ctx, await recordsOf(ctx, previewed))

async function recordsOf(ctx: Context, { organization, subject, days: given }: Previewed): Promise<DueRecords> {
  const days = parseInteger(given, 'days', DAYS.min, DAYS.max)
  const owner = await fetchRecord(ctx, Organization, organization ?? ctx.caller.organization, { field: 'organization' })
  const now = ctx.now()
  return { path: pathOf(owner), subject, before: new Date(now.getTime() - days * DAY_MS), now }
}

async function countDue(ctx: Context, records: DueRecords): Promise<RetentionCounts> {
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const { table } = SUBJECTS[records.subject]
  const [row] = await ctx.reads.query<{ due: number; waiting: number; looked: number; total: number }>(
    `select count(*) filter (where is_noticed)::int as due, count(*) filter (where not is_noticed)::int as waiting,
       (select count(*) from (${oldSql(records, '1', values)}) t)::int as looked,
       (select count(*) from (select from ${table} t where ${tenantSql(records, 't', values)} limit ${2 * COUNT_MAX}) t)::int as total
     from (select ${noticedSql(records, bind)} as is_noticed from (${oldSql(records, 't.*', values)}) t
       where ${dueSql(records, bind)} limit ${COUNT_MAX + 1}) due`,
    values,
  )
  const { due, waiting, looked, total } = row!
  const all = due + waiting
  return {
    due: Math.min(due, COUNT_MAX),
    waiting: Math.min(waiting, COUNT_MAX),
    total,
    isMore: all > COUNT_MAX || looked === LOOK_MAX,
    // What was not looked at may be due as well.
    needsConfirmation: all >= COUNT_MAX || looked === LOOK_MAX || 2 * all > total,
  }
}

/** SQL: what a preview looks at: records of the policy's own that were made before the time that counts, and are over as far as they tell. */
function oldSql(records: DueRecords, columns: string, values: unknown[]): string {
  const bind: Bind = (value) => `$${values.push(value)}`
  const { table, over = 'true' } = SUBJECTS[records.subject]
  const own = [tenantSql(records, 't', values), over, noneNearerSql(records, bind)].join(' and ')
  return `select ${columns} from ${table} t
    where ${own} and t.created_at < ${bind(records.before)}::timestamptz limit ${LOOK_MAX}`
}

async function readSample(ctx: Context, records: DueRecords): Promise<RetentionSample[]> {
  const { name, since } = SUBJECTS[records.subject]
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const rows = await ctx.reads.query<Omit<RetentionSample, 'holds'>>(
    `select t.id, left(${name}, 200) as name, ${since} as since from (${oldSql(records, 't.*', values)}) t
     where ${noticedSql(records, bind)} and ${dueSql(records, bind)} limit ${SAMPLE}`,
    values,
  )
  const holds = await holdsOnRecords(
    ctx.reads,
    records.subject,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, holds: holds.get(row.id) ?? [] }))
}
