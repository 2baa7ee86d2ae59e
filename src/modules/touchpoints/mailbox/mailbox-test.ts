import { BadUserInput } from '../../../platform/errors.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import { MailFailure } from '../../../platform/outbound/smtp-session.js'
import type { CheckCode } from '../../services/service-check.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { ServiceTestFailed } from '../../services/service-test.js'
import type { SmtpGrants } from '../email/smtp-grants.js'
import { ImapSession } from './imap-session.js'
import { settingsOfMailbox } from './mailbox-settings.js'
import { MailboxFailure, type MailboxFailureCode } from './mailbox-failure.js'
import { tokenOf } from './mailbox-reader.js'

const FOLDERS_SHOWN = 15

export interface MailboxTestOptions {
  grants: SmtpGrants
  mailer: Pick<Mailer, 'check'>
  isGuarded: boolean
}

/** Signs in at both servers as it is stored, lists the folders, and sends nothing. */
export function createMailboxTest(options: MailboxTestOptions): NonNullable<ServiceKind['test']> {
  return async ({ service, to, signal }) => {
    if (to !== null)
      throw new BadUserInput('to', 'to is for services of type sms: a mailbox is read, and nothing is sent')
    const settings = settingsOfMailbox(service.params)
    if (!settings) throw new ServiceTestFailed('the service has no settings', 'settings')
    try {
      const accessToken = await tokenOf(options.grants, service, settings)
      const session = await ImapSession.open({ settings, accessToken, isGuarded: options.isGuarded, signal })
      const { paths, sent } = await session.folders().finally(() => session.close())
      const missing = settings.folders.find((folder) => !paths.includes(folder))
      if (missing !== undefined)
        throw new ServiceTestFailed(`there is no folder ${missing}: ${listOf(paths)}`, 'settings')
      const filed = settings.sentFolder ?? sent
      if (filed !== null && !paths.includes(filed))
        throw new ServiceTestFailed(`there is no folder ${filed}: ${listOf(paths)}`, 'settings')
      await options.mailer.check({ smtpUrl: settings.smtpUrl, accessToken, signal })
      return [
        `signed in at ${settings.imap.host}, folders ${listOf(paths)}`,
        `signed in at ${new URL(settings.smtpUrl).hostname} for sending`,
        filed === null ? 'what is sent is filed nowhere' : `what is sent is filed in ${filed}`,
      ].join('; ')
    } catch (error) {
      if (error instanceof MailboxFailure) throw new ServiceTestFailed(error.message, CODES[error.code])
      if (error instanceof MailFailure) throw new ServiceTestFailed(`sending: ${error.message}`, codeOf(error))
      throw error
    }
  }
}

const CODES: Readonly<Record<MailboxFailureCode, CheckCode>> = {
  CREDENTIALS: 'token',
  FOLDER: 'settings',
  SETTINGS: 'settings',
  TLS: 'unreachable',
  UNREACHABLE: 'unreachable',
  SERVER: 'unreachable',
}

function codeOf({ isSignIn, outcome }: MailFailure): CheckCode {
  if (isSignIn) return 'token'
  return outcome === 'refused' ? 'refused' : 'unreachable'
}

function listOf(paths: readonly string[]): string {
  const more = paths.length > FOLDERS_SHOWN ? ` and ${paths.length - FOLDERS_SHOWN} more` : ''
  return `${paths.slice(0, FOLDERS_SHOWN).join(', ')}${more}`
}
