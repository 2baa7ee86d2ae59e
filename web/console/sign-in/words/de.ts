import type { SignInWords } from './en.js'

export const de = {
  by: (provider: string) => `Anmelden mit ${provider}`,
  or: 'oder',
  offered: (count: number) =>
    count === 1
      ? 'Ihre Organisation hat einen weiteren Weg zum Anmelden, siehe unten.'
      : 'Ihre Organisation hat weitere Wege zum Anmelden, siehe unten.',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  passwordOrProvider: 'Geben Sie Ihr Passwort ein, oder wählen Sie unten einen anderen Weg.',
  refused: 'Sie wurden nicht angemeldet',
  refusals: {
    LINK_NEEDED:
      'Sie haben ein Konto, es ist aber noch nicht mit diesem Anbieter verknüpft. Melden Sie sich mit dem Passwort an und verknüpfen Sie es unter Einstellungen, Sicherheit.',
    NOT_PROVISIONED:
      'Der Anbieter kennt Sie, aber Sie haben hier kein Konto. Bitten Sie die Administration, Sie hinzuzufügen oder Ihnen beim Anbieter eine Rolle zu geben.',
    PROVIDER_UNAVAILABLE:
      'Der Anbieter antwortet nicht. Versuchen Sie es in einer Minute noch einmal. Andere Wege zum Anmelden funktionieren.',
    PROVIDER_REFUSED:
      'Der Anbieter hat Sie nicht eingelassen. Versuchen Sie es noch einmal, und bleibt es dabei, fragen Sie, wer dort Ihr Konto betreut.',
    PROVIDER_ANSWER_INVALID:
      'Die Antwort des Anbieters ließ sich nicht prüfen und wurde nicht verwendet. Beginnen Sie neu, und bleibt es dabei, sagen Sie es der Administration.',
    SIGN_IN_NOT_BEGUN:
      'Dieser Versuch war zu alt, schon benutzt oder in einem anderen Browser begonnen. Beginnen Sie neu.',
    RATE_LIMIT: 'Aus Ihrem Netz kommen gerade zu viele Anmeldungen. Versuchen Sie es in einer Minute noch einmal.',
    RECORD_NOT_FOUND:
      'Dieser Anbieter ist hier nicht mehr in Gebrauch. Geben Sie Ihre E-Mail ein, um zu sehen, wie Sie sich anmelden.',
    CONFLICT:
      'Für Sie ließ sich kein Konto anlegen: Vielleicht gibt es schon so viele Benutzer, wie es geben darf. Sagen Sie es der Administration.',
    NETWORK_NOT_ALLOWED:
      'Sie dürfen sich nur aus den Netzen Ihrer Organisation anmelden und sind gerade anderswo. Fragen Sie einen Administrator, ob Sie zugelassen werden.',
    ENROLMENT_REQUIRED:
      'Ihre Organisation verlangt einen zweiten Faktor. Melden Sie sich mit E-Mail und Passwort an, und richten Sie ihn dort ein.',
    PASSWORD_LOGIN_OFF:
      'In Ihrer Organisation meldet man sich über deren Anbieter an, nicht mit Passwort. Geben Sie Ihre E-Mail ein, um ihn zu sehen, und beginnen Sie dort.',
    PASSWORD_COMMON:
      'Dieses Passwort benutzen viele, oder es wiederholt sich: Damit fängt das Raten an. Wählen Sie ein anderes.',
    PASSWORD_NAMES_USER: 'Das Passwort enthält Ihren Namen oder Ihre E-Mail-Adresse. Wählen Sie ein anderes.',
    TEMPORARILY_UNAVAILABLE: 'Der Server konnte das nicht beenden. Versuchen Sie es in einer Minute noch einmal.',
  } as Record<string, string>,
  tooShort: (length) => `Ihre Organisation verlangt ein Passwort mit mindestens ${length} Zeichen.`,
  otherRefusal: (reason: string) =>
    `Es hat nicht geklappt. Versuchen Sie es noch einmal, und bleibt es dabei, sagen Sie der Administration: ${reason}.`,
  close: 'Schließen',
  password: {
    forgotTitle: 'Passwort vergessen?',
    forgotLead: 'Wir senden Ihnen einen Link, mit dem Sie ein neues wählen.',
    sendLink: 'Link senden',
    mailUnderWay: 'Ist diese Adresse hier bekannt, so ist eine Mail unterwegs. Der Link gilt eine Stunde.',
    noMail:
      'Dieser Server sendet keine Mail. Ein Administrator kann Ihnen unter Verwaltung, Benutzer einen Link machen.',
    toSignIn: 'Zurück zur Anmeldung',
    welcome: 'Willkommen',
    welcomeLead: 'Wählen Sie ein Passwort, und Sie sind drin.',
    newPassword: 'Ein neues Passwort',
    newPasswordLead: 'Es beendet alle Anmeldungen mit dem alten.',
    passwordRule: 'Mindestens 8 Zeichen.',
    setPassword: 'Passwort setzen',
    linkIncomplete: 'Diese Adresse ist unvollständig: Öffnen Sie den ganzen Link.',
    forgotAgain: 'Einen neuen Link anfordern',
  },
} satisfies SignInWords
