import type { Sql } from '../../../platform/db/database.js'
import type { Settled } from '../inbound-message.js'
import { BLOCKED, type Received } from '../inbound-message-receiver.js'
import type { ParsedMail } from './read-mail.js'

/** The fates of mails. */
export type MailState = 'stored' | 'again' | 'automatic' | 'bounce' | 'own' | 'blocked' | 'unreadable'

export interface MailFate {
  state: MailState
  /** The reason why no message was made of it. */
  reason: string | null
  message: string | null
  /** By which copies of it are known. */
  identity: string
}

export interface MailLedger {
  /** Tells whether a mail of one of these identities was dealt with, however long ago. */
  knows(identities: readonly string[]): Promise<boolean>
  /** Records the fate in the transaction that decides on it. A throw undoes both. */
  settle(sql: Sql, fate: MailFate): Promise<void>
}

/** The reason why no message is made of a mail. */
export interface Ignored {
  state: MailState
  reason: string
}

export const fatesOf =
  (identity: string) =>
  (state: MailState, reason: string | null, message: string | null = null): MailFate => ({
    state,
    reason,
    message,
    identity,
  })

export function stateOf({ message, ignored }: Settled): [MailState, string | null, string | null] {
  return message !== null ? ['stored', null, message] : [ignored === BLOCKED ? 'blocked' : 'automatic', ignored, null]
}

export function settledAs(received: Received): Settled {
  return 'message' in received
    ? { message: received.message, ignored: null }
    : { message: null, ignored: received.ignored }
}

/** Names of a mail by which it is recorded, and by which it is known as well. */
export function identitiesOf(
  { identity, identityUnproved }: ParsedMail,
  isProven: boolean,
  askedAgain: string | undefined,
): [string, string] {
  const names: [string, string] = isProven ? [identity, identityUnproved] : [identityUnproved, identity]
  // What is read again is another mail than the one of which something else became.
  return askedAgain === undefined ? names : [`${names[0]}.${askedAgain}`, `${names[0]}.${askedAgain}`]
}
