import type { ViewWords } from './en.js'

export const nl: ViewWords = {
  asOf: (time: string) => `Stand van ${time}`,
  state: 'Status',
  channel: 'Kanaal',
  agent: 'Medewerker',
  label: 'Label',
  any: 'Alle',
  none: 'In deze weergave staat niets',
  fits: 'Niets past bij deze filters.',
  clear: 'Filters wissen',
  more: 'Meer tonen',
  failed: 'De lijst is niet geladen.',
  filters: 'Filters',
  closedAt: (time: string) => `gesloten ${time}`,
}
