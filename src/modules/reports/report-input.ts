import { Field, ID, InputType } from 'type-graphql'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseList, parseText } from '../../platform/input.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { ProposalKind } from '../conversations/state/proposal-kind.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import { parseTimezone } from '../../platform/timezone.js'
import { QUARTER_MS } from './measures.js'
import { REPORT_METRICS, type ReportMetric } from './metrics.js'
import type { Quarters, TimeUnit } from './time-buckets.js'

export const ReportDimensionEnum = graphqlEnum('ReportDimension', 'Dimension of the lines of a report.', {
  HOUR: ['hour', 'Hours of the time zone; at most 31 days.'],
  DAY: ['day', 'Days of the time zone.'],
  WEEK: ['week', 'Weeks of the time zone, from Monday.'],
  MONTH: ['month', 'Months of the time zone.'],
  CHANNEL: ['channel', 'Channels; what counts for several channels is in the lines of each, and once in the total.'],
  USER: ['user', 'The agent who accepted, answered or left; none for what no agent did.'],
  REASON: ['reason', 'The reason code of the state of an agent; none for what is no such state.'],
  BOT: ['bot', 'The bot that proposed; none for what is no proposal.'],
  PROPOSAL_KIND: ['proposalKind', 'The kind of the proposal; none for what is no proposal.'],
  TOUCHPOINT: ['touchpoint', 'The touchpoint of the conversation at that time.'],
  CATEGORY: ['category', 'The category of the conversation at that time.'],
  ORGANIZATION: ['organization', "The conversation's organization."],
})
export type ReportDimension = (typeof ReportDimensionEnum)[keyof typeof ReportDimensionEnum]

@InputType({ description: 'Limits a report. All conditions must hold; a list matches any of its values.' })
export class ReportFilter {
  @Field(() => [ID], { nullable: true, description: 'Channels that were notified of the case.' })
  channels?: string[] | null
  @Field(() => [ID], { nullable: true, description: 'Agents who did what is counted.' }) users?: string[] | null
  @Field(() => [ID], { nullable: true, description: 'Reason codes of states of agents.' }) reasons?: string[] | null
  @Field(() => [ID], { nullable: true, description: 'Bots that proposed.' }) bots?: string[] | null
  @Field(() => [ProposalKind], { nullable: true, description: 'Kinds of what was proposed.' })
  proposalKinds?: ProposalKind[] | null
  @Field(() => [TouchpointEnum], { nullable: true, description: 'Touchpoints of the conversation at that time.' })
  touchpoints?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Categories of the conversation at that time.' })
  categories?: string[] | null
  @Field(() => [ID], { nullable: true, description: 'Organizations whose own conversations are counted.' })
  organizations?: string[] | null
}

export interface ReportArguments<Timezone = string | null | undefined> {
  metrics: readonly ReportMetric[]
  by?: readonly ReportDimension[] | null
  from: Date
  to: Date
  timezone?: Timezone
  filter?: ReportFilter | null
}

/** A parsed request. */
export interface ReportRequest extends Quarters {
  metrics: readonly ReportMetric[]
  unit: TimeUnit | null
  /** Dimensions besides the time, in the order given. */
  by: readonly Exclude<ReportDimension, TimeUnit>[]
  timezone: string
  filter: ReportFilter
}

const DAYS_MAX = 400
const HOURLY_DAYS_MAX = 31
const DIMENSIONS_MAX = 3
const VALUES_MAX = 1_000
const CATEGORY_CHARS_MAX = 200
const DAY_QUARTERS = 96
const UNITS: readonly string[] = ['hour', 'day', 'week', 'month'] satisfies TimeUnit[]

/** @throws BadUserInput naming the argument */
export function parseReport({ metrics, by, timezone, filter, ...span }: ReportArguments<string>): ReportRequest {
  if (metrics.length === 0 || metrics.length > REPORT_METRICS.length) {
    throw new BadUserInput('metrics', `metrics has ${metrics.length} values, not 1 to ${REPORT_METRICS.length}`)
  }
  if (by) parseList(by, 'by', Object.keys(ReportDimensionEnum).length)
  const dimensions = [...new Set(by ?? [])]
  const units = dimensions.filter((dimension) => UNITS.includes(dimension)) as TimeUnit[]
  if (units.length > 1)
    throw new BadUserInput('by', `by names ${units.join(' and ')}: only one unit of time is possible`)
  if (dimensions.length > DIMENSIONS_MAX) {
    throw new BadUserInput('by', `by has ${dimensions.length} values; at most ${DIMENSIONS_MAX} are allowed`)
  }
  const unit = units[0] ?? null
  return {
    ...parseSpan(span, unit === 'hour' ? HOURLY_DAYS_MAX : DAYS_MAX),
    metrics: [...new Set(metrics)],
    unit,
    by: dimensions.filter((dimension) => !UNITS.includes(dimension)) as ReportRequest['by'],
    timezone: parseTimezone(timezone, 'timezone'),
    filter: parseFilter(filter ?? {}),
  }
}

/** @throws BadUserInput for times that are no quarters of an hour, a reversed span and one that is too long */
export function parseSpan({ from, to }: { from: Date; to: Date }, daysMax = DAYS_MAX): Quarters {
  const span = { from: from.getTime() / QUARTER_MS, to: to.getTime() / QUARTER_MS }
  for (const [field, at] of Object.entries({ from, to })) {
    if (Number.isInteger(at.getTime() / QUARTER_MS)) continue
    throw new BadUserInput(field, `${field} ${at.toISOString()} is not a quarter of an hour, such as 10:15`)
  }
  if (span.from >= span.to) {
    throw new BadUserInput('from', `from ${from.toISOString()} must be before to ${to.toISOString()}`)
  }
  // A zone's days are up to an hour longer than 24.
  if (span.to - span.from > daysMax * DAY_QUARTERS + 4) {
    const days = Math.ceil((span.to - span.from) / DAY_QUARTERS)
    throw new BadUserInput('to', `to is ${days} days after from; at most ${daysMax} are allowed`)
  }
  if (span.from < 0 || span.to > 2 ** 31 - 1)
    throw new BadUserInput('from', `from ${from.toISOString()} is out of range`)
  return span
}

export function parseFilter(filter: ReportFilter): ReportFilter {
  return {
    channels: ids(filter.channels, 'filter.channels'),
    users: ids(filter.users, 'filter.users'),
    reasons: ids(filter.reasons, 'filter.reasons'),
    bots: ids(filter.bots, 'filter.bots'),
    proposalKinds: list(filter.proposalKinds, 'filter.proposalKinds'),
    organizations: ids(filter.organizations, 'filter.organizations'),
    touchpoints: list(filter.touchpoints, 'filter.touchpoints'),
    categories: list(filter.categories, 'filter.categories')?.map((category, index) =>
      parseText(category, `filter.categories[${index}]`, { max: CATEGORY_CHARS_MAX }),
    ),
  }
}

function ids(given: string[] | null | undefined, field: string): string[] | undefined {
  return list(given, field)?.map((id, index) => {
    if (isId(id)) return id.toLowerCase()
    throw new BadUserInput(`${field}[${index}]`, `${field}[${index}] ${quoteValue(id)} is not an id`)
  })
}

function list<Value extends string>(given: Value[] | null | undefined, field: string): Value[] | undefined {
  if (isAbsent(given)) return undefined
  if (given.length === 0 || given.length > VALUES_MAX) {
    throw new BadUserInput(field, `${field} has ${given.length} values, not 1 to ${VALUES_MAX}`)
  }
  return given
}
