import { ViewCountsDocument } from '../../generated/views.js'
import { formatLocale } from '../../shared/i18n/format.js'
import { useQuery } from '../admin/use-query.js'
import { VIEWS, type ViewName } from './view-name.js'

const COUNTED = {
  open: 'OPEN',
  waiting: 'WAITING',
  active: 'ACTIVE',
  snoozed: 'SNOOZED',
  undelivered: 'UNDELIVERED',
  closed: 'CLOSED',
} as const

const ALL = VIEWS.map((each) => COUNTED[each])

/** Returns the count of a fixed view in words; empty while it is not known. */
export function useFixedCounts(): (view: ViewName) => string {
  const counts = useQuery(ViewCountsDocument, { views: ALL }).data?.viewCounts
  return (view) => {
    const counted = counts?.find((one) => one.view === COUNTED[view])
    return counted ? countText(counted) : ''
  }
}

/** "1,000+" */
export function countText({ count, isMore }: { count: number; isMore: boolean }): string {
  return `${count.toLocaleString(formatLocale())}${isMore ? '+' : ''}`
}
