import type { IdentityWords } from './en.js'

export const fr = {
  title: 'Comptes liés',
  linked: (time: string) => `lié ${time}`,
  lastUsed: (time: string) => `utilisé ${time}`,
  notLinked: 'Non lié : liez-le pour vous connecter ici avec lui',
  link: 'Lier',
  linkTitle: (provider: string) => `Lier ${provider}`,
  linkText: (provider: string) =>
    `Vous vous connectez chez ${provider} et revenez ici. Dès lors, ce compte vous connecte ici aussi.`,
  password: 'Mot de passe actuel',
  passwordHelp:
    'Laissez-le vide si vous n’en avez pas ici : connectez-vous alors par un fournisseur dans les 15 minutes qui précèdent.',
  go: 'Continuer',
  unlink: 'Délier',
  unlinkAsk: 'Délier et terminer ses sessions ?',
  linking: 'Liaison en cours',
  isLinked: (provider: string) => `${provider} est lié. Vous pouvez désormais vous connecter avec lui.`,
  notDone: 'Non lié',
  again: 'Réessayer',
  none: 'Aucun',
  wrongPassword: 'Ce n’est pas votre mot de passe.',
  passwordNeeded: 'Saisissez votre mot de passe.',
  freshNeeded: 'Vous n’avez pas de mot de passe ici. Déconnectez-vous, reconnectez-vous, et liez dans les 15 minutes.',
  lastWay:
    'C’est votre seul moyen de connexion. Choisissez d’abord un mot de passe : déconnectez-vous, puis « Mot de passe oublié ? » sur la page de connexion.',
  taken: 'Ce compte est lié ici à quelqu’un d’autre, qui doit d’abord le délier.',
  tooMany: 'Vous avez autant de comptes liés que permis. Déliez-en un d’abord.',
  expired: 'Cela a pris trop de temps, ou c’était déjà fait. Liez-le à nouveau s’il n’apparaît pas ici.',
} satisfies IdentityWords
