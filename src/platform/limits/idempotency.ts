import { createHash } from 'node:crypto'
import type { Context } from '../context.js'
import { isId } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { BadUserInput, Unprocessable, quoteValue } from '../errors.js'
import { parseText } from '../input.js'

const KEY_LENGTH_MAX = 255
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'

export interface IdempotentCall<T> {
  key: string | null | undefined
  operation: string
  input: unknown
  /** Hashes an input that holds secrets, see `Sealer.hash`. Default: without a key, by which a weak secret could be guessed. */
  hash?(text: string, earlier?: string): string
  /** Returns the answer as it is stored, and as a repeat gets it: without what is shown only once. Default: as it is. */
  kept?(answer: T): unknown
}

interface StoredAnswer {
  request_hash: string
  response: unknown
}

/**
 * Runs a create once per caller and key, for 24 hours (open points): the same key and input return the first answer
 * again. The answer is recorded in the create's transaction, so that a crash leaves both or neither.
 * @throws Unprocessable when the key was used with another input
 */
export async function idempotently<T>(ctx: Context, request: IdempotentCall<T>, run: () => Promise<T>): Promise<T> {
  const { key } = request
  if (key == null) return run()
  if (key === '' || key.length > KEY_LENGTH_MAX) {
    throw new BadUserInput(
      'idempotencyKey',
      `idempotencyKey ${quoteValue(key)} must have 1 to ${KEY_LENGTH_MAX} characters`,
    )
  }
  parseText(key, 'idempotencyKey')
  const text = textOf(request.operation, request.input)
  const hash = (earlier?: string): string => request.hash?.(text, earlier) ?? unkeyedHash(text)
  const kept = request.kept?.bind(request) as ((answer: unknown) => unknown) | undefined
  const idempotency = { callerKey: ctx.caller.key, key, hash, ...(kept && { kept }) }
  const earlier = await findAnswer<T>(ctx, idempotency)
  if (earlier) return earlier.answer
  ctx.idempotency = idempotency
  try {
    return await run()
  } catch (error) {
    // A concurrent repeat may have won, at the key or at another unique value of the input, such as a contact's email.
    const won = await findAnswer<T>(ctx, idempotency)
    if (won) return won.answer
    throw error
  } finally {
    ctx.idempotency = null
  }
}

const unkeyedHash = (text: string): string => createHash('sha256').update(text).digest('base64')

function textOf(operation: string, input: unknown): string {
  try {
    return JSON.stringify([operation, input])
  } catch (error) {
    // The input has not been validated yet.
    if (error instanceof RangeError) throw new BadUserInput('input', 'the input is nested too deeply')
    throw error
  }
}

/**
 * Records the answer of the current request in its transaction, replacing an expired one. Of two concurrent requests,
 * the second waits here for the first.
 * @param about id of the conversation or record that the answer is of, by which an erasure finds it; others are ignored
 * @throws KeyTaken when another request has the key; `idempotently` then returns that one's answer
 */
export async function recordAnswer(sql: Sql, ctx: Context, answer: unknown, about: unknown): Promise<void> {
  if (!ctx.idempotency) return
  const { callerKey, key, hash, kept } = ctx.idempotency
  const at = ctx.now()
  const rows = await sql.query(
    `insert into idempotency_key as k (caller, key, request_hash, response, created_at, about)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (caller, key) do update set request_hash = excluded.request_hash, response = excluded.response,
       created_at = excluded.created_at, about = excluded.about
     where k.created_at <= excluded.created_at - interval '24 hours' returning k.key`,
    [callerKey, key, hash(), JSON.stringify({ answer: kept ? kept(answer) : answer }), at, isId(about) ? about : null],
  )
  if (rows.length === 0) throw new KeyTaken(key)
  // For one that changes nothing else, such as leaving what one is not in: events prove better, and are appended later.
  sql.prove?.({ text: RECORDED, values: [callerKey, key, at] })
}

const RECORDED = 'select from idempotency_key where caller = $1 and key = $2 and created_at = $3'

/**
 * Never reaches the client: the transaction is rolled back, and the answer of the request that has the key is returned.
 */
class KeyTaken extends Error {
  constructor(key: string) {
    super(`the idempotency key ${quoteValue(key)} was taken by another request`)
  }
}

/** Deletes expired keys. */
export async function pruneIdempotencyKeys(sql: Sql, now: Date): Promise<void> {
  await sql.query("delete from idempotency_key where created_at <= $1::timestamptz - interval '24 hours'", [now])
}

async function findAnswer<T>(
  ctx: Context,
  { callerKey, key, hash }: NonNullable<Context['idempotency']>,
): Promise<{ answer: T } | null> {
  const rows = await ctx.reads.query<StoredAnswer>(
    `select request_hash, response from idempotency_key
     where caller = $1 and key = $2 and created_at > $3::timestamptz - interval '24 hours'`,
    [callerKey, key, ctx.now()],
  )
  const stored = rows[0]
  if (!stored) return null
  if (stored.request_hash !== hash(stored.request_hash)) {
    throw new Unprocessable(`idempotencyKey ${quoteValue(key)} was used with another request`, {
      reason: 'IDEMPOTENCY_KEY_REUSED',
      field: 'idempotencyKey',
    })
  }
  if (stored.response === null) {
    const what = `the answer to idempotencyKey ${quoteValue(key)} was erased`
    throw new Unprocessable(`${what}: a contact, conversation or message in it has been deleted`, {
      reason: 'ANSWER_ERASED',
      field: 'idempotencyKey',
    })
  }
  return stored.response as { answer: T }
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return violates(error, UNIQUE_VIOLATION, constraint)
}

export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return violates(error, FOREIGN_KEY_VIOLATION, constraint)
}

function violates(error: unknown, by: string, constraint: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, constraint: violated } = at as { code?: string; constraint?: string }
    if (code === by && violated === constraint) return true
  }
  return false
}
