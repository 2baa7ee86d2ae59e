import type { FairQueue } from '../../../platform/fairness/fair-queue.js'
import { shareOf } from '../../../platform/fairness/share.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { EntryTaken, type Epoch, type PendingEntry } from './ledger.js'
import { headerOf } from './mail-print.js'
import { readEntry, WHOLE_BYTES_MAX, type MailToRead, type ReadEntryParts } from './read-entry.js'

export interface ReadListedParts extends ReadEntryParts {
  /** Mailboxes of this node take turns: each reads a few mails at a time, which are in memory. */
  turns: FairQueue
  /** Aborted when the mailbox must be read no more. */
  signal: AbortSignal
  /** Called after each mail. */
  onProgress(): Promise<void>
}

const AT_ONCE = 50
/** Mails that are written at the same time; those of one sender are written one after the other. */
const WRITES = 8
/** A server that is restored may show a mail later. */
const MISSING_MS = 600_000
const AGAIN = { state: 'again', reason: 'it was received before', message: null, identity: null } as const

/** Reads the listed mails of the open folder, in the order of their numbers. @returns whether there were any */
export async function readListed(parts: ReadListedParts, epoch: Epoch): Promise<boolean> {
  const { ledger, service, signal, turns } = parts
  const share = shareOf(pathOf(service), `mailbox:${service.id}`)
  for (let hasRead = false; ; hasRead = true) {
    if (signal.aborted) return hasRead
    const entries = await turns.run(share, async () => {
      const taken = await ledger.take(epoch, AT_ONCE)
      await readBatch(parts, taken)
      return taken
    })
    if (entries.length === 0) return hasRead
  }
}

async function readBatch(parts: ReadListedParts, entries: readonly PendingEntry[]): Promise<void> {
  const { bytesMax, ledger, session, signal } = parts
  const heads = await session.heads(entries.map(({ uid }) => uid))
  for (const entry of entries) {
    // The audit decides when it is gone.
    if (!heads.has(entry.uid)) await ledger.putOff(entry, 'it is not in the folder', MISSING_MS)
  }
  const there = entries.flatMap((entry) => {
    const head = heads.get(entry.uid)
    return head ? [{ entry, head }] : []
  })
  const unknown = await withoutKnown(parts, there)
  const wholeMax = Math.min(WHOLE_BYTES_MAX, bytesMax)
  for (const group of groupsOf(unknown, wholeMax)) {
    if (signal.aborted) return
    const [first] = group
    if (first!.head.size > wholeMax) await readOne(parts, first!, null)
    else await readTogether(parts, group)
  }
}

/** Names those that were dealt with in another folder or numbering, and returns the others. */
async function withoutKnown(parts: ReadListedParts, mails: readonly MailToRead[]): Promise<MailToRead[]> {
  const { database, ledger, prints } = parts
  const printOf = ({ entry, head }: MailToRead): Buffer | null =>
    entry.askedAt === null && prints.isOfDelivery(head.head) ? prints.ofHead(head.head) : null
  const known = await ledger.knownPrints(mails.flatMap((mail) => printOf(mail) ?? []))
  const unknown: MailToRead[] = []
  for (const mail of mails) {
    const print = printOf(mail)
    if (print === null || !known.has(print.toString('hex'))) unknown.push(mail)
    else await ledger.settle(database, mail.entry, { ...AGAIN, print }).catch(ignoreTaken)
  }
  return unknown
}

/** Mails that are fetched together: large ones alone. */
function groupsOf(mails: readonly MailToRead[], bytesMax: number): MailToRead[][] {
  const groups: MailToRead[][] = []
  let bytes = Infinity
  for (const mail of mails) {
    const { size } = mail.head
    if (bytes + size > bytesMax) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)!.push(mail)
    bytes += size
  }
  return groups
}

async function readOne(parts: ReadListedParts, mail: MailToRead, bytes: Buffer | null): Promise<void> {
  await readEntry(parts, mail, bytes)
  await parts.onProgress()
}

async function readTogether(parts: ReadListedParts, group: readonly MailToRead[]): Promise<void> {
  const bytes = await parts.session.mails(group.map(({ head }) => head.uid))
  const senders = Map.groupBy(group, ({ head }) => headerOf(head.head, 'from'))
  const waiting = [...senders.values()]
  const write = async (): Promise<void> => {
    for (let mails = waiting.shift(); mails; mails = waiting.shift()) {
      for (const mail of mails) {
        const found = bytes.get(mail.head.uid)
        if (parts.signal.aborted || !found) return
        await readOne(parts, mail, found)
        bytes.delete(mail.head.uid)
      }
    }
  }
  await Promise.all(Array.from({ length: WRITES }, write))
}

function ignoreTaken(error: unknown): void {
  if (!(error instanceof EntryTaken)) throw error
}
