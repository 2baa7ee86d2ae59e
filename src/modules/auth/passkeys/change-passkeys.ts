import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { BadUserInput, Unauthenticated } from '../../../platform/errors.js'
import { parseText } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { endSignIns } from '../../users/end-sign-ins.js'
import { removeFactors } from '../../users/remove-factors.js'
import { displayNameOf } from '../../users/user.js'
import {
  changeOwn,
  invalidPasskey,
  noFactor,
  noteChange,
  refuseDemanded,
  sessionOf,
  type FactorDependencies,
  type OwnProof,
} from '../enrol-factors.js'
import { enrolledAlready, hasTotp, isEnrolled } from '../second-factors.js'
import { endEnrolments } from './passkey-challenges.js'
import { PASSKEYS_MAX, PasskeyFault, tooMany, type PasskeyOptions } from './passkeys.js'

/** A passkey of a user: nothing of it opens an account. */
export interface HeldPasskey {
  id: string
  name: string
  createdAt: Date
  usedAt: Date | null
}

export const PASSKEY_NAME_CHARS_MAX = 100

/** Makes options for a new passkey. @throws Forbidden, BadUserInput, RateLimited, Unprocessable */
export function enrolPasskey(ctx: Context, dependencies: FactorDependencies, given: OwnProof): Promise<PasskeyOptions> {
  dependencies.passkeys.site()
  return changeOwn(ctx, dependencies, { ...given, change: 'enrol a passkey' }, async (tx, user) => {
    if (user.role === 'bot') throw noFactor('a bot has no second factor')
    return dependencies.passkeys.creation(tx, {
      user: { id: user.id, email: user.email, name: displayNameOf(user) },
      family: sessionOf(ctx).family,
      now: ctx.now(),
    })
  })
}

/**
 * Enrols the passkey that an authenticator has made. From now on, sign-ins by password need a second factor.
 * @returns recovery codes for whoever had no factor before; null: those from before go on
 * @throws BadUserInput, Unprocessable for an answer that is refused
 */
export async function confirmPasskey(
  ctx: Context,
  dependencies: FactorDependencies,
  { passkey, name: given }: { passkey: JsonObject; name: string },
): Promise<{ passkey: HeldPasskey; recoveryCodes: string[] | null }> {
  const { passkeys, factors } = dependencies
  const name = nameOf(given)
  const holder = sessionOf(ctx)
  return changeOwn(ctx, dependencies, null, async (tx, user) => {
    // Under the lock: of those that were begun without a factor, one enrols the first, and the others end with it.
    const created = await refusing(async () =>
      passkeys.created(await passkeys.present(ctx, passkey, { purpose: 'enrol', holder, tx })),
    )
    const held = await tx.query('select from passkey where user_id = $1', [user.id])
    if (held.length >= PASSKEYS_MAX) throw tooMany()
    const isFirst = !(await isEnrolled(tx, user.id))
    const [made] = await tx.query<HeldPasskey>(
      `insert into passkey (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing
         returning ${PASSKEY_COLUMNS}`,
      [
        ctx.newId(),
        user.id,
        created.id,
        Buffer.from(created.publicKey),
        created.signCount,
        created.transports,
        name,
        ctx.now(),
      ],
    )
    if (!made) throw enrolledAlready('this passkey is enrolled already')
    // Begun when there was no factor to prove.
    await tx.query('delete from user_factor where user_id = $1 and confirmed_at is null', [user.id])
    await endEnrolments(tx, user.id)
    noteChange(ctx, tx, user)
    return { passkey: made, recoveryCodes: isFirst ? await factors.replaceRecoveryCodes(tx, user.id) : null }
  })
}

/** Says why an answer is refused: the caller is signed in, and may know. @throws Unprocessable */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PasskeyFault) throw invalidPasskey(`the passkey is not accepted: ${error.message}`)
    if (error instanceof Unauthenticated) throw invalidPasskey(error.message)
    throw error
  }
}

/** Renames a passkey of the caller. @throws NotFound, BadUserInput */
export function renamePasskey(
  ctx: Context,
  dependencies: FactorDependencies,
  { id, name: given }: { id: string; name: string },
): Promise<HeldPasskey> {
  const name = nameOf(given)
  return changeOwn(ctx, dependencies, null, async (tx, user) => {
    const [renamed] = await tx.query<HeldPasskey>(
      `update passkey set name = $3 where id = $1 and user_id = $2 returning ${PASSKEY_COLUMNS}`,
      [isId(id) ? id : null, user.id, name],
    )
    if (!renamed) throw recordNotFound('Passkey', id, 'id')
    noteChange(ctx, tx, user)
    return renamed
  })
}

/**
 * Removes a passkey of the caller, and ends the caller's other sessions: whoever has stolen the device may have opened them. The
 * recovery codes end with the last factor.
 * @throws NotFound, Forbidden, BadUserInput, RateLimited, Unprocessable
 */
export async function removePasskey(
  ctx: Context,
  dependencies: FactorDependencies,
  { id, ...proof }: OwnProof & { id: string },
): Promise<boolean> {
  const { user: me, family } = sessionOf(ctx)
  await changeOwn(ctx, dependencies, { ...proof, change: 'remove a passkey' }, async (tx, user) => {
    const others = await tx.query('select from passkey where user_id = $1 and id is distinct from $2', [
      user.id,
      isId(id) ? id : null,
    ])
    const isLast = others.length === 0 && !(await hasTotp(tx, user.id))
    const removed = await tx.query('delete from passkey where id = $1 and user_id = $2 returning id', [
      isId(id) ? id : null,
      user.id,
    ])
    if (removed.length === 0) throw recordNotFound('Passkey', id, 'id')
    if (isLast) {
      await refuseDemanded(tx, user.id)
      await removeFactors(tx, user.id)
    }
    await endSignIns(tx, { user: user.id, now: ctx.now(), except: family })
    noteChange(ctx, tx, user)
  })
  dependencies.accessChanges.userChanged(me)
  return true
}

/** Lists a user's passkeys, the oldest first. */
export function readPasskeys(sql: Pick<Sql, 'query'>, user: string): Promise<HeldPasskey[]> {
  return sql.query<HeldPasskey>(
    `select ${PASSKEY_COLUMNS} from passkey where user_id = $1 order by created_at, id`,
    [user],
    'passkeys-of-user',
  )
}

const PASSKEY_COLUMNS = 'id, name, created_at as "createdAt", used_at as "usedAt"'

function nameOf(given: string): string {
  const name = parseText(given, 'name', { max: PASSKEY_NAME_CHARS_MAX }).trim()
  if (name === '') throw new BadUserInput('name', 'name must not be empty', 'MISSING_VALUE')
  return name
}
