/** Texts of the views in English. */
export const en = {
  asOf: (time: string) => `As of ${time}`,
  state: 'State',
  channel: 'Channel',
  agent: 'Agent',
  label: 'Label',
  any: 'Any',
  none: 'Nothing is in this view',
  fits: 'Nothing fits these filters.',
  clear: 'Clear them',
  more: 'Show more',
  failed: 'The list did not load.',
  filters: 'Filters',
  closedAt: (time: string) => `closed ${time}`,
}

export type ViewWords = typeof en
