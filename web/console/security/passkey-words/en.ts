import type { Loose } from '../../../shared/i18n/loose.js'

/** Texts of passkeys, in English. */
export const en = {
  title: 'Passkeys',
  about: 'Sign in by your fingerprint, face or PIN, without a password',
  added: (time: string) => `added ${time}`,
  lastUsed: (time: string) => `last used ${time}`,
  never: 'never used',
  add: 'Add',
  addTitle: 'Add a passkey',
  addText:
    'Your device asks for your fingerprint, face or PIN. From now on, signing in takes the passkey, or your password and a code.',
  name: 'Name',
  nameHint: 'The device or the service that keeps it.',
  rename: 'Rename',
  remove: 'Remove',
  removeTitle: 'Remove the passkey',
  removeText: (name: string) =>
    `“${name}” signs you in no more, and your other sessions end. Delete it on your device too.`,
  codeHint: 'Of your app, or a recovery code. Leave it empty to use a passkey.',
  signIn: 'Use a passkey',
  givenUp: 'No passkey was used. Try again, or sign in another way.',
  notMade: 'No passkey was made. Try again; a device takes one only once.',
  unknown: 'This passkey is not known here. It may have been removed: sign in another way, and add it again.',
}

export type PasskeyWords = Loose<typeof en>
