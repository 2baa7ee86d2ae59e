import type { ViewWords } from './en.js'

export const de: ViewWords = {
  names: {
    open: 'Alle offenen',
    waiting: 'Wartend',
    active: 'In Arbeit',
    snoozed: 'Zurückgestellt',
    undelivered: 'Nicht zugestellt',
    closed: 'Geschlossen',
  },
  asOf: (time: string) => `Stand ${time}`,
  state: 'Status',
  channel: 'Kanal',
  agent: 'Person',
  label: 'Label',
  any: 'Alle',
  unknown: 'Unbekannt',
  none: 'In dieser Ansicht ist nichts',
  fits: 'Nichts passt zu diesen Filtern.',
  clear: 'Filter löschen',
  more: 'Mehr anzeigen',
  failed: 'Die Liste wurde nicht geladen.',
  filters: 'Filter',
  closedAt: (time: string) => `geschlossen ${time}`,
}
