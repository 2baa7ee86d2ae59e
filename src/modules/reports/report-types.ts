import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { connectionType } from '../../platform/lists/connection.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { ProposalKind } from '../conversations/state/proposal-kind.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import { ReportMetricEnum, type ReportMetric } from './metrics.js'

@ObjectType('ReportValue', { simpleResolvers: true, description: 'Figures of one metric in a report.' })
export class ReportValueType {
  @Field(() => ReportMetricEnum, { description: 'Metric that was counted.' }) metric!: ReportMetric
  @Field(() => Int, { description: 'Number of them; of a duration, the number that were measured.' }) count!: number
  @Field(() => Float, { nullable: true, description: 'Sum of the durations, in milliseconds.' }) totalMs!: number | null
  @Field(() => Float, { nullable: true, description: 'Average duration, in milliseconds.' }) averageMs!: number | null
  @Field(() => Float, { nullable: true, description: 'Median, within 5 %, as the other percentiles.' })
  p50Ms!: number | null
  @Field(() => Float, { nullable: true, description: 'Duration that 90 % are within.' }) p90Ms!: number | null
  @Field(() => Float, { nullable: true, description: 'Duration that 95 % are within.' }) p95Ms!: number | null
  @Field(() => Float, {
    nullable: true,
    description:
      'Part of all that the metric is one outcome of, such as targets that were met, from 0 to 1; null for other metrics.',
  })
  share!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'Average number at once, of `CONCURRENCY`; null for other metrics.',
  })
  ratio!: number | null
}

@ObjectType('ReportSubject', {
  simpleResolvers: true,
  description: 'A channel, user, reason code or organization of a report.',
})
export class ReportSubject {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true, description: 'Null if it has been deleted.' }) name!: string | null
}

@ObjectType('ReportLine', {
  simpleResolvers: true,
  description: 'One line of a report. What `by` does not name is null, and so is what the milestones do not have.',
})
export class ReportLineType {
  @Field(() => DateTime, { nullable: true, description: 'Beginning of its hour, day, week or month.' })
  start!: Date | null
  @Field(() => ReportSubject, { nullable: true }) channel!: ReportSubject | null
  @Field(() => ReportSubject, { nullable: true }) user!: ReportSubject | null
  @Field(() => ReportSubject, { nullable: true, description: "Reason code of an agent's state." })
  reason!: ReportSubject | null
  @Field(() => ReportSubject, { nullable: true, description: 'Bot that proposed.' }) bot!: ReportSubject | null
  @Field(() => ProposalKind, { nullable: true, description: 'Reply, category or whatever else a bot proposed.' })
  proposalKind!: string | null
  @Field(() => ReportSubject, { nullable: true }) organization!: ReportSubject | null
  @Field(() => TouchpointEnum, { nullable: true }) touchpoint!: string | null
  @Field(() => String, { nullable: true }) category!: string | null
  @Field(() => [ReportValueType], { description: 'In the order of `metrics`.' }) values!: ReportValueType[]
}

@ObjectType('Report', { description: 'Numbers over a span of time.' })
export class ReportType {
  @Field(() => [ReportLineType], {
    simple: true,
    description: 'By time, then by name. Time alone has a line for every hour, day, week or month.',
  })
  lines!: ReportLineType[]

  @Field(() => [ReportValueType], {
    simple: true,
    description: 'Over the whole span. What counts for several channels is in it once.',
  })
  totals!: ReportValueType[]
}

@ObjectType('ReportRow', { description: 'One thing that a report counts, such as the acceptance of a conversation.' })
export class ReportRowType {
  @Field(() => ID, {
    simple: true,
    description: "Leads nowhere if the conversation has been deleted; the agent's id for times of availability.",
  })
  conversationId!: string
  @Field(() => DateTime, { simple: true }) at!: Date
  @Field(() => ID, { simple: true, nullable: true, description: 'The agent who did it.' }) userId!: string | null
  @Field(() => [ID], { simple: true, description: 'The channels for which it counts.' }) channels!: string[]
  @Field(() => TouchpointEnum, { simple: true, nullable: true }) touchpoint!: string | null
  @Field(() => String, { simple: true, nullable: true }) category!: string | null
  @Field(() => Float, { simple: true, nullable: true, description: 'The duration, in milliseconds.' })
  ms!: number | null
}

export const ReportRowConnection = connectionType('ReportRow', () => ReportRowType as never)
