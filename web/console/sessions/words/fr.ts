import type { SessionWords } from './en.js'

export const fr = {
  own: 'Où vous êtes connecté',
  title: 'Sessions',
  none: 'Connecté nulle part',
  since: (time: string) => `depuis ${time}`,
  seen: (time: string) => `utilisée ${time}`,
  current: 'cette session',
  unknown: 'Appareil inconnu',
  end: 'Terminer',
  endOthers: 'Terminer toutes les autres',
  endAll: 'Tout terminer',
} satisfies SessionWords
