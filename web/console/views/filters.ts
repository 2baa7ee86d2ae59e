import { signal } from '@preact/signals'
import type { ViewPageQueryVariables } from '../../generated/views.js'
import type { ViewName } from '../route.js'

/** Narrows the lists of views; empty: not. */
export interface Filters {
  channel: string
  agent: string
  label: string
}

export const NO_FILTERS: Filters = { channel: '', agent: '', label: '' }

/** Stays while the page is open, whichever view is shown. */
export const filters = signal(NO_FILTERS)

type Asked = Pick<ViewPageQueryVariables, 'filter' | 'orderBy'>

const NOT_SNOOZED = { snoozedUntil: { eq: null } } as const
const BY_MESSAGE = [{ field: 'LAST_MESSAGE_AT', direction: 'DESC' }] as const

/** As `viewCounts` counts them. */
const VIEW: Readonly<Record<ViewName, Asked['filter']>> = {
  open: { status: { in: ['QUEUED', 'ACTIVE'] } },
  waiting: { status: { eq: 'QUEUED' } },
  active: { status: { eq: 'ACTIVE' }, ...NOT_SNOOZED },
  snoozed: { status: { eq: 'ACTIVE' }, snoozedUntil: { ne: null } },
  undelivered: { undelivered: { gt: 0 } },
  closed: { closedAt: { ne: null } },
}

/** Returns the arguments of the query for a view with filters. */
export function askedFor(view: ViewName, { channel, agent, label }: Filters): Asked {
  const participants = agent && { user: { eq: agent }, ...(view !== 'closed' && { accepted: { eq: true } }) }
  return {
    filter: {
      type: { eq: 'CONTACT' },
      ...VIEW[view],
      ...(channel && { caseChannels: { eq: channel } }),
      ...(label && { labels: { eq: label } }),
      ...(participants && { participants }),
    },
    orderBy: view === 'closed' ? [{ field: 'CLOSED_AT', direction: 'DESC' }] : [...BY_MESSAGE],
  }
}
