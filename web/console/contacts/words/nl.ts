import type { ContactWords } from './en.js'

export const nl: ContactWords = {
  title: 'Contacten',
  find: 'Zoek een contact',
  lead: 'Iedereen die heeft geschreven, en die u mag zien.',
  none: 'Geen contact past hierbij.',
  noneYet: 'Contacten verschijnen hier zodra iemand schrijft.',
  more: 'Meer tonen',
  failed: 'De contacten zijn niet geladen.',
  conversations: 'Gesprekken',
  noConversations: 'Er is geen gesprek dat u mag zien.',
  details: 'Gegevens',
  back: 'Alle contacten',
  blocked: 'Geblokkeerd',
  worksFor: 'Werkt voor',
  email: 'E-mail',
  phone: 'Telefoon',
  gone: 'Dit contact bestaat niet, of u mag het niet zien.',
}
