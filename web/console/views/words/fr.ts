import type { ViewWords } from './en.js'

export const fr: ViewWords = {
  names: {
    open: 'Toutes ouvertes',
    waiting: 'En attente',
    active: 'En cours',
    snoozed: 'En veille',
    undelivered: 'Non remises',
    closed: 'Fermées',
  },
  asOf: (time: string) => `État à ${time}`,
  state: 'État',
  channel: 'Canal',
  agent: 'Agent',
  label: 'Étiquette',
  any: 'Tous',
  unknown: 'Inconnu',
  none: 'Rien dans cette vue',
  fits: 'Rien ne correspond à ces filtres.',
  clear: 'Effacer les filtres',
  more: 'Afficher plus',
  failed: 'La liste n’a pas été chargée.',
  filters: 'Filtres',
  closedAt: (time: string) => `fermée ${time}`,
}
