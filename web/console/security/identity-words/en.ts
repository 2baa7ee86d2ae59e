import type { Loose } from '../../../shared/i18n/loose.js'

/** Texts of identities at providers, in English. */
export const en = {
  title: 'Linked accounts',
  linked: (time: string) => `linked ${time}`,
  lastUsed: (time: string) => `last used ${time}`,
  notLinked: 'Not linked: sign in here with it by linking it',
  link: 'Link',
  linkTitle: (provider: string) => `Link ${provider}`,
  linkText: (provider: string) =>
    `You sign in at ${provider} and come back here. From then on that account signs you in here too.`,
  password: 'Current password',
  passwordHelp: 'Leave it empty if you have none here: then sign in by a provider within 15 minutes before.',
  go: 'Continue',
  unlink: 'Unlink',
  unlinkAsk: 'Unlink, and end its sessions?',
  linking: 'Linking',
  isLinked: (provider: string) => `${provider} is linked. You can sign in with it from now on.`,
  notDone: 'Not linked',
  again: 'Try again',
  none: 'None',
  wrongPassword: 'This is not your password.',
  passwordNeeded: 'Enter your password.',
  freshNeeded: 'You have no password here. Sign out, sign in again, and link within 15 minutes.',
  lastWay:
    'It is your only way to sign in. Set a password first: sign out, and choose “Forgot your password?” on the sign-in page.',
  taken: 'That account is linked to somebody else here. They have to unlink it first.',
  tooMany: 'You have as many linked accounts as you may have. Unlink one first.',
  expired: 'It took too long, or it was done already. Link it again if it is not shown here.',
}

export type IdentityWords = Loose<typeof en>
