import type { PasskeyWords } from './en.js'

/** Texts of passkeys, in German. */
export const de: PasskeyWords = {
  title: 'Passkeys',
  about: 'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN an, ohne Passwort',
  added: (time) => `hinzugefügt ${time}`,
  lastUsed: (time) => `zuletzt benutzt ${time}`,
  never: 'nie benutzt',
  add: 'Hinzufügen',
  addTitle: 'Passkey hinzufügen',
  addText:
    'Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN. Von nun an melden Sie sich mit dem Passkey an, oder mit Passwort und Code.',
  name: 'Name',
  nameHint: 'Das Gerät oder der Dienst, der ihn aufbewahrt.',
  rename: 'Umbenennen',
  remove: 'Entfernen',
  removeTitle: 'Passkey entfernen',
  removeText: (name) =>
    `Mit „${name}“ melden Sie sich nicht mehr an, und Ihre anderen Sitzungen enden. Löschen Sie ihn auch auf Ihrem Gerät.`,
  codeHint: 'Aus Ihrer App, oder ein Wiederherstellungscode. Leer lassen, um einen Passkey zu benutzen.',
  signIn: 'Passkey benutzen',
  givenUp: 'Es wurde kein Passkey benutzt. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  notMade: 'Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal; ein Gerät nimmt nur einen.',
  unknown:
    'Dieser Passkey ist hier nicht bekannt. Vielleicht wurde er entfernt: Melden Sie sich anders an, und fügen Sie ihn neu hinzu.',
}
