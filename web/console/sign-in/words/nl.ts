import type { SignInWords } from './en.js'

export const nl = {
  by: (provider: string) => `Inloggen met ${provider}`,
  or: 'of',
  offered: (count: number) =>
    count === 1
      ? 'Je organisatie heeft nog een manier om in te loggen, hieronder.'
      : 'Je organisatie heeft nog meer manieren om in te loggen, hieronder.',
  passwordMissing: 'Voer je wachtwoord in.',
  passwordOrProvider: 'Voer je wachtwoord in, of kies hieronder een andere manier.',
  refused: 'Je bent niet ingelogd',
  refusals: {
    LINK_NEEDED:
      'Je hebt een account, maar het is nog niet aan deze provider gekoppeld. Log in met je wachtwoord en koppel het onder Instellingen, Beveiliging.',
    NOT_PROVISIONED:
      'De provider kent je, maar je hebt hier geen account. Vraag een beheerder om je toe te voegen, of om je bij de provider een rol te geven.',
    PROVIDER_UNAVAILABLE:
      'De provider antwoordt niet. Probeer het over een minuut opnieuw. Andere manieren om in te loggen werken.',
    PROVIDER_REFUSED:
      'De provider heeft je niet binnengelaten. Probeer het opnieuw, en blijft het zo, vraag het dan aan wie daar je account beheert.',
    PROVIDER_ANSWER_INVALID:
      'Het antwoord van de provider kon niet worden geverifieerd en is niet gebruikt. Begin opnieuw, en blijft het zo, zeg het dan tegen een beheerder.',
    SIGN_IN_NOT_BEGUN: 'Die poging was te oud, al gebruikt, of begonnen in een andere browser. Begin opnieuw.',
    RATE_LIMIT: 'Er wordt nu te vaak ingelogd vanuit je netwerk. Probeer het over een minuut opnieuw.',
    RECORD_NOT_FOUND: 'Deze provider is hier niet meer in gebruik. Typ je e-mailadres om te zien hoe je inlogt.',
    CONFLICT:
      'Er kon geen account voor je worden gemaakt: misschien is het maximale aantal gebruikers bereikt. Zeg het tegen een beheerder.',
    NETWORK_NOT_ALLOWED:
      'U mag zich alleen vanuit de netwerken van uw organisatie aanmelden, en bent nu elders. Vraag een beheerder of u toegelaten moet worden.',
    ENROLMENT_REQUIRED:
      'Uw organisatie eist een tweede factor. Meld u aan met e-mail en wachtwoord, en stel die daar in.',
    PASSWORD_LOGIN_OFF:
      'In uw organisatie meldt men zich via haar provider aan, niet met een wachtwoord. Typ uw e-mail om te zien welke, en begin daar.',
    PASSWORD_COMMON: 'Velen gebruiken dit wachtwoord, of het herhaalt zich: daarmee begint het raden. Kies een ander.',
    PASSWORD_NAMES_USER: 'Het wachtwoord bevat uw naam of uw e-mailadres. Kies een ander.',
    TEMPORARILY_UNAVAILABLE: 'De server kon dit niet afmaken. Probeer het over een minuut opnieuw.',
  } as Record<string, string>,
  tooShort: (length) => `Uw organisatie eist een wachtwoord van minstens ${length} tekens.`,
  otherRefusal: (reason: string) =>
    `Het is niet gelukt. Probeer het opnieuw, en blijft het zo, meld dan aan een beheerder: ${reason}.`,
  close: 'Sluiten',
  password: {
    forgotTitle: 'Wachtwoord vergeten?',
    forgotLead: 'We mailen je een link waarmee je een nieuw wachtwoord kiest.',
    sendLink: 'Link sturen',
    mailUnderWay: 'Als dit adres hier bekend is, is er een mail onderweg. De link werkt een uur.',
    noMail: 'Deze server verstuurt geen mail. Een beheerder kan een link voor je maken onder Beheer, Gebruikers.',
    toSignIn: 'Terug naar inloggen',
    welcome: 'Welkom',
    welcomeLead: 'Kies een wachtwoord en je bent binnen.',
    newPassword: 'Een nieuw wachtwoord',
    newPasswordLead: 'Alle sessies met het oude wachtwoord eindigen.',
    passwordRule: 'Minstens 8 tekens.',
    setPassword: 'Wachtwoord instellen',
    linkIncomplete: 'Dit adres is niet compleet: open de hele link.',
    forgotAgain: 'Vraag een nieuwe link aan',
  },
} satisfies SignInWords
