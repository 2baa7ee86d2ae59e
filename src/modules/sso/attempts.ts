import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import type { JsonObject } from '../../platform/json.js'
import type { ProviderIdentity } from './provider-identity.js'

/** The purpose of an attempt at a provider. */
export type Purpose = 'signIn' | 'link' | 'trial'

/** An attempt that comes back from a provider. */
export interface Attempt {
  service: string
  purpose: Purpose
  /** The user who links or tries; null for a sign-in. */
  user: string | null
  /** The page of the console to which the sign-in leads. */
  page: string | null
}

/** The result of an attempt to link, or of a trial. */
export interface Finding {
  service: string
  user: string
  identity: ProviderIdentity
}

export const ATTEMPT_SECONDS = 10 * 60
const TICKET_SECONDS = 2 * 60
const FINDING_SECONDS = 10 * 60
const SECRET_BYTES = 32
/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/

/** Tells whether it may be one of {@link newSecret}. */
export const isSecret = (text: string | null | undefined): text is string =>
  typeof text === 'string' && SECRET.test(text)
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/**
 * Attempts to sign in, to link or to try, from the way to the provider to what comes of them. Nothing that is stored opens
 * anything: ids are hashes of what the browser holds, and the verifier and the nonce are made of the state, which is not stored.
 */
export class Attempts {
  /** @param secret of the installation */
  constructor(private readonly secret: Uint8Array) {}

  /** Allows a signed-in user to begin, within two minutes. @returns what the address of the beginning holds */
  async ticket(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    { user, service, purpose }: { user: string; service: string; purpose: Exclude<Purpose, 'signIn'> },
  ): Promise<{ ticket: string; expiresAt: Date }> {
    const ticket = newSecret()
    const expiresAt = later(ctx, TICKET_SECONDS)
    await sql.query(
      'insert into sso_ticket (id, user_id, service_id, purpose, expires_at) values ($1, $2, $3, $4, $5)',
      [hashOf(ticket), user, service, purpose, expiresAt],
    )
    return { ticket, expiresAt }
  }

  /** Takes a ticket: it works once. @returns null if there is none, or not for this service */
  async takeTicket(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    { ticket, service }: { ticket: string; service: string },
  ): Promise<{ user: string; purpose: Exclude<Purpose, 'signIn'> } | null> {
    const [taken] = await sql.query<{ user: string; purpose: Exclude<Purpose, 'signIn'> }>(
      'delete from sso_ticket where id = $1 and service_id = $2 and expires_at > $3 returning user_id as user, purpose',
      [hashOf(ticket), service, ctx.now()],
    )
    return taken ?? null
  }

  /** Notes an attempt. @param browser what its cookie holds @returns what goes to the provider */
  async begin(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    { browser, service, purpose, user, page }: Attempt & { browser: string },
  ): Promise<{ state: string; nonce: string; challenge: string }> {
    const state = newSecret()
    await sql.query(
      `insert into sso_attempt (id, browser, service_id, purpose, user_id, page, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [hashOf(state), hashOf(browser), service, purpose, user, page, later(ctx, ATTEMPT_SECONDS)],
    )
    const { nonce, verifier } = this.secretsOf(state)
    return { state, nonce, challenge: createHash('sha256').update(verifier).digest('base64url') }
  }

  /** Takes an attempt: it ends here, whatever comes of it. @returns null unless it was begun in this browser, and is in time */
  async take(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    { state, browser }: { state: string; browser: string },
  ): Promise<Attempt | null> {
    const [taken] = await sql.query<Attempt>(
      `delete from sso_attempt where id = $1 and browser = $2 and expires_at > $3
       returning service_id as service, purpose, user_id as user, page`,
      [hashOf(state), hashOf(browser), ctx.now()],
    )
    return taken ?? null
  }

  /** The secrets of an attempt: only who has its state, here, can make them. */
  secretsOf(state: string): { nonce: string; verifier: string } {
    const of = (use: string): string => createHmac('sha256', this.secret).update(`${use} ${state}`).digest('base64url')
    return { nonce: of('nonce'), verifier: of('verifier') }
  }

  /** Keeps the result of an attempt for its user. @returns a code for the browser */
  async keep(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    { user, service, identity, purpose }: Finding & { purpose: Exclude<Purpose, 'signIn'> },
  ): Promise<string> {
    const code = newSecret()
    await sql.query(
      'insert into sso_finding (id, user_id, service_id, purpose, identity, expires_at) values ($1, $2, $3, $4, $5, $6)',
      [hashOf(code), user, service, purpose, JSON.stringify(identity), later(ctx, FINDING_SECONDS)],
    )
    return code
  }

  /** Reads a finding of the user. @param taking true if it works once */
  async finding(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    {
      code,
      user,
      purpose,
      taking,
    }: { code: string; user: string; purpose: Exclude<Purpose, 'signIn'>; taking: boolean },
  ): Promise<Finding | null> {
    const these = 'sso_finding where id = $1 and user_id = $2 and purpose = $3 and expires_at > $4'
    const columns = 'service_id as service, user_id as user, identity'
    const [found] = await sql.query<
      Finding & { identity: Omit<ProviderIdentity, 'authTime'> & { authTime: string | null } }
    >(taking ? `delete from ${these} returning ${columns}` : `select ${columns} from ${these}`, [
      hashOf(code),
      user,
      purpose,
      ctx.now(),
    ])
    if (!found) return null
    const { authTime } = found.identity as { authTime: string | null }
    return { ...found, identity: { ...found.identity, authTime: authTime === null ? null : new Date(authTime) } }
  }
}

/** Deletes attempts, and what came of them, that nobody took in time; and sign-outs that could not be taken again. */
export async function pruneAttempts(sql: Pick<Sql, 'query'>, now: Date): Promise<void> {
  for (const table of ['sso_ticket', 'sso_attempt', 'sso_finding', 'sso_logout']) {
    await sql.query(`delete from ${table} where expires_at <= $1`, [now])
  }
}

/** Claims beyond this are not shown in a trial. */
const CLAIMS_CHARS_MAX = 32_768

/** The claims that are kept for a trial: all of them, unless they are very large, or PostgreSQL cannot store what they hold. */
export function keptClaims(claims: JsonObject): JsonObject {
  const text = JSON.stringify(claims)
  return text.length <= CLAIMS_CHARS_MAX && !UNSTORABLE.test(text) ? claims : {}
}

/** U+0000 and halves of surrogate pairs, as JSON writes them. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/

function later(ctx: Pick<Context, 'now'>, seconds: number): Date {
  return new Date(ctx.now().getTime() + seconds * 1_000)
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
