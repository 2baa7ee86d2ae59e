import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import type { FairQueue } from '../../../platform/fairness/fair-queue.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import { DeliveryFailed, type TouchpointService } from '../adapter.js'
import type { MailReceiver } from '../email/mail-receiver.js'
import type { SmtpGrants } from '../email/smtp-grants.js'
import { hidingSecrets } from '../../services/hide-secrets.js'
import { readOpenedService } from '../touchpoint-service.js'
import { epochOf, uidsBefore, type EpochParts } from './folder-epoch.js'
import { ImapSession, type OpenFolder } from './imap-session.js'
import { Ledger, type Epoch } from './ledger.js'
import type { MailPrints } from './mail-print.js'
import { settingsOfMailbox, type MailboxSettings } from './mailbox-settings.js'
import { MAILBOX } from './mailbox-params.js'
import { MailboxFailure } from './mailbox-failure.js'
import { readListed, type ReadListedParts } from './read-listed.js'

export interface MailboxReaderOptions {
  database: Database
  sealer: Sealer
  clock: Clock
  log: Logger
  receiver: MailReceiver
  grants: SmtpGrants
  prints: MailPrints
  turns: FairQueue
  isGuarded: boolean
  bytesMax: number
}

/** A mailbox that this node has the lease of. */
export interface ReaderTurn {
  service: string
  auditedAt: Date | null
  /** Aborted when the mailbox is no longer this node's, has other settings, or the node stops. */
  signal: AbortSignal
  /** Called after each mail. */
  onProgress(): Promise<void>
  /** Called when the folders were read to their end. */
  onRead(at: Date): Promise<void>
  /** Called when the folders were compared with the ledger. */
  onAudited(at: Date): Promise<void>
}

/** A server's word of new mail is not the only one. */
const POLL_MS = 10_000
const AUDIT_MS = 3_600_000

/**
 * Reads a mailbox until its signal is aborted: what is new is listed, then read; then the server is asked to tell of more. Each
 * hour all numbers are compared with the ledger. @throws MailboxFailure
 */
export async function readMailbox(options: MailboxReaderOptions, turn: ReaderTurn): Promise<void> {
  const { database } = options
  const service = await readOpenedService({ ...options, sql: database }, MAILBOX, turn.service)
  const settings = service && settingsOfMailbox(service.params)
  if (!service || !settings) return
  await hidingSecrets(service.params, () => readOver(options, turn, service, settings))
}

async function readOver(
  options: MailboxReaderOptions,
  turn: ReaderTurn,
  service: TouchpointService,
  settings: MailboxSettings,
): Promise<void> {
  const { clock, database, grants, isGuarded } = options
  const accessToken = await tokenOf(grants, service, settings)
  const session = await ImapSession.open({ settings, accessToken, isGuarded, signal: turn.signal }).catch(
    async (error: unknown) => {
      if (error instanceof MailboxFailure && error.code === 'CREDENTIALS') await grants.forget(service)
      throw error
    },
  )
  try {
    const ledger = new Ledger({ database, clock, service: service.id })
    await ledger.keepOnly(settings.folders)
    await new MailboxReading({ ...options, session, ledger, service, settings, turn }).run()
  } finally {
    session.close()
  }
}

export async function tokenOf(
  grants: SmtpGrants,
  { id }: Pick<TouchpointService, 'id'>,
  { tokens }: Pick<MailboxSettings, 'tokens'>,
): Promise<string | undefined> {
  if (!tokens) return undefined
  try {
    return await grants.tokenFor({ id, params: tokens as never })
  } catch (error) {
    if (error instanceof DeliveryFailed) throw new MailboxFailure('CREDENTIALS', error.message)
    throw error
  }
}

interface ReadingOptions extends MailboxReaderOptions {
  session: ImapSession
  ledger: Ledger
  service: TouchpointService
  settings: MailboxSettings
  turn: ReaderTurn
}

/** The reading of a mailbox over one connection. */
class MailboxReading {
  readonly #epochParts: EpochParts
  readonly #listedParts: ReadListedParts
  /** The numbering of each folder, as it was when that was last read to its end. */
  readonly #epochs = new Map<string, Epoch>()
  #open: string | null = null
  #auditedAt: number

  constructor(private readonly options: ReadingOptions) {
    const { ledger, prints, session, settings, turn } = options
    this.#epochParts = { session, ledger, prints, since: settings.since }
    this.#listedParts = { ...options, signal: turn.signal, onProgress: turn.onProgress }
    this.#auditedAt = turn.auditedAt?.getTime() ?? 0
  }

  async run(): Promise<void> {
    const { clock, session, settings, turn } = this.options
    const { signal } = turn
    // The one in which most mail comes is read last, and stays open.
    const folders = settings.folders.toReversed()
    for (const folder of folders) await this.#read(folder)
    while (!signal.aborted) {
      if (clock.now().getTime() - this.#auditedAt >= pacedMs(clock, AUDIT_MS)) {
        for (const folder of folders) await this.#audit(folder)
        if (signal.aborted) return
        this.#auditedAt = clock.now().getTime()
        await turn.onAudited(clock.now())
      }
      await turn.onRead(clock.now())
      await session.news(pacedMs(clock, POLL_MS), signal)
      for (const folder of folders) if (!signal.aborted) await this.#look(folder)
    }
  }

  /** Reads what has come: of a folder that is not open if the server says that it has changed. */
  async #look(folder: string): Promise<void> {
    const { ledger, session } = this.options
    const epoch = this.#epochs.get(folder)
    if (!epoch) return this.#read(folder)
    if (this.#open !== folder) {
      const found = await session.glance(folder)
      const isSame = found.uidValidity === epoch.uidValidity && found.uidNext === epoch.uidNext
      if (isSame && !(await ledger.hasDue(epoch))) return
      return this.#read(folder)
    }
    await ledger.list(epoch, await session.uidsFrom(epoch.lastUid + 1), 0)
    await readListed(this.#listedParts, epoch)
  }

  async #read(folder: string): Promise<void> {
    if (this.options.turn.signal.aborted) return
    const { epoch, open } = await this.#enter(folder)
    await this.options.ledger.list(epoch, await this.options.session.uidsFrom(epoch.lastUid + 1), open.uidNext)
    await readListed(this.#listedParts, epoch)
  }

  async #enter(folder: string): Promise<{ epoch: Epoch; open: OpenFolder }> {
    const { clock, session } = this.options
    this.#open = null
    const open = await session.open(folder)
    const epoch = await epochOf(this.#epochParts, { folder, open, now: clock.now() })
    this.#open = folder
    this.#epochs.set(folder, epoch)
    return { epoch, open }
  }

  /** Compares all numbers of the folder with the ledger: what is missing there is listed and read. */
  async #audit(folder: string): Promise<void> {
    const { ledger, log, service, session, turn } = this.options
    if (turn.signal.aborted) return
    const { epoch, open } = await this.#enter(folder)
    const there = await session.uidsFrom(1)
    const known = await ledger.uids(epoch)
    const later = there.filter((uid) => uid > epoch.firstUid && !known.has(uid))
    const missed = later.filter((uid) => uid <= epoch.lastUid)
    if (missed.length > 0) {
      log.error({ service: service.id, folder, count: missed.length }, 'mails were missing in the ledger of a mailbox')
    }
    await ledger.list(epoch, [...(await uidsBefore(this.#epochParts, epoch, known)), ...later], open.uidNext)
    await ledger.noteMissing(epoch, there)
    await readListed(this.#listedParts, epoch)
  }
}
