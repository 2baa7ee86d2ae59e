import type { Context } from '../../platform/context.js'
import { BadUserInput } from '../../platform/errors.js'
import { todayOf } from './day-of-organization.js'
import { isOfAgents, type ReportMetric } from './metrics.js'
import type { ReportDimension } from './report-input.js'
import { countReport, readRequest, type Report, type ReportParts } from './report.js'
import { dateOfQuarter } from './time-buckets.js'

export interface OwnReportArguments {
  metrics?: readonly ReportMetric[] | null
  by?: readonly ReportDimension[] | null
  /** Without these, today. */
  from?: Date | null
  to?: Date | null
  timezone?: string | null
}

/** Figures that agents look at first. */
export const OWN_METRICS = [
  'handled',
  'serviceLevel',
  'firstResponseTime',
  'handleTime',
  'transferred',
  'received',
  'offersMade',
  'offersAccepted',
  'availableTime',
  'busyTime',
  'awayTime',
  'wrapUpTime',
  'occupancy',
  'concurrency',
] as const satisfies readonly ReportMetric[]

/**
 * Counts what the caller did, wherever in the contact center: it needs no supervision. The numbers are those of a report that
 * is limited to this user.
 * @throws BadUserInput also for a metric of what no agent does, and for one end of a span
 */
export async function ownReport(ctx: Context, given: OwnReportArguments, parts: ReportParts): Promise<Report> {
  ctx.require('report.readOwn')
  const [org1] = ctx.caller.path
  const metrics = given.metrics ?? OWN_METRICS
  for (const [index, metric] of metrics.entries()) {
    if (isOfAgents(metric)) continue
    const field = `metrics[${index}]`
    throw new BadUserInput(field, `${field} ${metric} counts what no agent does`)
  }
  const { user } = ctx.userCaller
  const span = await spanOf(ctx, org1, given)
  const request = await readRequest(ctx, { ...given, ...span, metrics, filter: { users: [user] } })
  return countReport(ctx, { tenant: { path: [org1] }, org1, channels: null }, request, parts)
}

async function spanOf(ctx: Context, org1: string, { from, to }: OwnReportArguments): Promise<{ from: Date; to: Date }> {
  if (from && to) return { from, to }
  if (from ?? to) throw new BadUserInput(from ? 'to' : 'from', 'from and to are given together, or neither for today')
  const today = await todayOf(ctx.reads, org1, ctx.now())
  return { from: dateOfQuarter(today.from), to: dateOfQuarter(today.to) }
}
