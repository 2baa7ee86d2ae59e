import { reading } from '../../../platform/db/sql.js'
import { Unprocessable } from '../../../platform/errors.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { conversationStream } from '../../../platform/events/event.js'
import { isDelivered } from '../../messages/forwarding.js'
import { messageData } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import { noChanges, writeChanges } from '../state/conversation-store.js'
import { slicesOf } from '../writer/slices.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'

/**
 * Maximum number of messages that one import copies or moves, and maximum stored size: one transaction holds them in
 * memory.
 */
const MERGE_MESSAGES_MAX = 10_000
const MERGE_BYTES_MAX = 64 * 1_024 * 1_024
/** Number of messages read or written per statement, so that other operations get their turn in between. */
const SLICE = 500

export interface MergedMessages {
  /** The target's messages from about the first copy on, in order, with their final positions. */
  tail: MessageRow[]
  /** Those of them that were copied now, in the order of the origin. */
  copies: MessageRow[]
}

/**
 * Copies the origin's messages into the target, interleaved by creation time (4.8): copies have `meta._source` and a
 * higher `version`, their originals `meta._target`; those with `meta._noCopy` are left out. Written immediately, so
 * that later reads of the operation see the merged conversation. Deliveries go with the copies.
 * @throws Unprocessable if there are too many messages
 */
export async function mergeMessages(target: WritingChange, origin: ConversationChange): Promise<MergedMessages> {
  // What the operation itself has added to the origin is not stored yet.
  const added = origin.messages.map(({ deliveries: _own, ...message }) => message)
  const originals = [...(await readMessages(origin, 1)), ...added].filter(({ meta }) => meta?._noCopy !== true)
  const copies = await inSlices(originals, (original) => copyOf(original, target))
  if (copies.length === 0) return { tail: [], copies }
  target.rewrites = 'merges'
  await linkCopies(origin, originals, copies)
  moveDeliveries(target, originals, copies)
  const present = [...(await readMessages(target, await firstSince(target, copies))), ...target.messages]
  const placed = new Map(present.map((message) => [message, message.position]))
  const merged = interleave(present, copies)
  if (target.isNew) {
    // The target is not stored yet: the copies are written together with it.
    target.messages.splice(0, target.messages.length, ...merged)
    target.emitMessages('message.added', copies)
    return { tail: merged, copies }
  }
  const pending = new Set(target.messages)
  const moved = present.filter((message) => message.position !== placed.get(message) && !pending.has(message))
  await write(target, copies, moved)
  return { tail: merged, copies }
}

/**
 * Interleaves messages by creation time, present messages before copies of the same time, and numbers them from the
 * position of the first present message. Messages before the first copy keep their positions.
 */
export function interleave(present: readonly MessageRow[], copies: readonly MessageRow[]): MessageRow[] {
  const isCopy = new Set(copies)
  const merged = [...present, ...copies].toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
  let last = Math.min(...present.map(({ position }) => position)) - 1
  let isShifting = false
  for (const message of merged) {
    isShifting ||= isCopy.has(message) || message.position <= last
    last = isShifting ? last + 1 : message.position
    message.position = last
  }
  return merged
}

/**
 * Reads the stored messages from a position on, with this operation's changes. @throws Unprocessable if there are too
 * many
 */
async function readMessages(change: ConversationChange, from: number): Promise<MessageRow[]> {
  const { sql, conversation, changedMessages } = change
  const [size] = await sql.query<{ count: number; bytes: number }>(
    reading(`select count(*) as count, coalesce(sum(pg_column_size(m.*)), 0) as bytes from message m
     where conversation_id = $1 and position >= $2`),
    [conversation.id, from],
  )
  if (size!.count > MERGE_MESSAGES_MAX || size!.bytes > MERGE_BYTES_MAX) {
    throw new Unprocessable(
      `the import would copy or move ${size!.count} messages of ${size!.bytes} bytes in total; ` +
        `the maximum is ${MERGE_MESSAGES_MAX} messages of ${MERGE_BYTES_MAX} bytes`,
      { reason: 'TOO_LARGE' },
    )
  }
  const changed = new Map(changedMessages.map((message) => [message.id, message]))
  const messages: MessageRow[] = []
  for (let next = from; messages.length < size!.count;) {
    const rows = await sql.query<Record<string, unknown>>(
      reading('select * from message where conversation_id = $1 and position >= $2 order by position limit $3'),
      [conversation.id, next, SLICE],
    )
    messages.push(...rows.map((row) => changed.get(row.id as string) ?? camelRow<MessageRow>(row)))
    next = (rows.at(-1)!.position as number) + 1
  }
  return messages
}

/** Finds the position of the first copy. Reads from the end, where imported messages usually belong. */
async function firstSince({ sql, conversation }: ConversationChange, copies: readonly MessageRow[]): Promise<number> {
  const since = copies.reduce((earliest, { createdAt }) => Math.min(earliest, createdAt.getTime()), Infinity)
  const [before] = await sql.query<{ position: number }>(
    reading(`select position from message where conversation_id = $1 and created_at < $2
     order by position desc limit 1`),
    [conversation.id, new Date(since)],
  )
  return before ? before.position + 1 : 1
}

function copyOf(original: MessageRow, { conversation, clock, now }: ConversationChange): MessageRow {
  return {
    ...original,
    id: clock.newId(),
    conversationId: conversation.id,
    originId: original.originId ?? original.conversationId,
    originalId: original.originalId ?? original.id,
    meta: { ...original.meta, _source: original.id },
    version: original.version + 1,
    updatedAt: now,
  }
}

/** Links originals to their copies; a copied comment refers to the copy of the command that created it. */
async function linkCopies(
  origin: ConversationChange,
  originals: readonly MessageRow[],
  copies: readonly MessageRow[],
): Promise<void> {
  const copyIds = new Map(originals.map(({ id }, index) => [id, copies[index]!.id]))
  for (const copy of copies) {
    copy.comments = copy.comments.map((comment) => ({
      ...comment,
      message: copyIds.get(comment.message) ?? comment.message,
    }))
  }
  const linked = await inSlices(originals, (original) => ({
    ...original,
    meta: { ...original.meta, _target: copyIds.get(original.id)! },
    updatedAt: origin.now,
  }))
  // Not by `changeMessage`, which searches all messages for each: nothing else in this operation has changed these.
  origin.changedMessages.push(...linked)
  await emit(origin, 'message.changed', linked)
}

/**
 * Makes deliveries those of the copies, when all else is written: who works on the target sees there what has failed, and the
 * conversation that counts it is the one in which it can be sent again.
 */
function moveDeliveries(target: WritingChange, originals: readonly MessageRow[], copies: readonly MessageRow[]): void {
  const { id } = target.conversation
  const pairs = originals.map((original, index) => [original, copies[index]!] as const)
  const delivered = pairs.filter(([original]) => isDelivered(original))
  for (const slice of slicesOf(delivered, SLICE)) {
    const from = slice.map(([original]) => original.id)
    const to = slice.map(([, copy]) => copy.id)
    target.afterWrites(MOVE_DELIVERIES, [id, from, to])
  }
}

async function write(target: WritingChange, copies: MessageRow[], moved: MessageRow[]): Promise<void> {
  const { sql, now } = target
  for (const message of moved) message.updatedAt = now
  // Moved to temporary positions first: positions are unique within a conversation, even during a statement.
  await sql.query('update message set position = -position where id = any($1::uuid[])', [moved.map(({ id }) => id)])
  for (const slice of slicesOf(copies, SLICE)) await writeChanges(sql, { ...noChanges(), messages: slice })
  for (const slice of slicesOf(moved, SLICE))
    await sql.query(MOVE, [slice.map(({ id }) => id), slice.map(({ position }) => position), now])
  await emit(target, 'message.added', copies)
  await emit(target, 'message.changed', moved)
}

/** Emits with the messages' data of now, which nothing later in the operation changes: all at its end would take long. */
async function emit(
  change: ConversationChange,
  type: 'message.added' | 'message.changed',
  messages: readonly MessageRow[],
): Promise<void> {
  const stream = conversationStream(change.conversation.id)
  const { turn } = change.conversation
  await inSlices(messages, (message) => {
    const data = { message: messageData(message) }
    if (type === 'message.added') change.emit(stream, type, { ...data, turn })
    else change.emit(stream, type, data)
  })
}

/** Maps thousands of messages; other operations get their turn in between. */
async function inSlices<Result>(
  messages: readonly MessageRow[],
  map: (message: MessageRow) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const slice of slicesOf(messages, SLICE)) {
    results.push(...slice.map(map))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return results
}

const MOVE = `
update message m set position = x.position, updated_at = $3 from unnest($1::uuid[], $2::int[]) as x(id, position)
where m.id = x.id`

const MOVE_DELIVERIES = `
update delivery d set conversation_id = $1, message_id = x.copy from unnest($2::uuid[], $3::uuid[]) as x(original, copy)
where d.message_id = x.original`
