import { createHash } from 'node:crypto'
import type { Context } from '../context.js'
import type { Sql } from '../db/database.js'
import { BadUserInput, Unprocessable, quoteValue } from '../errors.js'

const KEY_LENGTH_MAX = 255
const UNIQUE_VIOLATION = '23505'

interface StoredAnswer {
  request_hash: string
  response: unknown
}

/**
 * Runs a create once per caller and key, for 24 hours (open points): the same key and input return the first answer
 * again. The answer is recorded in the create's transaction, so that a crash leaves both or neither.
 * @throws Unprocessable when the key was used with another input
 */
export async function idempotently<T>(
  ctx: Context,
  request: { key: string | null | undefined; operation: string; input: unknown },
  run: () => Promise<T>,
): Promise<T> {
  const { key } = request
  if (key == null) return run()
  if (key === '' || key.length > KEY_LENGTH_MAX) {
    throw new BadUserInput(
      'idempotencyKey',
      `idempotencyKey ${quoteValue(key)} must have 1 to ${KEY_LENGTH_MAX} characters`,
    )
  }
  const idempotency = { callerKey: ctx.caller.key, key, requestHash: hashOf(request.operation, request.input) }
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

function hashOf(operation: string, input: unknown): string {
  try {
    return createHash('sha256')
      .update(JSON.stringify([operation, input]))
      .digest('base64')
  } catch (error) {
    // The input has not been validated yet.
    if (error instanceof RangeError) throw new BadUserInput('input', 'the input is nested too deeply')
    throw error
  }
}

/**
 * Records the answer of the current request in its transaction, replacing an expired one. Of two concurrent requests,
 * the second waits here for the first.
 * @throws KeyTaken when another request has the key; `idempotently` then returns that one's answer
 */
export async function recordAnswer(sql: Sql, ctx: Context, answer: unknown): Promise<void> {
  if (!ctx.idempotency) return
  const { callerKey, key, requestHash } = ctx.idempotency
  const at = ctx.now()
  const rows = await sql.query(
    `insert into idempotency_key as k (caller, key, request_hash, response, created_at) values ($1, $2, $3, $4, $5)
     on conflict (caller, key) do update set request_hash = excluded.request_hash, response = excluded.response,
       created_at = excluded.created_at
     where k.created_at <= excluded.created_at - interval '24 hours' returning k.key`,
    [callerKey, key, requestHash, JSON.stringify({ answer }), at],
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
  { callerKey, key, requestHash }: NonNullable<Context['idempotency']>,
): Promise<{ answer: T } | null> {
  const rows = await ctx.reads.query<StoredAnswer>(
    `select request_hash, response from idempotency_key
     where caller = $1 and key = $2 and created_at > $3::timestamptz - interval '24 hours'`,
    [callerKey, key, ctx.now()],
  )
  const stored = rows[0]
  if (!stored) return null
  if (stored.request_hash !== requestHash) {
    throw new Unprocessable(`idempotencyKey ${quoteValue(key)} was used with another request`, {
      field: 'idempotencyKey',
    })
  }
  if (stored.response === null) {
    throw new Unprocessable(`the answer to idempotencyKey ${quoteValue(key)} was erased together with its contact`, {
      field: 'idempotencyKey',
    })
  }
  return stored.response as { answer: T }
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, constraint: violated } = at as { code?: string; constraint?: string }
    if (code === UNIQUE_VIOLATION && violated === constraint) return true
  }
  return false
}
