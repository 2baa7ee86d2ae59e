import type { IdentityWords } from './en.js'

export const nl = {
  title: 'Gekoppelde accounts',
  linked: (time: string) => `gekoppeld ${time}`,
  lastUsed: (time: string) => `laatst gebruikt ${time}`,
  notLinked: 'Niet gekoppeld: koppel het om er hier mee in te loggen',
  link: 'Koppelen',
  linkTitle: (provider: string) => `${provider} koppelen`,
  linkText: (provider: string) =>
    `U logt in bij ${provider} en komt hier terug. Vanaf dan logt dat account u ook hier in.`,
  password: 'Huidig wachtwoord',
  passwordHelp: 'Laat het leeg als u hier geen hebt: log dan hooguit 15 minuten van tevoren in via een provider.',
  go: 'Verder',
  unlink: 'Ontkoppelen',
  unlinkAsk: 'Ontkoppelen en sessies ervan beëindigen?',
  linking: 'Bezig met koppelen',
  isLinked: (provider: string) => `${provider} is gekoppeld. U kunt er voortaan mee inloggen.`,
  notDone: 'Niet gekoppeld',
  again: 'Opnieuw proberen',
  none: 'Geen',
  wrongPassword: 'Dit is niet uw wachtwoord.',
  passwordNeeded: 'Voer uw wachtwoord in.',
  freshNeeded: 'U hebt hier geen wachtwoord. Log uit, log opnieuw in en koppel binnen 15 minuten.',
  lastWay:
    'Het is uw enige manier om in te loggen. Stel eerst een wachtwoord in: log uit en kies “Wachtwoord vergeten?” op de inlogpagina.',
  taken: 'Dat account is hier aan iemand anders gekoppeld. Die moet het eerst ontkoppelen.',
  tooMany: 'U hebt het maximale aantal gekoppelde accounts. Ontkoppel er eerst een.',
  expired: 'Het duurde te lang, of het was al gedaan. Koppel opnieuw als het hier niet staat.',
} satisfies IdentityWords
