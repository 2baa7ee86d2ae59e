import type { SessionWords } from './en.js'

export const nl = {
  own: 'Waar u bent aangemeld',
  title: 'Sessies',
  none: 'Nergens aangemeld',
  since: (time: string) => `sinds ${time}`,
  seen: (time: string) => `laatst gebruikt ${time}`,
  current: 'deze sessie',
  unknown: 'Onbekend apparaat',
  end: 'Beëindigen',
  endOthers: 'Alle andere beëindigen',
  endAll: 'Alle beëindigen',
} satisfies SessionWords
