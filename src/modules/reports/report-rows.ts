import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import type { Page } from '../../platform/lists/connection.js'
import { PAGE_DEFAULT, PAGE_MAX } from '../../platform/lists/list-page.js'
import { camelRow } from '../../platform/lists/rows.js'
import { measureSql, QUARTER_MS } from './measures.js'
import { METRICS, type ReportMetric } from './metrics.js'
import { parseFilter, parseSpan, type ReportFilter } from './report-input.js'
import { visibleSql, type ReportScope } from './report-query.js'
import { supervisedChannels } from './report-scope.js'

/** One thing that a report counts. */
export interface ReportRow {
  conversationId: string
  nth: number
  at: Date
  userId: string | null
  channels: string[]
  touchpoint: string | null
  category: string | null
  ms: number | null
}

export interface ReportRowsRequest {
  metric: ReportMetric
  from: Date
  to: Date
  filter?: ReportFilter | null
  first?: number | null
  after?: string | null
}

/**
 * Returns what a number of a report counts, newest first: as many rows as the report's count with the same span and
 * filter.
 * @throws BadUserInput; Forbidden
 */
export async function reportRows(ctx: Context, request: ReportRowsRequest): Promise<Page<ReportRow>> {
  const span = parseSpan(request)
  const filter = parseFilter(request.filter ?? {})
  const limit = pageLength(request.first)
  const after = readCursor(request.after)
  const channels = await supervisedChannels(ctx, 'report.read')
  const scope: ReportScope = { tenant: ctx.tenant, org1: ctx.caller.path[0], channels }
  const { measure, isTimed } = METRICS[request.metric]
  const condition = (values: unknown[]): string => {
    values.push(scope.org1, new Date(span.from * QUARTER_MS), new Date(span.to * QUARTER_MS))
    const timed = isTimed ? ' and m.ms is not null' : ''
    const visible = visibleSql(scope, filter, 'm', values)
    return `m.org1 = $1 and m.at >= $2 and m.at < $3 and ${measureSql(measure)}${timed} and ${visible}`
  }
  const values: unknown[] = []
  const where = condition(values)
  const beyond = after
    ? ` and (m.at, m.conversation_id, m.nth) < ($${values.push(after.at)}, $${values.push(after.conversationId)}, $${values.push(after.nth)})`
    : ''
  const rows = await ctx.reports.query<Record<string, unknown>>(
    `select m.conversation_id, m.nth, m.at, m.user_id, m.channels, m.touchpoint, m.category, m.ms from milestone m
     where ${where}${beyond} order by m.at desc, m.conversation_id desc, m.nth desc limit ${limit + 1}`,
    values,
  )
  const edges = rows.slice(0, limit).map((row) => {
    const node = camelRow<ReportRow>(row)
    return { cursor: writeCursor(node), node }
  })
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > limit,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: async () => {
      const counted: unknown[] = []
      const text = `select count(*) as count from milestone m where ${condition(counted)}`
      return (await ctx.reports.query<{ count: number }>(text, counted))[0]!.count
    },
  }
}

function pageLength(first: number | null | undefined): number {
  const length = first ?? PAGE_DEFAULT
  if (length >= 1 && length <= PAGE_MAX) return length
  throw new BadUserInput('first', `first must be from 1 to ${PAGE_MAX}, not ${length}`)
}

type Place = Pick<ReportRow, 'at' | 'conversationId' | 'nth'>

function writeCursor({ at, conversationId, nth }: Place): string {
  return Buffer.from(`${at.getTime()} ${conversationId} ${nth}`).toString('base64url')
}

function readCursor(cursor: string | null | undefined): Place | null {
  if (cursor == null) return null
  const [at, conversationId, nth] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (/^\d{1,14}$/.test(at ?? '') && isId(conversationId) && /^\d{1,9}$/.test(nth ?? ''))
    return { at: new Date(Number(at)), conversationId, nth: Number(nth) }
  throw new BadUserInput('after', `after ${quoteValue(cursor)} is not a cursor of these rows`)
}
