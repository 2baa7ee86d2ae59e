import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../../../platform/db/database.js'

/**
 * The use of a challenge: to enrol a passkey, to sign in, alone or after the password, or to prove that a change of factors is the
 * user's own.
 */
export type ChallengePurpose = 'enrol' | 'signIn' | 'prove'

/** The session that a challenge is bound to; null at a sign-in, which has none yet. */
export type ChallengeHolder = { user: string; family: string } | null

/** Time in which a person finds the key, and touches it. */
export const CHALLENGE_SECONDS = 5 * 60
/** Challenges of one user that wait at once, as in several tabs. */
const WAITING_MAX = 5
const CHALLENGE_BYTES = 32
/** Deleted for each that is made, so that there are never many, however fast they are asked for. */
const EXPIRED_DELETED = 20

/** Makes a challenge, which works once, on any node. Only its hash is stored. */
export async function createChallenge(
  sql: Pick<Sql, 'query'>,
  { purpose, holder, now }: { purpose: ChallengePurpose; holder: ChallengeHolder; now: Date },
): Promise<{ challenge: Uint8Array<ArrayBuffer>; expiresAt: Date }> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES))
  const expiresAt = new Date(now.getTime() + CHALLENGE_SECONDS * 1_000)
  if (holder)
    await sql.query(
      `delete from passkey_challenge where user_id = $1 and id not in (
         select id from passkey_challenge where user_id = $1 order by expires_at desc, id limit ${WAITING_MAX - 1})`,
      [holder.user],
    )
  await sql.query(
    `delete from passkey_challenge where id in (select id from passkey_challenge where expires_at <= $1
       order by expires_at limit ${EXPIRED_DELETED} for update skip locked)`,
    [now],
  )
  await sql.query(
    'insert into passkey_challenge (id, purpose, user_id, family_id, expires_at) values ($1, $2, $3, $4, $5)',
    [
      hashOf(Buffer.from(challenge).toString('base64url')),
      purpose,
      holder?.user ?? null,
      holder?.family ?? null,
      expiresAt,
    ],
  )
  return { challenge, expiresAt }
}

/** Ends the challenges by which a user is about to enrol passkeys. */
export async function endEnrolments(sql: Pick<Sql, 'query'>, user: string): Promise<void> {
  await sql.query("delete from passkey_challenge where user_id = $1 and purpose = 'enrol'", [user])
}

/** Takes a challenge: it works no more, whatever comes of it. @returns false unless it was made for this, and is in time */
export async function takeChallenge(
  sql: Pick<Sql, 'query'>,
  {
    challenge,
    purpose,
    holder,
    now,
  }: { challenge: string; purpose: ChallengePurpose; holder: ChallengeHolder; now: Date },
): Promise<boolean> {
  const taken = await sql.query(
    `delete from passkey_challenge where id = $1 and purpose = $2 and user_id is not distinct from $3::uuid
       and family_id is not distinct from $4::uuid and expires_at > $5 returning id`,
    [hashOf(challenge), purpose, holder?.user ?? null, holder?.family ?? null, now],
  )
  return taken.length === 1
}

/** Deletes challenges that nobody answered in time. */
export async function pruneChallenges(sql: Pick<Sql, 'query'>, now: Date): Promise<void> {
  await sql.query('delete from passkey_challenge where expires_at <= $1', [now])
}

function hashOf(challenge: string): string {
  return createHash('sha256').update(challenge).digest('base64url')
}
