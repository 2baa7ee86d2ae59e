import { Ctx, Extensions, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { DeliveryCodeEnum, type DeliveryCode } from '../messages/delivery.js'
import { CheckCodeEnum, FIXES, TOLD_AFTER, type CheckCode } from '../services/service-check.js'
import { Service } from '../services/service.js'

type HealthState = 'ok' | 'doubtful' | 'failing' | 'unchecked' | 'off'

export const HealthStateEnum = graphqlEnum('ServiceHealthState', 'States of a way to the consumer.', {
  OK: ['ok', 'The last check found nothing.'],
  DOUBTFUL: [
    'doubtful',
    'The last check failed, or the one before it too: it may be over the next time. Or its token ends within 7 days.',
  ],
  FAILING: ['failing', 'Checks fail, or the provider refuses the service: `problem` of the service says why.'],
  UNCHECKED: ['unchecked', 'Not checked yet, or nothing can be found out without sending.'],
  OFF: ['off', 'The service is switched off.'],
})

@Extensions(PART_OF_RECORD)
@ObjectType({ simpleResolvers: true, description: 'Deliveries that failed for one reason.' })
export class ServiceRefusal {
  @Field(() => DeliveryCodeEnum, { nullable: true, description: 'The meaning of the failure.' })
  code!: DeliveryCode | null
  @Field(() => String, { nullable: true, description: 'The reason, as the deliveries say it.' }) reason!: string | null
  @Field(() => Int, { description: 'Number of deliveries.' }) count!: number
}

@Extensions(PART_OF_RECORD)
@ObjectType({ simpleResolvers: true, description: 'Events of a provider that have no use here.' })
export class UnnamedEvents {
  @Field(() => String, { description: "The provider's name of them." }) name!: string
  @Field(() => Int, { description: 'Number of events.' }) count!: number
  @Field(() => DateTime, { description: 'Time of the last one.' }) lastAt!: Date
}

@ObjectType({
  simpleResolvers: true,
  description: 'State of a way to the consumer, found by checks, and by what passes through it.',
})
export class ServiceHealth {
  @Field(() => HealthStateEnum, { description: 'State of the service.' }) state!: HealthState
  @Field(() => DateTime, { nullable: true, description: 'Time of the last check.' }) checkedAt!: Date | null
  @Field(() => CheckCodeEnum, {
    nullable: true,
    description: 'Reason for which the last check failed; null if it did not.',
  })
  code!: CheckCode | null
  @Field(() => String, { nullable: true, description: 'Result of the last check, in English.' }) message!: string | null
  @Field(() => String, { nullable: true, description: 'Remedy, in English.' }) fix!: string | null
  @Field(() => Int, { description: 'Number of checks that failed, one after the other.' }) failures!: number
  @Field(() => DateTime, { nullable: true, description: 'Time of the first of these.' }) failingSince!: Date | null
  @Field(() => String, { nullable: true, description: "The provider's rating of the sender, where it gives one." })
  quality!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the last message of a consumer; of the last 30 days.',
  })
  lastInAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the last message that was sent.' })
  lastOutAt!: Date | null
  @Field(() => Float, {
    nullable: true,
    description:
      'Seconds within which 95 of 100 messages of consumers were stored after the provider took them, of the last 1,000 in 24 ' +
      'hours. Null where it does not say when it did, or nothing came.',
  })
  lagP95Seconds!: number | null
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time at which its token ends, or the grant of its account, where that is known: `DOUBTFUL` 7 days before.',
  })
  tokenEndsAt!: Date | null
  @Field(() => Int, { description: 'Number of messages that wait to be sent.' }) waiting!: number
  @Field(() => DateTime, { nullable: true, description: 'Time since which the oldest of them waits.' })
  waitingSince!: Date | null
  @Field(() => [ServiceRefusal], {
    description: 'Deliveries of the last 24 hours that failed: the ten most frequent reasons.',
  })
  refusals!: ServiceRefusal[]
  @Field(() => [UnnamedEvents], { description: 'Events of the provider that have no use here, the last ones first.' })
  unnamed!: UnnamedEvents[]
}

@Resolver(() => Service)
export class ServiceHealthResolver {
  @FieldResolver(() => ServiceHealth, {
    nullable: true,
    description: 'Health of a service that is a way to the consumer; null for another.',
  })
  health(@Root() service: Service, @Ctx() ctx: Context): Promise<ServiceHealth | null> {
    return ctx.loader(healthLoader).load(service.id)
  }
}

type Row = Omit<ServiceHealth, 'state' | 'fix'> & { status: string }

/** Loads by service. */
const healthLoader: LoaderDefinition<ServiceHealth> = {
  async load(ctx, services) {
    const rows = await readHealth(ctx.reads, services, ctx.now())
    return new Map(
      rows.map((row) => {
        const { status, ...found } = camelRow<Row>(row)
        const isEnding = endsSoon(found, ctx.now())
        const fix = found.code ? FIXES[found.code] : isEnding ? FIXES.token : null
        return [row.service_id as string, { ...found, fix, state: stateOf(status, found, isEnding) }]
      }),
    )
  },
}

/** Reads the health of services: of what passed through them, no more rows than it tells of. */
export const readHealth = (sql: ReadSql, services: readonly string[], now: Date): Promise<Record<string, unknown>[]> =>
  sql.query(HEALTH, [services, now], 'service-health')

/** Time in which a person can still make another token before one ends. */
const ENDING_MS = 7 * 86_400_000

const endsSoon = ({ tokenEndsAt }: Pick<Row, 'tokenEndsAt'>, now: Date): boolean =>
  tokenEndsAt !== null && tokenEndsAt.getTime() - now.getTime() <= ENDING_MS

function stateOf(
  status: string,
  { checkedAt, failures }: Pick<Row, 'checkedAt' | 'failures'>,
  isEnding: boolean,
): HealthState {
  if (status === 'inactive') return 'off'
  if (status !== 'active' || failures >= TOLD_AFTER) return 'failing'
  if (failures > 0 || isEnding) return 'doubtful'
  return checkedAt === null ? 'unchecked' : 'ok'
}

const HEALTH = reading(`
select s.id as service_id, s.status, c.checked_at, c.code, c.message, coalesce(c.failures, 0) as failures,
  c.failing_since, c.quality, least(g.grant_ends_at, k.ends_at) as token_ends_at,
  (select percentile_cont(0.95) within group (order by greatest(0, extract(epoch from l.received_at - l.sent_at)))
    from (select i.received_at, i.sent_at from inbound_message i
      where i.service_id = s.id and i.is_by_contact and i.sent_at is not null
        and i.received_at > $2::timestamptz - interval '24 hours'
      order by i.received_at desc limit 1000) l) as lag_p95_seconds,
  (select i.received_at from inbound_message i
    where i.service_id = s.id and i.is_by_contact order by i.received_at desc limit 1) as last_in_at,
  (select max(l.created_at) from unnest('{sent,delivered,read}'::text[]) as o(status)
    cross join lateral (select d.created_at from delivery d
      where d.service_id = s.id and d.touchpoint <> 'web' and d.status = o.status
      order by d.created_at desc limit 1) l) as last_out_at,
  w.waiting, w.waiting_since,
  (select coalesce(jsonb_agg(jsonb_build_object('code', r.code, 'reason', r.reason, 'count', r.count)
      order by r.count desc, r.reason), '[]')
    from (select d.code, d.reason, count(*)::int as count from delivery d
      where d.service_id = s.id and d.touchpoint <> 'web' and d.status = 'failed' and d.created_at > $2::timestamptz - interval '24 hours'
      group by d.code, d.reason order by count(*) desc, d.reason limit 10) r) as refusals,
  (select coalesce(jsonb_agg(jsonb_build_object('name', u.name, 'count', u.count, 'lastAt', u.last_at)
      order by u.last_at desc, u.name), '[]') from service_unnamed u where u.service_id = s.id) as unnamed
from service s left join service_check c on c.service_id = s.id left join service_grant g on g.service_id = s.id
left join service_token k on k.service_id = s.id
cross join lateral (
  select count(*)::int as waiting, min(d.created_at) as waiting_since from delivery d
  where d.service_id = s.id and d.touchpoint <> 'web' and d.status in ('queued', 'sending')
    -- What is older was given up.
    and d.created_at > $2::timestamptz - interval '48 hours') w
where s.id = any($1::uuid[]) and s.touchpoint is not null`)
