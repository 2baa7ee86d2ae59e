import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { isId } from '../../platform/db/clock.js'
import { Unauthenticated, Unprocessable } from '../../platform/errors.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { LoginThrottle } from './login-throttle.js'
import { newTotpSecret, stepOfCode, totpUri } from './totp.js'

export const SecondFactorMethod = graphqlEnum(
  'SecondFactorMethod',
  'Method by which a user proves the second factor at a sign-in.',
  {
    TOTP: ['totp', 'Six digits of an authenticator app, which change every 30 s.'],
    RECOVERY_CODE: ['recoveryCode', 'One of the codes that were shown once, each of which works once.'],
  },
)
export type SecondFactorMethod = (typeof SecondFactorMethod)[keyof typeof SecondFactorMethod]

export const RECOVERY_CODES = 10
/** 80 bits. */
const RECOVERY_BYTES = 10
const RECOVERY_CODE = /^[0-9a-f]{20}$/
const TOTP_CODE = /^\d{6}$/
const CODE_CHARS_MAX = 100

/** Time for which an enrolment can be confirmed. */
export const PENDING_SECONDS = 15 * 60
/** Enrolments of one user that wait at once, as in several tabs. */
const PENDING_MAX = 5

/** An authenticator app that is not confirmed yet. */
export interface PendingTotp {
  id: string
  secret: string
  uri: string
  expiresAt: Date
}

export interface SecondFactorsOptions {
  sealer: Sealer
  /** The name under which authenticator apps show the account. */
  issuer: string
  /** Key of the hashes of recovery codes. */
  secret: Uint8Array
  throttle: LoginThrottle
}

/** Codes of users' second factors: each proves one sign-in, on whichever node it is given. */
export class SecondFactors {
  constructor(private readonly options: SecondFactorsOptions) {}

  /**
   * Takes a code, if the user has a second factor: it works no more afterwards. Needs the lock of the user, so that of two
   * sign-ins with one code one is refused.
   * @returns the method, or null for a user without a second factor, whose code is ignored
   * @throws Unauthenticated without a code, or for one that is wrong or was used
   */
  async take(
    sql: Pick<Sql, 'query'>,
    { user, code, now }: { user: string; code: string | null; now: Date },
  ): Promise<SecondFactorMethod | null> {
    const [totp] = await sql.query<{ id: string; secret: string; used_step: number | null }>(
      'select id, secret, used_step from user_factor where user_id = $1 and confirmed_at is not null',
      [user],
    )
    if (!totp) return null
    const given = code === null || code.length > CODE_CHARS_MAX ? code : code.replaceAll(/[\s-]/g, '').toLowerCase()
    if (!given) throw await this.#required(sql, user)
    if (TOTP_CODE.test(given)) {
      const secret = this.options.sealer.open(SEALED.totpSecret, totp.id, totp.secret)
      const step = stepOfCode(secret, given, { now, usedStep: totp.used_step })
      if (step === null) throw wrongCode()
      await sql.query('update user_factor set used_step = $2, used_at = $3 where id = $1', [totp.id, step, now])
      return 'totp'
    }
    if (!RECOVERY_CODE.test(given)) throw wrongCode()
    const spent = await sql.query(
      'update recovery_code set used_at = $3 where user_id = $1 and hash = $2 and used_at is null returning user_id',
      [user, this.#hash(user, given), now],
    )
    if (spent.length === 0) throw wrongCode()
    return 'recoveryCode'
  }

  /** Begins an enrolment for a user without a second factor. Needs the lock of the user. @throws Unprocessable for who has one */
  async begin(
    sql: Pick<Sql, 'query'>,
    { user, now, newId }: { user: { id: string; email: string }; now: Date; newId: () => string },
  ): Promise<PendingTotp> {
    await refuseEnrolled(sql, user.id)
    const pending = { id: newId(), secret: newTotpSecret() }
    await sql.query(
      `delete from user_factor where user_id = $1 and confirmed_at is null and id not in (
         select id from user_factor where user_id = $1 and confirmed_at is null order by created_at desc, id desc
         limit ${PENDING_MAX - 1})`,
      [user.id],
    )
    await sql.query('insert into user_factor (id, user_id, secret, created_at) values ($1, $2, $3, $4)', [
      pending.id,
      user.id,
      this.options.sealer.seal(SEALED.totpSecret, pending.id, pending.secret),
      now,
    ])
    const uri = totpUri(pending.secret, { issuer: this.options.issuer, email: user.email })
    return { ...pending, uri, expiresAt: new Date(now.getTime() + PENDING_SECONDS * 1_000) }
  }

  /**
   * Confirms an enrolment by a code of the app, which is then spent. Needs the lock of the user.
   * @throws NotFound, Unprocessable for a wrong code, or for a user who has a second factor
   */
  async confirm(
    sql: Pick<Sql, 'query'>,
    { user, id, code, now }: { user: string; id: string; code: string; now: Date },
  ): Promise<void> {
    await refuseEnrolled(sql, user)
    const [found] = await sql.query<{ secret: string }>(
      `select secret from user_factor where id = $1 and user_id = $2
         and created_at > $3::timestamptz - make_interval(secs => ${PENDING_SECONDS})`,
      [isId(id) ? id : null, user, now],
    )
    if (!found) throw recordNotFound('Enrolment', id, 'id')
    const given = code.replaceAll(/\s/g, '')
    const secret = this.options.sealer.open(SEALED.totpSecret, id.toLowerCase(), found.secret)
    const step = TOTP_CODE.test(given) ? stepOfCode(secret, given, { now, usedStep: null }) : null
    if (step === null)
      throw new Unprocessable('code is not of this app, or too old', { reason: 'CODE_WRONG', field: 'code' })
    await sql.query('delete from user_factor where user_id = $1 and id <> $2', [user, id])
    await sql.query('update user_factor set confirmed_at = $2, used_step = $3 where id = $1', [id, now, step])
  }

  /**
   * Does what takes a code. Wrong ones count as failed sign-ins do, but separately: who knows the password must not clear
   * them by it.
   * @throws RateLimited after too many
   */
  async throttled<T>(
    ctx: Context,
    { user, code, isKnown = false }: { user: string; code: string | null; isKnown?: boolean },
    work: () => Promise<T>,
  ): Promise<T> {
    if (!code?.trim()) return work()
    const { throttle } = this.options
    const guess = { account: `second factor of ${user}`, address: ctx.address, isKnown }
    await throttle.check(guess)
    const result = await work()
    await throttle.succeeded(guess)
    return result
  }

  /** Replaces the user's recovery codes. Needs the lock of the user. @returns the new ones, which are stored as hashes */
  async replaceRecoveryCodes(sql: Pick<Sql, 'query'>, user: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_BYTES).toString('hex'))
    await sql.query('delete from recovery_code where user_id = $1', [user])
    await sql.query('insert into recovery_code (user_id, hash) select $1, unnest($2::text[])', [
      user,
      codes.map((code) => this.#hash(user, code)),
    ])
    return codes.map((code) => code.match(/.{5}/g)!.join('-'))
  }

  async #required(sql: Pick<Sql, 'query'>, user: string): Promise<Unauthenticated> {
    const left = await sql.query('select from recovery_code where user_id = $1 and used_at is null limit 1', [user])
    return new Unauthenticated('a code of the second factor is required', {
      reason: 'SECOND_FACTOR_REQUIRED',
      field: 'code',
      methods: methodsOf(left.length),
    })
  }

  #hash(user: string, code: string): string {
    return createHmac('sha256', this.options.secret).update(`${user} ${code}`).digest('base64url')
  }
}

export async function isEnrolled(sql: Pick<Sql, 'query'>, user: string): Promise<boolean> {
  const found = await sql.query('select from user_factor where user_id = $1 and confirmed_at is not null', [user])
  return found.length > 0
}

async function refuseEnrolled(sql: Pick<Sql, 'query'>, user: string): Promise<void> {
  if (await isEnrolled(sql, user))
    throw new Unprocessable('an authenticator app is enrolled already', { reason: 'SECOND_FACTOR_ENROLLED' })
}

/** Returns the methods that a user with an authenticator app has, by how many recovery codes are left. */
export function methodsOf(recoveryCodesLeft: number): SecondFactorMethod[] {
  return recoveryCodesLeft > 0 ? ['totp', 'recoveryCode'] : ['totp']
}

/** Tells whether a sign-in was refused for its second factor: the password was right. */
export function isOfSecondFactor(error: unknown): error is Unauthenticated {
  return (
    error instanceof Unauthenticated &&
    (error.details.reason === 'SECOND_FACTOR_REQUIRED' || error.details.reason === 'SECOND_FACTOR_WRONG')
  )
}

function wrongCode(): Unauthenticated {
  return new Unauthenticated('the code of the second factor is wrong, too old, or was used', {
    reason: 'SECOND_FACTOR_WRONG',
    field: 'code',
  })
}
