import { Field, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../../platform/context.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { EntryState } from './ledger.js'
import { MailboxEntryState } from './mailbox-entry.js'

@ObjectType({ simpleResolvers: true, description: 'Number of mails of a mailbox that share a fate.' })
export class MailboxEntryCount {
  @Field(() => MailboxEntryState, { description: 'The fate that they share.' }) state!: EntryState
  @Field(() => Int, { description: 'Number of mails, at least 1.' }) count!: number
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Health of a mailbox that is read: every mail that its server lists is stored, named with a reason, or still to be read, ' +
    'so that `listed` is `stored` + `named` + `pending`.',
})
export class MailboxHealth {
  @Field(() => DateTime, { nullable: true, description: 'Time at which its folders were last read to their end.' })
  readAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which all numbers were last compared with the ledger.',
  })
  auditedAt!: Date | null
  @Field(() => String, { nullable: true, description: 'Reason why it cannot be read, in English; null while it can.' })
  failure!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time since which it cannot be read.' })
  failingSince!: Date | null
  @Field(() => Int, { description: 'Number of all mails in its ledger.' }) listed!: number
  @Field(() => Int, { description: 'Number of mails that are a whole message.' }) stored!: number
  @Field(() => Int, { description: 'Number of mails of which something else became, each with a reason.' })
  named!: number
  @Field(() => Int, { description: 'Number of mails that are to be read.' }) pending!: number
  @Field(() => [MailboxEntryCount], { description: 'Number of mails by state, without states that no mail has.' })
  counts!: MailboxEntryCount[]
}

/** Loads by service; null for a service of another type. */
export const mailboxHealthLoader: LoaderDefinition<MailboxHealth> = {
  async load(ctx, services) {
    const rows = await ctx.reads.query<Record<string, unknown>>(HEALTH, [services], 'mailbox-health')
    return new Map(rows.map((row) => [row.service_id as string, healthOf(camelRow<Row>(row))]))
  },
}

type Row = Omit<MailboxHealth, 'listed' | 'stored' | 'named' | 'pending'>

const HEALTH = `
select m.service_id, m.read_at, m.audited_at, m.failure, m.failing_since,
  (select coalesce(json_agg(json_build_object('state', c.state, 'count', c.count) order by c.count desc, c.state), '[]') from (
     select e.state, count(*) as count from mailbox_entry e where e.service_id = m.service_id group by e.state) c) as counts
from mailbox m where m.service_id = any($1::uuid[])`

function healthOf(row: Row): MailboxHealth {
  const countOf = (state: EntryState): number => row.counts.find((each) => each.state === state)?.count ?? 0
  const listed = row.counts.reduce((sum, { count }) => sum + count, 0)
  const [stored, pending] = [countOf('stored'), countOf('listed')]
  return { ...row, listed, stored, pending, named: listed - stored - pending }
}
