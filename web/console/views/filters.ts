import { signal } from '@preact/signals'
import type { ViewPageQueryVariables } from '../../generated/views.js'
import type { ViewName } from './view-name.js'

/** Narrows the lists of views; empty: not. */
export interface Filters {
  channel: string
  agent: string
  label: string
}

export const NO_FILTERS: Filters = { channel: '', agent: '', label: '' }

/** Choices of the page: a fixed view, or none for conversations in any state, and filters. */
export interface Conditions extends Filters {
  state: ViewName | ''
}

/** Stays while the page is open, whichever view is shown. */
export const filters = signal(NO_FILTERS)

export type Asked = Pick<ViewPageQueryVariables, 'filter' | 'orderBy'>

const NOT_SNOOZED = { snoozedUntil: { eq: null } } as const
export const BY_MESSAGE = [{ field: 'LAST_MESSAGE_AT', direction: 'DESC' }] as const

/** As `viewCounts` counts them. */
export const STATES: Readonly<Record<ViewName, Asked['filter']>> = {
  open: { status: { in: ['QUEUED', 'ACTIVE'] } },
  waiting: { status: { eq: 'QUEUED' } },
  active: { status: { eq: 'ACTIVE' }, ...NOT_SNOOZED },
  snoozed: { status: { eq: 'ACTIVE' }, snoozedUntil: { ne: null } },
  undelivered: { undelivered: { gt: 0 }, status: { ne: 'ARCHIVED' } },
  closed: { closedAt: { ne: null } },
}

/** Tells whether the agent of a state is who has accepted; in what has ended, and in any state, it is whoever took part. */
export const needsAccepted = (state: ViewName | ''): boolean => state !== 'closed' && state !== ''

export function filterOf({ state, channel, agent, label }: Conditions): Asked['filter'] {
  const participants = agent && { user: { eq: agent }, ...(needsAccepted(state) && { accepted: { eq: true } }) }
  return {
    type: { eq: 'CONTACT' },
    ...(state && STATES[state]),
    ...(channel && { caseChannels: { eq: channel } }),
    ...(label && { labels: { eq: label } }),
    ...(participants && { participants }),
  }
}

/** Returns the arguments of the query for a view with filters. */
export function askedFor(state: ViewName, given: Filters): Asked {
  return {
    filter: filterOf({ ...given, state }),
    orderBy: state === 'closed' ? [{ field: 'CLOSED_AT', direction: 'DESC' }] : [...BY_MESSAGE],
  }
}
