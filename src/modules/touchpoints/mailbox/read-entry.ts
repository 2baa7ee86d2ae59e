import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Sql } from '../../../platform/db/database.js'
import { BadUserInput, RateLimited, Unavailable, Unprocessable } from '../../../platform/errors.js'
import { retryDelayMs } from '../../../platform/outbound/retries.js'
import type { TouchpointService } from '../adapter.js'
import type { MailFate, MailLedger } from '../email/mail-fate.js'
import type { IncomingMail, MailReceiver } from '../email/mail-receiver.js'
import type { ImapSession, MailHead } from './imap-session.js'
import { EntryTaken, type EntryState, type Ledger, type PendingEntry } from './ledger.js'
import { readExcerpt } from './mail-excerpt.js'
import { headOf, type MailPrints } from './mail-print.js'
import { MailboxFailure } from './mailbox-failure.js'

export interface ReadEntryParts {
  database: Sql
  log: Logger
  session: ImapSession
  ledger: Ledger
  prints: MailPrints
  receiver: MailReceiver
  service: TouchpointService
  /** Above, only the texts of a mail are read. */
  bytesMax: number
}

/** A mail whose turn it is, and what the server says of it. */
export interface MailToRead {
  entry: PendingEntry
  head: MailHead
}

/** A mail up to this size is read as a whole, which saves asking for its parts. */
export const WHOLE_BYTES_MAX = 4 * 1_048_576
/** A mail that came so long before it was listed is of a backlog: nobody sends so many at once. */
const BACKLOG_MS = 600_000
/** IMAP servers give whole seconds. */
const ARRIVAL_STEP_MS = 1_000
/** A mail that ended its process so often is not read again. */
const TRIES_MAX = 30
const LIMITED_MS = 60_000
const RETRY_MS_MAX = 3_600_000
/** The message that was made of it before is all that there is. */
const REMAINS = { message: null, identity: null } as const

/**
 * Reads one mail and records what became of it: with its message, in one transaction. An error that is not the mail's puts
 * it off. @param bytes the mail, if it was fetched as a whole
 * @throws MailboxFailure when the connection is lost
 */
export async function readEntry(parts: ReadEntryParts, mail: MailToRead, bytes: Buffer | null): Promise<void> {
  const { entry } = mail
  try {
    if (entry.tries > TRIES_MAX && !entry.hasFailed) {
      const reason = `reading it did not come to an end, ${TRIES_MAX} times`
      return await settle(parts, mail, { state: 'unreadable', reason, message: null, identity: null })
    }
    await (bytes ? readWhole(parts, mail, bytes) : readByParts(parts, mail))
  } catch (error) {
    if (error instanceof EntryTaken) return
    if (error instanceof MailboxFailure) throw error
    const { log, ledger, service } = parts
    const reason = error instanceof Error ? error.message : String(error)
    const delayMs =
      error instanceof RateLimited ? LIMITED_MS : Math.min(RETRY_MS_MAX, retryDelayMs(Math.min(entry.tries, 12)))
    if (!(error instanceof RateLimited) && !(error instanceof Unavailable)) {
      log.warn({ err: error, service: service.id, entry: entry.id }, 'failed to read a mail: it is tried again')
    }
    await ledger.putOff(entry, reason, delayMs)
  }
}

async function readWhole(parts: ReadEntryParts, mail: MailToRead, bytes: Buffer): Promise<void> {
  const take = (): Promise<MailFate> => taken(parts, mail, { bytes })
  const unreadable = { head: headOf(bytes), raw: () => Promise.resolve(Readable.from([bytes], { objectMode: false })) }
  await readOrKeep(parts, mail, take, unreadable)
}

/** Reads a mail that is large: its texts, and its files one by one; above the limit only the texts. */
async function readByParts(parts: ReadEntryParts, mail: MailToRead): Promise<void> {
  const { bytesMax, session } = parts
  const { size, uid } = mail.head
  const isTooLarge = size > bytesMax
  const why = isTooLarge ? `the mail has ${size} bytes; the files of at most ${bytesMax} are fetched` : null
  // What was stored of it would be stored twice.
  if (isTooLarge && mail.entry.hasMessage) return settle(parts, mail, { ...REMAINS, state: 'tooLarge', reason: why })
  const excerpt = await readExcerpt(session, uid, why)
  // It is asked for again, and found to be missing.
  if (!excerpt) return
  const { bytes } = excerpt
  const stored: EntryState = isTooLarge ? 'tooLarge' : 'stored'
  const take = (): Promise<MailFate> => taken(parts, mail, { bytes, excerpt }, { stored, why })
  await readOrKeep(parts, mail, take, { head: headOf(bytes), raw: () => session.content(uid) })
}

async function readOrKeep(
  parts: ReadEntryParts,
  mail: MailToRead,
  take: () => Promise<MailFate>,
  { head, raw }: { head: Buffer; raw: () => Promise<Readable> },
): Promise<void> {
  let fate: MailFate | null
  try {
    fate = await take()
  } catch (error) {
    if (error instanceof Unprocessable) {
      fate = { state: 'blocked', reason: error.message, message: null, identity: '' }
    } else if (!(error instanceof BadUserInput)) throw error
    else {
      const reason = error.message
      if (mail.entry.hasMessage) return settle(parts, mail, { ...REMAINS, state: 'unreadable', reason })
      const given = { service: parts.service, way: 'trusted' as const, ledger: ledgerOf(parts, mail) }
      fate = await parts.receiver.takeUnreadable(given, { head, raw: await raw(), reason })
      fate ??= { state: 'unreadable', reason: `${reason}; nobody is named who sent it`, message: null, identity: '' }
    }
  }
  // The others were recorded with their message.
  if (fate.state === 'again' || fate.identity === '') {
    const { prints } = parts
    const identity = fate.identity === '' ? null : prints.ofIdentity(fate.identity)
    await settle(parts, mail, { ...fate, identity })
  }
}

/** The state of a mail whose message is stored: one without its files is named so. */
interface Naming {
  stored: EntryState
  why: string | null
}

async function taken(
  parts: ReadEntryParts,
  mail: MailToRead,
  given: Pick<IncomingMail, 'bytes' | 'excerpt'>,
  naming: Naming = { stored: 'stored', why: null },
): Promise<MailFate> {
  const { receiver, service } = parts
  const { entry, head } = mail
  const arrivedAt = head.arrivedAt?.getTime() ?? entry.listedAt.getTime()
  // What was there before is not late.
  const isNew = entry.askedAt === null && arrivedAt + ARRIVAL_STEP_MS > entry.beganAt.getTime()
  const { fate } = await receiver.take({
    service,
    ...given,
    recipients: [],
    returnPath: null,
    way: 'trusted',
    isThreadedByReference: true,
    ledger: ledgerOf(parts, mail, naming),
    isCounted: arrivedAt > entry.listedAt.getTime() - BACKLOG_MS,
    ...(isNew && head.arrivedAt && { sentAt: head.arrivedAt }),
    ...(entry.askedAt && { askedAgain: entry.askedAt.toISOString() }),
  })
  return fate
}

function ledgerOf(
  { ledger, prints }: ReadEntryParts,
  { entry, head }: MailToRead,
  { stored, why }: Naming = { stored: 'stored', why: null },
): MailLedger {
  return {
    knows: async (identities) =>
      entry.askedAt === null && ledger.knowsIdentity(identities.map((each) => prints.ofIdentity(each))),
    settle: (sql, { state, reason, message, identity }) =>
      ledger.settle(sql, entry, {
        ...(state === 'stored' ? { state: stored, reason: why } : { state, reason }),
        message,
        print: prints.ofHead(head.head),
        identity: prints.ofIdentity(identity),
      }),
  }
}

async function settle(
  { database, ledger, prints }: ReadEntryParts,
  { entry, head }: MailToRead,
  fate: Omit<Parameters<Ledger['settle']>[2], 'print'>,
): Promise<void> {
  await ledger.settle(database, entry, { ...fate, print: prints.ofHead(head.head) })
}
