import type { ImapFlowError } from 'imapflow'
import { isNotAllowed, NOT_ALLOWED } from '../../../platform/outbound/public-addresses.js'

/**
 * - `CREDENTIALS`: the server refuses the user, its password or its token.
 * - `FOLDER`: there is no such folder.
 * - `SETTINGS`: the settings are missing, or lead to an address that is not allowed.
 * - `TLS`: the server's certificate is not valid, or it offers no TLS.
 * - `UNREACHABLE`: there is no connection, or it ended.
 * - `SERVER`: the server answers something else.
 */
export const MAILBOX_FAILURE_CODES = ['CREDENTIALS', 'FOLDER', 'SETTINGS', 'TLS', 'UNREACHABLE', 'SERVER'] as const
export type MailboxFailureCode = (typeof MAILBOX_FAILURE_CODES)[number]

/** A mailbox cannot be read; the message says why, for an administrator. */
export class MailboxFailure extends Error {
  constructor(
    readonly code: MailboxFailureCode,
    message: string,
  ) {
    super(message)
    this.name = new.target.name
  }

  /** True if somebody has to do something; else it may work the next time. */
  get isLasting(): boolean {
    return this.code !== 'UNREACHABLE' && this.code !== 'SERVER'
  }
}

const REASON_CHARS_MAX = 300
const TLS_ERROR = /certificate|^ERR_TLS_|^ERR_SSL_|self.signed|altnames|^EPROTO|^UNABLE_TO_|^DEPTH_ZERO|^CERT_/i

export function asMailboxFailure(error: unknown): MailboxFailure {
  if (error instanceof MailboxFailure) return error
  const found = error as ImapFlowError
  const { authenticationFailed, mailboxMissing, path, responseText, responseStatus, code = '', reason } = found
  const words =
    [responseText, reason, found.message].find((each) => typeof each === 'string' && each !== '') ?? 'unknown'
  const said = words.replace(/\s+/g, ' ').slice(0, REASON_CHARS_MAX)
  if (isNotAllowed(found)) return new MailboxFailure('SETTINGS', NOT_ALLOWED)
  if (authenticationFailed) return new MailboxFailure('CREDENTIALS', `the server refuses the sign-in: ${said}`)
  if (mailboxMissing) return new MailboxFailure('FOLDER', `there is no folder ${path ?? 'of this name'}: ${said}`)
  if (found.tlsFailed || TLS_ERROR.test(code) || TLS_ERROR.test(said)) {
    return new MailboxFailure('TLS', `there is no safe connection: ${said}`)
  }
  if (responseStatus === 'NO' || responseStatus === 'BAD') {
    return new MailboxFailure('SERVER', `the server answers: ${said}`)
  }
  return new MailboxFailure('UNREACHABLE', `the server is not reached: ${said}`)
}
