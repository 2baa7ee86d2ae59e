import type { ImapSession, OpenFolder } from './imap-session.js'
import type { Epoch, EpochCause, Ledger } from './ledger.js'
import type { MailPrints } from './mail-print.js'

/** Mails whose heads are compared when a folder is opened: servers that are restored give numbers out again. */
const COMPARED = 20
/** A numbering that begins anew reads what came since then: older mails were read before, and only cost time. */
const ANEW_MS = 90 * 86_400_000
const DAY_MS = 86_400_000
/** Clocks differ, and servers tell times of arrival in seconds: what may have come before is read rather than lost. */
const SLACK_MS = 300_000

export interface EpochParts {
  session: ImapSession
  ledger: Ledger
  prints: MailPrints
  /** Mail that came before is not read. */
  since: Date
}

/**
 * Finds the numbering of a folder that was just opened, or begins one: the first, or the next where the server says that the
 * numbers are others (UIDVALIDITY), gives out lower ones (UIDNEXT), or shows another mail for a number.
 */
export async function epochOf(
  parts: EpochParts,
  { folder, open, now }: { folder: string; open: OpenFolder; now: Date },
): Promise<Epoch> {
  const { ledger, session } = parts
  const known = (await ledger.epochs()).find((each) => each.folder === folder)
  const why = known ? await causeOfNext(parts, known, open) : 'first'
  if (known && why === null) return known
  const uids = await uidsSince(session, cutoff(parts.since, now))
  return ledger.begin({ folder, ...open, why: why! }, uids)
}

/** Numbers up to the one with which a numbering began that it has to have, in order. */
export function uidsBefore(
  { session, since }: EpochParts,
  epoch: Epoch,
  known: ReadonlySet<number>,
): Promise<number[]> {
  return uidsSince(session, cutoff(since, epoch.beganAt), (uid) => uid <= epoch.firstUid && !known.has(uid))
}

async function causeOfNext(
  { ledger, prints, session }: EpochParts,
  epoch: Epoch,
  { uidValidity, uidNext }: OpenFolder,
): Promise<Exclude<EpochCause, 'first'> | null> {
  if (uidValidity !== epoch.uidValidity) return 'uidvalidity'
  if (uidNext > 0 && uidNext < epoch.uidNext) return 'uidnext'
  const known = await ledger.lastPrints(epoch, COMPARED)
  const heads = await session.heads([...known.keys()])
  const isOther = heads.values().some(({ uid, head }) => {
    const print = prints.ofHead(head)
    return print !== null && !known.get(uid)!.equals(print)
  })
  return isOther ? 'print' : null
}

const cutoff = (since: Date, began: Date): Date => new Date(Math.max(since.getTime(), began.getTime() - ANEW_MS))

/** The server searches by days of its own calendar: of those that it finds, the time of arrival decides. */
async function uidsSince(
  session: ImapSession,
  since: Date,
  isWanted: (uid: number) => boolean = () => true,
): Promise<number[]> {
  const found = (await session.uidsSince(new Date(since.getTime() - DAY_MS))).filter(isWanted)
  const arrivals = await session.arrivals(found)
  return found.filter((uid) => (arrivals.get(uid)?.getTime() ?? Infinity) >= since.getTime() - SLACK_MS)
}
