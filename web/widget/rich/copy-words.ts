/** Words of copies by email, loaded with the form. */
const WORDS = {
  en: {
    copy: 'Copy by email',
    email: 'Your email address',
    sendCode: 'Send me a code',
    code: 'Code from the email',
    help: 'We have mailed you a code of eight digits. It is valid for 15 minutes.',
    send: 'Send the copy',
    sent: (to: string) => `A copy is on its way to ${to}.`,
    cancel: 'Cancel',
  },
  de: {
    copy: 'Kopie per E-Mail',
    email: 'Ihre E-Mail-Adresse',
    sendCode: 'Code senden',
    code: 'Code aus der E-Mail',
    help: 'Wir haben Ihnen einen Code mit acht Ziffern gesendet. Er gilt 15 Minuten.',
    send: 'Kopie senden',
    sent: (to: string) => `Eine Kopie ist unterwegs an ${to}.`,
    cancel: 'Abbrechen',
  },
  fr: {
    copy: 'Copie par e-mail',
    email: 'Votre adresse e-mail',
    sendCode: 'Recevoir un code',
    code: 'Code reçu par e-mail',
    help: 'Nous vous avons envoyé un code de huit chiffres. Il est valable 15 minutes.',
    send: 'Envoyer la copie',
    sent: (to: string) => `Une copie est en route vers ${to}.`,
    cancel: 'Annuler',
  },
  nl: {
    copy: 'Kopie per e-mail',
    email: 'Uw e-mailadres',
    sendCode: 'Code sturen',
    code: 'Code uit de e-mail',
    help: 'Wij hebben u een code van acht cijfers gestuurd. Die is 15 minuten geldig.',
    send: 'Kopie versturen',
    sent: (to: string) => `Er is een kopie onderweg naar ${to}.`,
    cancel: 'Annuleren',
  },
}

export const copyWords = (language: string): (typeof WORDS)['en'] =>
  Object.hasOwn(WORDS, language) ? WORDS[language as keyof typeof WORDS] : WORDS.en
