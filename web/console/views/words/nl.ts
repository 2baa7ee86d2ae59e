import type { ViewWords } from './en.js'

export const nl: ViewWords = {
  names: {
    open: 'Alle open',
    waiting: 'Wachtend',
    active: 'In behandeling',
    snoozed: 'Sluimerend',
    undelivered: 'Niet bezorgd',
    closed: 'Gesloten',
  },
  asOf: (time: string) => `Stand van ${time}`,
  state: 'Status',
  channel: 'Kanaal',
  agent: 'Medewerker',
  label: 'Label',
  any: 'Alle',
  unknown: 'Onbekend',
  none: 'In deze weergave staat niets',
  fits: 'Niets past bij deze filters.',
  clear: 'Filters wissen',
  more: 'Meer tonen',
  failed: 'De lijst is niet geladen.',
  filters: 'Filters',
  closedAt: (time: string) => `gesloten ${time}`,
}
