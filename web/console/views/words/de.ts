import type { ViewWords } from './en.js'

export const de: ViewWords = {
  asOf: (time: string) => `Stand ${time}`,
  state: 'Status',
  channel: 'Kanal',
  agent: 'Person',
  label: 'Label',
  any: 'Alle',
  none: 'In dieser Ansicht ist nichts',
  fits: 'Nichts passt zu diesen Filtern.',
  clear: 'Filter löschen',
  more: 'Mehr anzeigen',
  failed: 'Die Liste wurde nicht geladen.',
  filters: 'Filter',
  closedAt: (time: string) => `geschlossen ${time}`,
}
