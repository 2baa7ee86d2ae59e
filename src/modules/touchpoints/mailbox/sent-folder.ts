import type { TouchpointService } from '../adapter.js'
import type { SmtpGrants } from '../email/smtp-grants.js'
import { ImapSession } from './imap-session.js'
import type { MailboxSettings } from './mailbox-settings.js'
import { tokenOf } from './mailbox-reader.js'

export interface SentFolderOptions {
  grants: SmtpGrants
  isGuarded: boolean
}

interface At {
  service: Pick<TouchpointService, 'id'>
  settings: MailboxSettings
  messageId: string
  signal: AbortSignal
}

/** Tells whether a mail is in the folder of sent mail. @throws MailboxFailure */
export function isInSent(options: SentFolderOptions, at: At): Promise<boolean> {
  return inSentFolder(options, at, async (_session, _folder, isThere) => isThere)
}

/** Files a mail among those that were sent, unless it is there. @throws MailboxFailure */
export async function fileSent(
  options: SentFolderOptions,
  at: At,
  { mail, sentAt }: { mail: () => Promise<Buffer>; sentAt: Date },
): Promise<void> {
  await inSentFolder(options, at, async (session, folder, isThere) => {
    if (!isThere) await session.append(folder, await mail(), sentAt)
    return true
  })
}

/** @returns false where the server names no folder for what is sent, and the settings neither */
async function inSentFolder(
  { grants, isGuarded }: SentFolderOptions,
  { service, settings, messageId, signal }: At,
  work: (session: ImapSession, folder: string, isThere: boolean) => Promise<boolean>,
): Promise<boolean> {
  const accessToken = await tokenOf(grants, service, settings)
  const session = await ImapSession.open({ settings, accessToken, isGuarded, signal })
  try {
    const folder = settings.sentFolder ?? (await session.folders()).sent
    if (folder === null) return false
    await session.open(folder)
    const found = await session.uidsOfMessageId(messageId)
    return await work(session, folder, found.length > 0)
  } finally {
    session.close()
  }
}
