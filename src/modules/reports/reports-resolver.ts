import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  ArgsType,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  Info,
  Int,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { Conversation, loadConversation } from '../conversations/api/conversation.js'
import type { ConversationState } from '../conversations/state/conversation-state.js'
import type { Page } from '../../platform/lists/connection.js'
import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { selectionOf, selectionWithin } from '../../platform/lists/selection.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { ownReport, type OwnReportArguments } from './own-report.js'
import { ReportMetricEnum, type ReportMetric } from './metrics.js'
import { reportCsv } from './report-csv.js'
import { ReportDimensionEnum, ReportFilter, type ReportArguments, type ReportDimension } from './report-input.js'
import { reportRows, type ReportRow } from './report-rows.js'
import { ReportRowConnection, ReportRowType, ReportType } from './report-types.js'
import { report, type Report, type ReportParts } from './report.js'

/** Spans of at most two months are counted at once. */
const LONG_SPAN_MS = 62 * 86_400_000

const AT = 'A quarter of an hour, such as `2026-03-01T00:00:00+01:00`.'

@ArgsType()
class ReportArgs implements ReportArguments {
  @Field(() => [ReportMetricEnum], { description: 'Metrics to count, in this order.' }) metrics!: ReportMetric[]
  @Field(() => [ReportDimensionEnum], {
    nullable: true,
    description:
      'Dimensions of the lines; at most three, of which one is a unit of time. Without them, only the totals.',
  })
  by?: ReportDimension[] | null
  @Field(() => DateTime, { description: `${AT} Included.` }) from!: Date
  @Field(() => DateTime, { description: `${AT} Excluded; at most 400 days after \`from\`.` }) to!: Date
  @Field(() => String, {
    nullable: true,
    description: "IANA time zone of days, weeks and months; that of the contact center's organization by default.",
  })
  timezone?: string | null
  @Field(() => ReportFilter, { nullable: true }) filter?: ReportFilter | null
}

@ArgsType()
class OwnReportArgs implements OwnReportArguments {
  @Field(() => [ReportMetricEnum], {
    nullable: true,
    description: 'Metrics of what agents do, in this order; by default a selection of them.',
  })
  metrics?: ReportMetric[] | null
  @Field(() => [ReportDimensionEnum], { nullable: true, description: 'Dimensions of the lines, as in `report`.' }) by?:
    | ReportDimension[]
    | null
  @Field(() => DateTime, { nullable: true, description: `${AT} Included. Without \`from\` and \`to\`: today.` })
  from?: Date | null
  @Field(() => DateTime, { nullable: true, description: `${AT} Excluded.` }) to?: Date | null
  @Field(() => String, { nullable: true, description: 'IANA time zone of days and hours, as in `report`.' }) timezone?:
    | string
    | null
}

@Resolver(() => ReportType)
export class ReportsResolver {
  /** @param long runs reports over long spans */
  constructor(private readonly long: FairQueue) {}

  @Authorized('report.read')
  @Query(() => ReportType, {
    description:
      "Numbers of the conversations in and below the caller's organization; for a supervisor of channels, those of these " +
      'channels. Definitions: docs/guide/reports.md.',
  })
  report(
    @Ctx() ctx: Context,
    @Args(() => ReportArgs) args: ReportArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Report> {
    const count = (): Promise<Report> => report(ctx, args, partsOf(info))
    return isLong(args) && ctx.share ? this.long.run(ctx.share, count) : count()
  }

  @Authorized('report.readOwn')
  @Query(() => ReportType, {
    description:
      "The caller's own numbers, of all that it did in the contact center: those of a `report` that is limited to this user. " +
      'By default of today, which begins at midnight in the time zone of the organization.',
  })
  myReport(
    @Ctx() ctx: Context,
    @Args(() => OwnReportArgs) args: OwnReportArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Report> {
    const count = (): Promise<Report> => ownReport(ctx, args, partsOf(info))
    return isLong(args) && ctx.share ? this.long.run(ctx.share, count) : count()
  }

  @Authorized('report.read')
  @Query(() => ReportRowConnection, {
    description: 'Rows behind a number of a report, newest first: as many as its count with the same span and filter.',
  })
  reportRows(
    @Ctx() ctx: Context,
    @Arg('metric', () => ReportMetricEnum, { description: 'Metric that was counted.' }) metric: ReportMetric,
    @Arg('from', () => DateTime, { description: AT }) from: Date,
    @Arg('to', () => DateTime, { description: AT }) to: Date,
    @Arg('filter', () => ReportFilter, { nullable: true }) filter?: ReportFilter | null,
    @Arg('first', () => Int, { nullable: true, description: 'Page length, 30 by default, at most 100.' })
    first?: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Returns only rows after this cursor.' })
    after?: string | null,
  ): Promise<Page<ReportRow>> {
    return reportRows(ctx, { metric, from, to, filter, first, after })
  }

  @FieldResolver(() => String, { description: 'The lines as CSV, with a header; durations in seconds.' })
  csv(@Root() root: Report): string {
    return reportCsv(root)
  }
}

const isLong = ({ from, to }: { from?: Date | null; to?: Date | null }): boolean =>
  (to?.getTime() ?? 0) - (from?.getTime() ?? 0) > LONG_SPAN_MS

const PERCENTILES: ReadonlySet<string> = new Set(['p50Ms', 'p90Ms', 'p95Ms'])

/** Reading durations by class is several times the work of their sums. */
function partsOf(info: GraphQLResolveInfo): ReportParts {
  const selections = info.fieldNodes.flatMap((node) => selectionOf(node, info.returnType, info.fragments) ?? [])
  const has = (name: string): boolean =>
    selections.some(({ fields }) => fields.some((field) => field.name.value === name))
  const values = selections.flatMap((selection) => {
    const lines = selectionWithin(selection, 'lines')
    return [lines && selectionWithin(lines, 'values'), selectionWithin(selection, 'totals')]
  })
  const hasPercentiles = values.some((value) => value?.fields.some(({ name }) => PERCENTILES.has(name.value)))
  return { isDetailed: has('csv') || hasPercentiles, hasTotals: has('totals') || has('csv') }
}

@Resolver(() => ReportRowType)
export class ReportRowsResolver {
  @FieldResolver(() => Conversation, { nullable: true, description: 'Null if it has been deleted.' })
  conversation(@Root() { conversationId }: ReportRow, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, conversationId)
  }

  @FieldResolver(() => User, { nullable: true, description: 'Null if the user has been deleted.' })
  user(@Root() { userId }: ReportRow, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return userId === null ? Promise.resolve(null) : ctx.loader(userProfileLoader).load(userId)
  }
}
