import { ATTEMPT_SECONDS, AttemptSecrets, hashOf, newSecret } from '../../platform/attempt-secrets.js'
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

/** A person whom a provider has named, before its browser comes (SAML), and the version of the provider at that time. */
export interface Answer {
  identity: ProviderIdentity
  version: number
}

/** The result of an attempt to link, or of a trial. */
export interface Finding {
  service: string
  user: string
  identity: ProviderIdentity
}

const TICKET_SECONDS = 2 * 60
const FINDING_SECONDS = 10 * 60

/**
 * Attempts to sign in, to link or to try, from the way to the provider to what comes of them. Nothing that is stored opens
 * anything: ids are hashes of what the browser holds, and the verifier and the nonce are made of the state, which is not stored.
 */
export class Attempts {
  readonly #secrets: AttemptSecrets

  /** @param secret of the installation */
  constructor(secret: Uint8Array) {
    this.#secrets = new AttemptSecrets(secret)
  }

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
    const { nonce, challenge } = this.#secrets.of(state)
    return { state, nonce, challenge }
  }

  /** Takes an attempt: it ends here, whatever comes of it. @returns null unless it was begun in this browser, and is in time */
  async take(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    { state, browser }: { state: string; browser: string },
  ): Promise<(Attempt & { answer: Answer | null }) | null> {
    const [taken] = await sql.query<Attempt & { answer: Answer | null }>(
      `delete from sso_attempt where id = $1 and browser = $2 and expires_at > $3
       returning service_id as service, purpose, user_id as user, page, answer`,
      [hashOf(state), hashOf(browser), ctx.now()],
    )
    if (!taken?.answer) return taken ?? null
    return { ...taken, answer: { ...taken.answer, identity: revived(taken.answer.identity) } }
  }

  /** Finds an attempt that is at a provider. @returns null if there is none at this service, or it was answered */
  async unanswered(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    { state, service }: { state: string; service: string },
  ): Promise<Attempt | null> {
    const [found] = await sql.query<Attempt>(
      `select service_id as service, purpose, user_id as user, page from sso_attempt
       where id = $1 and service_id = $2 and expires_at > $3 and answer is null`,
      [hashOf(state), service, ctx.now()],
    )
    return found ?? null
  }

  /**
   * Keeps what a provider answers until the browser of the attempt comes, which alone takes it. @param options.assertion works once
   * @returns false if the assertion was used, or the attempt is answered or gone
   */
  async answer(
    sql: Pick<Sql, 'query'>,
    ctx: Pick<Context, 'now'>,
    {
      state,
      service,
      assertion,
      endsAt,
      answer,
    }: { state: string; service: string; assertion: string; endsAt: Date; answer: Answer },
  ): Promise<boolean> {
    const taken = await sql.query(
      'insert into sso_assertion (service_id, id, expires_at) values ($1, $2, $3) on conflict do nothing returning 1',
      [service, hashOf(assertion), endsAt],
    )
    if (taken.length === 0) return false
    const kept = await sql.query(
      `update sso_attempt set answer = $4 where id = $1 and service_id = $2 and expires_at > $3 and answer is null returning 1`,
      [hashOf(state), service, ctx.now(), JSON.stringify(answer)],
    )
    return kept.length > 0
  }

  /** The id of the request of an attempt (SAML). */
  requestOf(state: string): string {
    return `_${this.#secrets.digest('request', state)}`
  }

  /** The secrets of an attempt: only who has its state, here, can make them. */
  secretsOf(state: string): { nonce: string; verifier: string } {
    return this.#secrets.of(state)
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
    const [found] = await sql.query<Finding>(
      taking ? `delete from ${these} returning ${columns}` : `select ${columns} from ${these}`,
      [hashOf(code), user, purpose, ctx.now()],
    )
    return found ? { ...found, identity: revived(found.identity) } : null
  }
}

/** An identity that was stored as JSON. */
function revived(identity: ProviderIdentity): ProviderIdentity {
  const authTime = identity.authTime as unknown as string | null
  return { ...identity, authTime: authTime === null ? null : new Date(authTime) }
}

/** Deletes attempts, and what came of them, that nobody took in time; and sign-outs that could not be taken again. */
export async function pruneAttempts(sql: Pick<Sql, 'query'>, now: Date): Promise<void> {
  for (const table of ['sso_ticket', 'sso_attempt', 'sso_finding', 'sso_logout', 'sso_assertion']) {
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
