import type { SessionWords } from './en.js'

export const de = {
  own: 'Wo Sie angemeldet sind',
  title: 'Sitzungen',
  none: 'Nirgends angemeldet',
  since: (time: string) => `seit ${time}`,
  seen: (time: string) => `zuletzt benutzt ${time}`,
  current: 'diese Sitzung',
  unknown: 'Unbekanntes Gerät',
  end: 'Beenden',
  endOthers: 'Alle anderen beenden',
  endAll: 'Alle beenden',
} satisfies SessionWords
