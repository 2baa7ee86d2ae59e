import { useEffect, useRef, useState } from 'preact/hooks'
import {
  ReportRowsDocument,
  type ReportFilter,
  type ReportMetric,
  type ReportRowsQuery,
} from '../../generated/reports.js'
import { formatLocale } from '../../shared/i18n/format.js'
import { useStore } from '../store/console-store.js'
import { threadPath } from '../route.js'
import { took } from './format.js'
import { metricName } from './metric.js'
import { words } from './words.js'

interface RowsBehindProps {
  metric: ReportMetric
  label: string
  from: string
  to: string
  filter: ReportFilter
  close(): void
}

type Rows = ReportRowsQuery['reportRows']

/** The conversations that a number counts, newest first. */
export function RowsBehind({ metric, label, from, to, filter, close }: RowsBehindProps) {
  const store = useStore()
  const heading = useRef<HTMLHeadingElement>(null)
  const [rows, set] = useState<Rows['edges']>([])
  const [page, turn] = useState<Pick<Rows, 'pageInfo' | 'totalCount'> | null>(null)
  const key = JSON.stringify([metric, from, to, filter])
  const load = async (after: string | null, earlier: Rows['edges'], signal?: AbortSignal): Promise<void> => {
    const { reportRows } = await store.request(ReportRowsDocument, { metric, from, to, filter, after }, signal)
    set([...earlier, ...reportRows.edges])
    turn(reportRows)
  }
  useEffect(() => {
    const stop = new AbortController()
    heading.current?.focus()
    load(null, [], stop.signal).catch(() => undefined)
    return () => stop.abort()
  }, [key])
  const own = words.rows
  return (
    <section class="box rows-behind" aria-labelledby="rows-behind" aria-busy={page === null}>
      <div class="line pad">
        <h2 id="rows-behind" ref={heading} tabIndex={-1}>
          {own.title(metricName(metric), label)}
          {page && ` (${page.totalCount})`}
        </h2>
        <button class="btn small push" onClick={close}>
          {own.close}
        </button>
      </div>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{own.conversation}</th>
            <th scope="col">{own.at}</th>
            <th scope="col">{own.who}</th>
            <th scope="col" class="num">
              {own.took}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ node }, index) => (
            <tr key={index}>
              <th scope="row">
                {node.conversation ? (
                  <a href={threadPath(node.conversation.slug)}>
                    <bdi>{node.conversation.name}</bdi>
                  </a>
                ) : (
                  own.gone
                )}
              </th>
              <td>{new Date(node.at).toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' })}</td>
              <td>
                <bdi>{node.user?.displayName ?? ''}</bdi>
              </td>
              <td class="num">{node.ms === null ? '' : took(node.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {page?.pageInfo.hasNextPage && (
        <button class="btn" onClick={() => void load(page.pageInfo.endCursor, rows)}>
          {own.more}
        </button>
      )}
    </section>
  )
}
