import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.js'
import { isId, type Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { Unprocessable } from '../errors.js'
import { openSession, type SignInDependencies } from './sign-in.js'
import { parsePassword } from './passwords.js'
import type { TokenResponse } from './token-response.js'

const VALID_SECONDS = 7 * 24 * 60 * 60

export interface InvitedUser {
  id: string
  email: string
  status: string
  password_hash: string | null
}

/**
 * Invitation tokens: signed, and bound to the user's email and password hash, so that each works once and is invalid
 * once either changes. Nothing is stored.
 */
export class Invitations {
  constructor(private readonly options: { sql: Sql; secret: Uint8Array; clock: Clock }) {}

  tokenFor(user: InvitedUser): string {
    const expires = Math.floor(this.options.clock.now().getTime() / 1_000) + VALID_SECONDS
    return `${user.id}.${expires}.${this.#sign(user, expires).toString('base64url')}`
  }

  find(id: string): Promise<InvitedUser | undefined> {
    return this.options.sql
      .query<InvitedUser>('select id, email, status, password_hash from app_user where id = $1', [id])
      .then(([user]) => user)
  }

  /** @throws Unprocessable for a token that is invalid, expired or used */
  async check(token: string): Promise<InvitedUser> {
    const [id, expires, signature] = token.length < 200 ? token.split('.') : []
    const user = isId(id) ? await this.find(id) : undefined
    const given = Buffer.from(signature ?? '', 'base64url')
    const expected = user && this.#sign(user, Number(expires))
    const isSigned = expected?.length === given.length && timingSafeEqual(expected, given)
    const isInTime = Number(expires) * 1_000 > this.options.clock.now().getTime()
    if (!user || !isSigned || !isInTime || user.status !== 'invited') throw invalid()
    return user
  }

  #sign({ id, email, password_hash: hash }: InvitedUser, expires: number): Buffer {
    return createHmac('sha256', this.options.secret)
      .update(JSON.stringify([id, expires, email, hash]))
      .digest()
  }
}

/** Sets the invited user's password, activates the user and signs in. @throws Unprocessable, BadUserInput */
export async function acceptInvitation(
  ctx: Context,
  dependencies: SignInDependencies & { invitations: Invitations },
  { token, password, timezone }: { token: string; password: string; timezone?: string | null },
): Promise<TokenResponse> {
  const user = await dependencies.invitations.check(token)
  const passwordHash = await dependencies.hasher.hash(parsePassword(password, 'password'))
  // If two clients accept at once, the first one's password counts.
  const now = ctx.now()
  const accepted = await ctx.database.sqlTransaction((sql) =>
    sql.query(
      `update app_user set password_hash = $4, updated_at = $5
     where id = $1 and status = 'invited' and role <> 'bot' and email = $2 and password_hash is not distinct from $3
     returning id`,
      [user.id, user.email, user.password_hash, passwordHash, now],
    ),
  )
  if (accepted.length === 0) throw invalid()
  const response = await openSession(ctx, dependencies, { user: user.id, passwordHash, timezone: timezone ?? null })
  if (!response) throw invalid()
  return response
}

function invalid(): Unprocessable {
  return new Unprocessable('the invitation is invalid, has expired or was used', { field: 'token' })
}
