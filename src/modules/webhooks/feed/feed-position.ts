import { BadUserInput, quoteValue } from '../../../platform/errors.js'

/** A place in a feed: after the event of this transaction id and number. */
export interface FeedPosition {
  feed: string
  xid: number
  number: number
}

/** A position as a cursor has it: with the event that stands there, which tells whether the feed is still the same. */
export interface FeedCursor extends FeedPosition {
  /** Null before the first event. */
  event: string | null
}

/** The position before the first event of a feed. */
export const beginningOf = (feed: string): FeedCursor => ({ feed, xid: 0, number: 0, event: null })

/**
 * SQL: the transaction id by which an event is placed when it is stored; of equal ones, the number decides. Not the own id
 * alone: a transaction may get its id first and the lock of the conversation last. What has ended by the time of the
 * statement, which is later than the lock, has a smaller or the same one, so that events of a conversation keep their order. Nor
 * is it smaller than the own id: nothing is added below the oldest transaction that runs, and so readers that go no further
 * miss nothing. Writers wait for nobody, as they would for a counter.
 */
export const POSITION_SQL = `greatest(pg_current_xact_id()::text::int8,
    pg_snapshot_xmax(pg_current_snapshot())::text::int8 - 1)`

/** SQL: the oldest transaction that runs as of the statement: below it, everything is there to be read. */
export const SETTLED_SQL = 'pg_snapshot_xmin(pg_current_snapshot())::text::int8'

export function isBefore(
  one: Pick<FeedPosition, 'xid' | 'number'>,
  other: Pick<FeedPosition, 'xid' | 'number'>,
): boolean {
  return one.xid < other.xid || (one.xid === other.xid && one.number < other.number)
}

const FORM = 1
const ID_BYTES = 16
const NUMBER_BYTES = 8
const BEGINNING_BYTES = 1 + ID_BYTES
const WHOLE_BYTES = BEGINNING_BYTES + 2 * NUMBER_BYTES + ID_BYTES

/** Encodes a position: base64url of the form, the feed, and but at the beginning the transaction id, the number and the event. */
export function writeFeedCursor({ feed, xid, number, event }: FeedCursor): string {
  const bytes = Buffer.alloc(event === null ? BEGINNING_BYTES : WHOLE_BYTES)
  bytes[0] = FORM
  bytes.set(bytesOf(feed), 1)
  if (event !== null) {
    bytes.writeBigUInt64BE(BigInt(xid), BEGINNING_BYTES)
    bytes.writeBigUInt64BE(BigInt(number), BEGINNING_BYTES + NUMBER_BYTES)
    bytes.set(bytesOf(event), BEGINNING_BYTES + 2 * NUMBER_BYTES)
  }
  return bytes.toString('base64url')
}

/** @throws BadUserInput for a text that is no cursor of a feed */
export function readFeedCursor(text: string, field: string): FeedCursor {
  const bytes = /^[\w-]{1,100}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
  const isWhole = bytes.length === WHOLE_BYTES
  if (bytes[0] !== FORM || (!isWhole && bytes.length !== BEGINNING_BYTES)) throw malformed(text, field)
  const feed = idOf(bytes.subarray(1, BEGINNING_BYTES))
  if (!isWhole) return beginningOf(feed)
  const [xid, number] = [0, NUMBER_BYTES].map((at) => Number(bytes.readBigUInt64BE(BEGINNING_BYTES + at)))
  if (!Number.isSafeInteger(xid) || !Number.isSafeInteger(number)) throw malformed(text, field)
  return { feed, xid: xid!, number: number!, event: idOf(bytes.subarray(BEGINNING_BYTES + 2 * NUMBER_BYTES)) }
}

function malformed(text: string, field: string): BadUserInput {
  return new BadUserInput(
    field,
    `${field} ${quoteValue(text)} is no cursor of a feed: give the cursor of an earlier answer, or leave it out to begin`,
  )
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

function idOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
