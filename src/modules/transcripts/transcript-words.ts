import { wordsOf } from '../../platform/content/words-of.js'

/** Words of copies to consumers, by the language of the conversation. */
const WORDS = {
  en: {
    subject: (organization: string) => `Your conversation with ${organization}`,
    zone: (timezone: string) => `Times are those of ${timezone}.`,
    shortened: 'Earlier messages are left out.',
    you: 'You',
    automated: 'automated',
    codeSubject: 'Your code for a copy of your conversation',
    code: (organization: string) =>
      `Somebody asked ${organization} to send a copy of a conversation to this address. If it was you, enter this code within 15 minutes:`,
    codeHelp: 'Otherwise nothing needs to be done, and nothing is sent.',
  },
  de: {
    subject: (organization: string) => `Ihr Gespräch mit ${organization}`,
    zone: (timezone: string) => `Alle Zeiten gelten für ${timezone}.`,
    shortened: 'Frühere Nachrichten sind nicht enthalten.',
    you: 'Sie',
    automated: 'automatisch',
    codeSubject: 'Ihr Code für eine Kopie Ihres Gesprächs',
    code: (organization: string) =>
      `Jemand hat ${organization} gebeten, eine Kopie eines Gesprächs an diese Adresse zu senden. Wenn Sie es waren, geben Sie innerhalb von 15 Minuten diesen Code ein:`,
    codeHelp: 'Andernfalls müssen Sie nichts tun, und es wird nichts gesendet.',
  },
  fr: {
    subject: (organization: string) => `Votre conversation avec ${organization}`,
    zone: (timezone: string) => `Les heures sont celles de ${timezone}.`,
    shortened: 'Les messages plus anciens ne sont pas inclus.',
    you: 'Vous',
    automated: 'automatique',
    codeSubject: 'Votre code pour une copie de votre conversation',
    code: (organization: string) =>
      `Quelqu’un a demandé à ${organization} d’envoyer une copie d’une conversation à cette adresse. Si c’était vous, saisissez ce code dans les 15 minutes :`,
    codeHelp: 'Sinon, vous n’avez rien à faire et rien n’est envoyé.',
  },
  nl: {
    subject: (organization: string) => `Uw gesprek met ${organization}`,
    zone: (timezone: string) => `Alle tijden gelden voor ${timezone}.`,
    shortened: 'Eerdere berichten zijn niet opgenomen.',
    you: 'U',
    automated: 'automatisch',
    codeSubject: 'Uw code voor een kopie van uw gesprek',
    code: (organization: string) =>
      `Iemand heeft ${organization} gevraagd een kopie van een gesprek naar dit adres te sturen. Was u dat, voer dan binnen 15 minuten deze code in:`,
    codeHelp: 'Anders hoeft u niets te doen, en wordt er niets verstuurd.',
  },
}

/** English for other languages. */
export const transcriptWords = (language: string | null) => wordsOf(WORDS, language)
