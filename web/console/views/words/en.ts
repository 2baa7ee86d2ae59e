/** Texts of the views in English. */
export const en = {
  names: {
    open: 'All open',
    waiting: 'Waiting',
    active: 'Active',
    snoozed: 'Snoozed',
    undelivered: 'Not delivered',
    closed: 'Closed',
  },
  asOf: (time: string) => `As of ${time}`,
  state: 'State',
  channel: 'Channel',
  agent: 'Agent',
  label: 'Label',
  any: 'Any',
  unknown: 'Unknown',
  none: 'Nothing is in this view',
  fits: 'Nothing fits these filters.',
  clear: 'Clear them',
  more: 'Show more',
  failed: 'The list did not load.',
  filters: 'Filters',
  closedAt: (time: string) => `closed ${time}`,
}

export type ViewWords = typeof en
