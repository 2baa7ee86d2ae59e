import type { Context } from '../../../platform/context.js'
import type { Sql } from '../../../platform/db/database.js'
import { BadUserInput, Unauthenticated, Unprocessable } from '../../../platform/errors.js'
import type { JsonObject } from '../../../platform/json.js'
import { parseAnswer, type PasskeyAnswer } from './parse-answer.js'
import {
  CHALLENGE_SECONDS,
  createChallenge,
  takeChallenge,
  type ChallengeHolder,
  type ChallengePurpose,
} from './passkey-challenges.js'
import type { PasskeyPace } from './passkey-pace.js'
import { relyingPartyOf, type RelyingParty } from './relying-party.js'
import { loadWebAuthn, withoutAttestation } from './webauthn.js'

export const PASSKEYS_MAX = 20
/** The maximum by WebAuthn. */
const CREDENTIAL_ID_BYTES_MAX = 1_023
/** ES256, EdDSA, RS256: what authenticators have. */
const ALGORITHMS = [-7, -8, -257]

/** Options for the browser, and until when they are good. */
export interface PasskeyOptions {
  options: JsonObject
  expiresAt: Date
}

/** An answer whose challenge was taken: it is proved by {@link Passkeys.prove}, or by nothing. */
export interface Presented {
  answer: PasskeyAnswer
  challenge: string
}

/** A passkey that an authenticator has made just now. */
export interface NewCredential {
  id: string
  publicKey: Uint8Array
  signCount: number
  transports: string[]
}

/** A refused passkey. */
export class PasskeyFault extends Error {
  /** @param isCopied the signature is right, and its counter is not past the last one: somebody has copied the passkey */
  constructor(
    message: string,
    readonly isCopied = false,
  ) {
    super(message)
  }
}

/** Challenges and proofs of users' passkeys. Each has the user verified by the authenticator, so that it is both factors. */
export class Passkeys {
  readonly pace: PasskeyPace

  constructor(private readonly options: { publicUrl: string; pace: PasskeyPace }) {
    this.pace = options.pace
  }

  /** Options to make a passkey for a user, in the caller's session. @throws Unprocessable where there can be none, or no more */
  async creation(
    sql: Pick<Sql, 'query'>,
    { user, family, now }: { user: { id: string; email: string; name: string }; family: string; now: Date },
  ): Promise<PasskeyOptions> {
    const site = this.site()
    const held = await credentialsOf(sql, user.id)
    if (held.length >= PASSKEYS_MAX) throw tooMany()
    const holder = { user: user.id, family }
    const { challenge, expiresAt } = await createChallenge(sql, { purpose: 'enrol', holder, now })
    const { generateRegistrationOptions } = await loadWebAuthn()
    const options = await generateRegistrationOptions({
      challenge,
      rpID: site.id,
      rpName: site.id,
      userID: handleOf(user.id),
      userName: user.email,
      userDisplayName: user.name,
      timeout: CHALLENGE_SECONDS * 1_000,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: held,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return { options: jsonOf(options), expiresAt }
  }

  /**
   * Options to use a passkey. For a sign-in they name none, so that they are the same for everybody.
   * @throws Unprocessable where there can be none
   */
  async request(
    sql: Pick<Sql, 'query'>,
    { holder, now }: { holder: ChallengeHolder; now: Date },
  ): Promise<PasskeyOptions> {
    const site = this.site()
    const purpose = holder ? 'prove' : 'signIn'
    const allowCredentials = holder ? await credentialsOf(sql, holder.user) : []
    const { challenge, expiresAt } = await createChallenge(sql, { purpose, holder, now })
    const { generateAuthenticationOptions } = await loadWebAuthn()
    const options = await generateAuthenticationOptions({
      challenge,
      rpID: site.id,
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: 'required',
      allowCredentials,
    })
    return { options: jsonOf(options), expiresAt }
  }

  /**
   * Takes the challenge that an answer is for, at once: whatever comes of the answer, it is presented once.
   * @param tx takes it in this transaction, and with what that does
   * @throws BadUserInput, Unauthenticated for a challenge that is spent, too old or another's, and for another site
   */
  async present(
    ctx: Context,
    given: JsonObject,
    { purpose, holder, tx }: { purpose: ChallengePurpose; holder: ChallengeHolder; tx?: Pick<Sql, 'query'> },
  ): Promise<Presented> {
    const site = this.site()
    const signed = ['clientDataJSON', 'authenticatorData', 'signature'] as const
    const { answer, clientData } = parseAnswer(
      given,
      'passkey',
      purpose === 'enrol' ? ['clientDataJSON', 'attestationObject'] : signed,
    )
    const { challenge, origin, isCrossOrigin } = clientData
    const take = (sql: Pick<Sql, 'query'>) => takeChallenge(sql, { challenge, purpose, holder, now: ctx.now() })
    const isTaken = tx ? await take(tx) : await ctx.database.sqlTransaction(take)
    if (!isTaken)
      throw new Unauthenticated('the challenge was used, is too old, or was made for something else: begin again', {
        reason: 'PASSKEY_CHALLENGE_GONE',
        field: 'passkey',
      })
    if (origin !== site.origin || isCrossOrigin)
      throw new Unauthenticated(
        isCrossOrigin
          ? `the passkey was asked for in a frame of another site: passkeys work at ${site.origin}`
          : `the passkey was used at ${origin.slice(0, 200)}: passkeys work at ${site.origin}, which is PUBLIC_URL`,
        { reason: 'PASSKEY_ORIGIN', field: 'passkey' },
      )
    return { answer, challenge }
  }

  /** Reads the passkey that an authenticator has made. @throws PasskeyFault, BadUserInput */
  async created({ answer, challenge }: Presented): Promise<NewCredential> {
    const site = this.site()
    const { verifyRegistrationResponse } = await loadWebAuthn()
    const verify = async () => {
      const attestationObject = await withoutAttestation(answer.response.attestationObject)
      return verifyRegistrationResponse({
        response: { ...answer, response: { ...answer.response, attestationObject } },
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      })
    }
    const { registrationInfo } = await verify().catch((error: Error) => {
      throw new PasskeyFault(error.message)
    })
    if (!registrationInfo) throw new PasskeyFault('its attestation is wrong')
    const { id, publicKey, counter } = registrationInfo.credential
    if (Buffer.byteLength(id, 'base64url') > CREDENTIAL_ID_BYTES_MAX)
      throw new BadUserInput('passkey', `passkey has an id of more than ${CREDENTIAL_ID_BYTES_MAX} bytes`)
    return { id, publicKey, signCount: counter, transports: answer.response.transports ?? [] }
  }

  /**
   * Proves that a user has signed by a passkey, and notes its use. Needs the lock of the user, so that of two answers of a copied
   * passkey one is refused.
   * @param needsHandle the authenticator must say whose passkey it is @returns the passkey's id @throws PasskeyFault
   */
  async prove(
    sql: Pick<Sql, 'query'>,
    {
      presented: { answer, challenge },
      user,
      now,
      needsHandle = false,
    }: { presented: Presented; user: string; now: Date; needsHandle?: boolean },
  ): Promise<string> {
    const site = this.site()
    const { userHandle } = answer.response
    const isOwn = userHandle === undefined ? !needsHandle : userHandle === textOf(handleOf(user))
    const [held] = await sql.query<{ id: string; public_key: Buffer; sign_count: string }>(
      'select id, public_key, sign_count from passkey where credential_id = $1 and user_id = $2 for update',
      [answer.id, user],
    )
    if (!held || !isOwn) throw new PasskeyFault('it is no passkey of the user')
    const { verifyAuthenticationResponse } = await loadWebAuthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // The counter is compared below, once the signature is known to be right: it tells of a copy only then.
      credential: { id: answer.id, publicKey: new Uint8Array(held.public_key), counter: 0 },
    }).catch((error: Error) => {
      throw new PasskeyFault(error.message)
    })
    if (!verified) throw new PasskeyFault('its signature is wrong')
    const [last, next] = [Number(held.sign_count), authenticationInfo.newCounter]
    // Passkeys that are synced count nothing, and say 0 always.
    if ((last > 0 || next > 0) && next <= last)
      throw new PasskeyFault(`its counter is ${next}, after ${last}: it may have been copied`, true)
    await sql.query('update passkey set sign_count = $2, used_at = $3 where id = $1', [held.id, next, now])
    return held.id
  }

  /** @throws Unprocessable where browsers allow no passkeys */
  site(): RelyingParty {
    return relyingPartyOf(this.options.publicUrl)
  }
}

export function tooMany(): Unprocessable {
  return new Unprocessable(`a user has at most ${PASSKEYS_MAX} passkeys: remove one first`, {
    reason: 'TOO_MANY',
    max: PASSKEYS_MAX,
  })
}

async function credentialsOf(sql: Pick<Sql, 'query'>, user: string): Promise<{ id: string; transports: string[] }[]> {
  return sql.query<{ id: string; transports: string[] }>(
    'select credential_id as id, transports from passkey where user_id = $1 order by created_at, id',
    [user],
  )
}

/** The user's name for authenticators, which tells them nothing: the 16 bytes of the id. */
function handleOf(user: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(user.replaceAll('-', ''), 'hex'))
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

function jsonOf(options: object): JsonObject {
  return JSON.parse(JSON.stringify(options)) as JsonObject
}
