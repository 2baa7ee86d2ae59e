import type { Loose } from '../../../shared/i18n/loose.js'

/** Texts of signing in: by providers, and of choosing a password, in English. */
export const en = {
  by: (provider: string) => `Sign in with ${provider}`,
  or: 'or',
  offered: (count: number) =>
    count === 1
      ? 'Your organization has another way to sign in, below.'
      : 'Your organization has other ways to sign in, below.',
  passwordMissing: 'Enter your password.',
  passwordOrProvider: 'Enter your password, or choose one of the other ways below.',
  refused: 'You were not signed in',
  refusals: {
    LINK_NEEDED:
      'You have an account, but it is not linked to this provider yet. Sign in with your password, then link it under Settings, Security.',
    NOT_PROVISIONED:
      'The provider knows you, but you have no account here. Ask an administrator to add you, or to give you a role at the provider.',
    PROVIDER_UNAVAILABLE: 'The provider does not answer. Try again in a minute. Other ways to sign in work.',
    PROVIDER_REFUSED:
      'The provider did not let you in. Try again, and if it stays so, ask whoever looks after your account there.',
    PROVIDER_ANSWER_INVALID:
      'What the provider answered could not be verified, so it was not used. Begin again, and tell an administrator if it stays so.',
    SIGN_IN_NOT_BEGUN: 'That attempt was too old, was used before, or began in another browser. Begin again.',
    RATE_LIMIT: 'There are too many sign-ins from your network at the moment. Try again in a minute.',
    RECORD_NOT_FOUND: 'This provider is not in use here any more. Type your email to see how you sign in.',
    CONFLICT: 'No account could be made for you: there may be as many users as there may be. Tell an administrator.',
    NETWORK_NOT_ALLOWED:
      'You may sign in from your organization’s networks only, and are elsewhere now. Ask an administrator if you should be let in.',
    ENROLMENT_REQUIRED:
      'Your organization asks for a second factor. Sign in by your email and password, and set it up there.',
    PASSWORD_LOGIN_OFF:
      'People of your organization sign in by its provider, not by a password. Type your email to see which, and begin there.',
    PASSWORD_COMMON: 'Many use this password, or it is one part repeated: guesses begin with it. Choose another.',
    PASSWORD_NAMES_USER: 'The password contains your name or your email. Choose another.',
    TEMPORARILY_UNAVAILABLE: 'The server could not finish this. Try again in a minute.',
  } as Record<string, string>,
  tooShort: (length: number) => `Your organization asks for a password of ${length} characters or more.`,
  otherRefusal: (reason: string) => `It did not work. Try again, and if it stays so, tell an administrator: ${reason}.`,
  close: 'Close',
  password: {
    forgotTitle: 'Forgot your password?',
    forgotLead: 'We mail you a link by which you choose a new one.',
    sendLink: 'Send the link',
    mailUnderWay: 'If this address is known here, a mail is on its way, with a link for an hour.',
    noMail: 'This server sends no mail. Ask an administrator for a link.',
    toSignIn: 'Back to the sign-in',
    welcome: 'Welcome',
    welcomeLead: 'Choose a password, and you are in.',
    newPassword: 'A new password',
    newPasswordLead: 'It ends all sign-ins with the old one.',
    passwordRule: 'At least 8 characters.',
    setPassword: 'Set password',
    linkIncomplete: 'This address is not complete: open the whole link.',
    forgotAgain: 'Ask for another link',
  },
}

export type SignInWords = Loose<typeof en>
