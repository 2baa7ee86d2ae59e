import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { isId } from '../../platform/db/clock.js'
import { Unauthenticated, Unprocessable } from '../../platform/errors.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { hasFactorSql } from '../sign-in-policy/sign-in-rules.js'
import type { LoginThrottle } from './login-throttle.js'
import { noteCopiedPasskey } from './note-refusal.js'
import { endEnrolments } from './passkeys/passkey-challenges.js'
import { PasskeyFault, type Passkeys, type Presented } from './passkeys/passkeys.js'
import { newTotpSecret, stepOfCode, totpUri } from './totp.js'

export const SecondFactorMethod = graphqlEnum(
  'SecondFactorMethod',
  'Method by which a user proves the second factor at a sign-in.',
  {
    TOTP: ['totp', 'Six digits of an authenticator app, which change every 30 s.'],
    PASSKEY: ['passkey', 'A passkey, which signs in without a password too.'],
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
  passkeys: Passkeys
}

/** Proof of a second factor: a code, or a passkey's answer whose challenge was taken. */
export interface FactorProof {
  code: string | null
  passkey?: Presented | null
}

/** Codes of users' second factors: each proves one sign-in, on whichever node it is given. */
export class SecondFactors {
  constructor(private readonly options: SecondFactorsOptions) {}

  /**
   * Takes a code or a passkey's answer, if the user has a second factor: it works no more afterwards. Needs the lock of the user, so
   * that of two sign-ins with one code one is refused.
   * @returns the method, or null for a user without a second factor, whose code is ignored
   * @throws Unauthenticated without either, or for one that is wrong or was used; PasskeyFault for a copied passkey
   */
  async take(
    sql: Pick<Sql, 'query'>,
    { user, code, passkey = null, now }: FactorProof & { user: string; now: Date },
  ): Promise<SecondFactorMethod | null> {
    const [totp] = await sql.query<{ id: string; secret: string; used_step: number | null }>(
      'select id, secret, used_step from user_factor where user_id = $1 and confirmed_at is not null',
      [user],
    )
    if (!totp && !(await hasPasskey(sql, user))) return null
    if (passkey) {
      await this.options.passkeys.prove(sql, { presented: passkey, user, now }).catch((error: unknown) => {
        throw error instanceof PasskeyFault && !error.isCopied ? wrongPasskey() : error
      })
      return 'passkey'
    }
    const given = code === null || code.length > CODE_CHARS_MAX ? code : code.replaceAll(/[\s-]/g, '').toLowerCase()
    if (!given) throw await this.#required(sql, user)
    if (TOTP_CODE.test(given)) {
      if (!totp) throw wrongCode()
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

  /** Begins an enrolment for a user without an authenticator app. Needs the lock of the user. @throws Unprocessable for who has one */
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
    // Begun when there was no factor to prove.
    await endEnrolments(sql, user)
  }

  /**
   * Does what takes a code. Wrong ones count as failed sign-ins do, but separately: who knows the password must not clear
   * them by it.
   * @throws RateLimited after too many
   */
  async throttled<T>(
    ctx: Context,
    { user, code, passkey = null, isKnown = false }: FactorProof & { user: string; isKnown?: boolean },
    work: () => Promise<T>,
  ): Promise<T> {
    if (!code?.trim() && !passkey) return work()
    const { throttle } = this.options
    const guess = { account: `second factor of ${user}`, address: ctx.address, isKnown }
    await throttle.check(guess)
    const result = await work().catch(async (error: unknown) => {
      if (!(error instanceof PasskeyFault)) throw error
      await noteCopiedPasskey(ctx, user)
      throw wrongPasskey()
    })
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
    return new Unauthenticated('a code of the second factor is required', {
      reason: 'SECOND_FACTOR_REQUIRED',
      field: 'code',
      methods: (await readFactors(sql, user))!.methods,
    })
  }

  #hash(user: string, code: string): string {
    return createHmac('sha256', this.options.secret).update(`${user} ${code}`).digest('base64url')
  }
}

/** Tells whether a user has a second factor. */
export async function isEnrolled(sql: Pick<Sql, 'query'>, user: string): Promise<boolean> {
  const [found] = await sql.query<{ is_enrolled: boolean }>(`select ${hasFactorSql('$1::uuid')} as is_enrolled`, [user])
  return found!.is_enrolled
}

export async function hasTotp(sql: Pick<Sql, 'query'>, user: string): Promise<boolean> {
  const found = await sql.query('select from user_factor where user_id = $1 and confirmed_at is not null', [user])
  return found.length > 0
}

export async function hasPasskey(sql: Pick<Sql, 'query'>, user: string): Promise<boolean> {
  const found = await sql.query('select from passkey where user_id = $1 limit 1', [user])
  return found.length > 0
}

async function refuseEnrolled(sql: Pick<Sql, 'query'>, user: string): Promise<void> {
  if (await hasTotp(sql, user)) throw appEnrolled()
}

export function appEnrolled(): Unprocessable {
  return enrolledAlready('an authenticator app is enrolled already')
}

/** @param message says what there is */
export function enrolledAlready(message: string): Unprocessable {
  return new Unprocessable(message, { reason: 'SECOND_FACTOR_ENROLLED' })
}

/** The second factor of a user. */
export interface HeldFactors {
  methods: SecondFactorMethod[]
  createdAt: Date
  usedAt: Date | null
  recoveryCodesLeft: number
}

/** Reads the second factor of a user; the times are of the authenticator app if there is one. @returns null without one */
export async function readFactors(sql: Pick<Sql, 'query'>, user: string): Promise<HeldFactors | null> {
  const [found] = await sql.query<{
    totp_at: Date | null
    totp_used_at: Date | null
    passkey_at: Date | null
    passkey_used_at: Date | null
    codes: number
  }>(
    `select f.confirmed_at as totp_at, f.used_at as totp_used_at, k.passkey_at, k.passkey_used_at, (
         select count(*)::integer from recovery_code c where c.user_id = u.id and c.used_at is null) as codes
       from (values ($1::uuid)) as u(id)
         left join user_factor f on f.user_id = u.id and f.confirmed_at is not null,
         lateral (select min(p.created_at) as passkey_at, max(p.used_at) as passkey_used_at
           from passkey p where p.user_id = u.id) k`,
    [user],
    'second-factor-of-user',
  )
  const { totp_at: totpAt, totp_used_at: totpUsedAt, passkey_at: passkeyAt, passkey_used_at: passkeyUsedAt } = found!
  const createdAt = totpAt ?? passkeyAt
  if (!createdAt) return null
  return {
    methods: [
      ...(totpAt ? (['totp'] as const) : []),
      ...(passkeyAt ? (['passkey'] as const) : []),
      ...(found!.codes > 0 ? (['recoveryCode'] as const) : []),
    ],
    createdAt,
    usedAt: totpAt ? totpUsedAt : passkeyUsedAt,
    recoveryCodesLeft: found!.codes,
  }
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

function wrongPasskey(): Unauthenticated {
  return new Unauthenticated('the passkey is not accepted', { reason: 'SECOND_FACTOR_WRONG', field: 'passkey' })
}
