import type { ContactWords } from './en.js'

export const de: ContactWords = {
  title: 'Kontakte',
  find: 'Kontakt suchen',
  lead: 'Alle, die geschrieben haben und die Sie sehen dürfen.',
  none: 'Kein Kontakt passt dazu.',
  noneYet: 'Kontakte erscheinen hier, sobald jemand schreibt.',
  more: 'Mehr anzeigen',
  failed: 'Die Kontakte wurden nicht geladen.',
  conversations: 'Gespräche',
  noConversations: 'Es gibt kein Gespräch, das Sie sehen dürfen.',
  details: 'Angaben',
  back: 'Alle Kontakte',
  blocked: 'Gesperrt',
  worksFor: 'Arbeitet für',
  email: 'E-Mail',
  phone: 'Telefon',
  gone: 'Diesen Kontakt gibt es nicht, oder Sie dürfen ihn nicht sehen.',
}
