import type { PasskeyWords } from './en.js'

/** Texts of passkeys, in Dutch. */
export const nl: PasskeyWords = {
  title: 'Passkeys',
  about: 'Meld u aan met uw vingerafdruk, gezicht of pincode, zonder wachtwoord',
  added: (time) => `toegevoegd ${time}`,
  lastUsed: (time) => `laatst gebruikt ${time}`,
  never: 'nooit gebruikt',
  add: 'Toevoegen',
  addTitle: 'Een passkey toevoegen',
  addText:
    'Uw apparaat vraagt om uw vingerafdruk, gezicht of pincode. Voortaan meldt u zich aan met de passkey, of met uw wachtwoord en een code.',
  name: 'Naam',
  nameHint: 'Het apparaat of de dienst die hem bewaart.',
  rename: 'Naam wijzigen',
  remove: 'Verwijderen',
  removeTitle: 'De passkey verwijderen',
  removeText: (name) =>
    `Met “${name}” meldt u zich niet meer aan, en uw andere sessies eindigen. Verwijder hem ook op uw apparaat.`,
  codeHint: 'Van uw app, of een herstelcode. Laat leeg om een passkey te gebruiken.',
  signIn: 'Een passkey gebruiken',
  givenUp: 'Er is geen passkey gebruikt. Probeer het opnieuw, of meld u anders aan.',
  notMade: 'Er is geen passkey gemaakt. Probeer het opnieuw; een apparaat neemt er maar één.',
  unknown: 'Deze passkey is hier niet bekend. Misschien is hij verwijderd: meld u anders aan, en voeg hem opnieuw toe.',
}
