import type { ContactWords } from './en.js'

export const fr: ContactWords = {
  title: 'Contacts',
  find: 'Chercher un contact',
  lead: 'Tous ceux qui ont écrit, et que vous pouvez voir.',
  none: 'Aucun contact ne correspond.',
  noneYet: 'Les contacts apparaissent ici dès que quelqu’un écrit.',
  more: 'Afficher plus',
  failed: 'Les contacts n’ont pas été chargés.',
  conversations: 'Conversations',
  noConversations: 'Il n’y a pas de conversation que vous puissiez voir.',
  details: 'Coordonnées',
  back: 'Tous les contacts',
  blocked: 'Bloqué',
  worksFor: 'Travaille pour',
  email: 'E-mail',
  phone: 'Téléphone',
  gone: 'Ce contact n’existe pas, ou vous ne pouvez pas le voir.',
}
