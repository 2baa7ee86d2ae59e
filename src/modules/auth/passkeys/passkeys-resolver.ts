import { Arg, Authorized, Ctx, Extensions, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { JsonObject as JsonRecord } from '../../../platform/json.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { DateTime, JsonObject } from '../../../platform/lists/scalars.js'
import { reachable } from '../../users/reachable.js'
import { User } from '../../users/user.js'
import { noFactor, sessionOf, type FactorDependencies } from '../enrol-factors.js'
import { CODE, PASSWORD, PROOF } from '../factors-resolver.js'
import { hasPasskey, RECOVERY_CODES } from '../second-factors.js'
import type { SignInDependencies } from '../sign-in.js'
import { TokenResponse } from '../token-response.js'
import {
  confirmPasskey,
  enrolPasskey,
  PASSKEY_NAME_CHARS_MAX,
  readPasskeys,
  removePasskey,
  renamePasskey,
  type HeldPasskey,
} from './change-passkeys.js'
import { signInByPasskey } from './passkey-sign-in.js'
import { PASSKEYS_MAX, type PasskeyOptions } from './passkeys.js'

@ObjectType({
  simpleResolvers: true,
  description:
    'A passkey (WebAuthn) of a user: a key on a device, or one that is synced. Nothing of it opens an account.',
})
export class Passkey implements HeldPasskey {
  @Field(() => ID)
  id!: string

  @Field(() => String, { description: 'Name that its user gave it.' })
  name!: string

  @Field(() => DateTime)
  createdAt!: Date

  @Field(() => DateTime, { nullable: true, description: 'Time of its last use; null before the first.' })
  usedAt!: Date | null
}

@ObjectType({ simpleResolvers: true, description: 'Options for a browser, with a challenge that works once.' })
export class PasskeyChallenge {
  @Field(() => JsonObject, {
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()` where a passkey is enrolled, else `parseRequestOptionsFromJSON()`.',
  })
  options!: PasskeyOptions['options']

  @Field(() => DateTime, { description: 'Time until which the challenge can be answered.' })
  expiresAt!: Date
}

@ObjectType({ simpleResolvers: true, description: 'A passkey that was enrolled just now.' })
export class EnrolledPasskey {
  @Field(() => Passkey, { description: 'As `passkeys` lists it from now on.' })
  passkey!: HeldPasskey

  @Field(() => [String], {
    nullable: true,
    description: `${RECOVERY_CODES} recovery codes, which are not shown again, for whoever had no second factor before. Null: earlier ones go on.`,
  })
  recoveryCodes!: string[] | null
}

const ANSWER = 'The answer of the browser to the options, by `PublicKeyCredential.toJSON()`.'
const NAME = `Name by which its user knows it, at most ${PASSKEY_NAME_CHARS_MAX} characters.`

/** Passkeys of users: one's own, sign-ins by them, and for administrators which ones others have. */
@Resolver(() => Passkey)
export class PasskeysResolver {
  constructor(private readonly dependencies: SignInDependencies & FactorDependencies) {}

  @Authorized('factor.updateSelf')
  @Extensions({ listLength: PASSKEYS_MAX })
  @Query(() => [Passkey], {
    description: `Passkeys of a user, the oldest first; at most ${PASSKEYS_MAX}. Others than oneself need \`user.update\` (section 5).`,
  })
  async passkeys(
    @Ctx() ctx: Context,
    @Arg('user', () => ID, { description: 'A user, or `me`.' }) user: string,
  ): Promise<HeldPasskey[]> {
    const { id } = await fetchRecord(ctx, User, reachable(ctx, user, 'user.update'), { field: 'user' })
    return readPasskeys(ctx.reads, id)
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => PasskeyChallenge, {
    description:
      'Options to make a passkey, at the site of `PUBLIC_URL`. `confirmPasskey` enrols it, in the same session. Not with an API token, nor ' +
      'for bots; UNPROCESSABLE `PASSKEYS_UNAVAILABLE` unless `PUBLIC_URL` is https:// with a host name, or http://localhost.',
  })
  enrolPasskey(
    @Ctx() ctx: Context,
    @Arg('currentPassword', () => String, PASSWORD) currentPassword: string,
    @Arg('code', () => String, CODE) code?: string | null,
    @Arg('passkey', () => JsonObject, PROOF) passkey?: JsonRecord | null,
  ): Promise<PasskeyOptions> {
    return enrolPasskey(ctx, this.dependencies, { currentPassword, code: code ?? null, passkey: passkey ?? null })
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => EnrolledPasskey, {
    description: 'Enrols the passkey: from now on it signs in alone, and sign-ins by password need a second factor.',
  })
  confirmPasskey(
    @Ctx() ctx: Context,
    @Arg('passkey', () => JsonObject, { description: ANSWER }) passkey: JsonRecord,
    @Arg('name', () => String, { description: NAME }) name: string,
  ): Promise<EnrolledPasskey> {
    return confirmPasskey(ctx, this.dependencies, { passkey, name })
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => Passkey, { description: 'Renames a passkey of the caller.' })
  renamePasskey(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('name', () => String, { description: NAME }) name: string,
  ): Promise<HeldPasskey> {
    return renamePasskey(ctx, this.dependencies, { id, name })
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => Boolean, {
    description:
      "Removes a passkey of the caller, and ends the caller's other sessions; the recovery codes end with the last second factor.",
  })
  removePasskey(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('currentPassword', () => String, PASSWORD) currentPassword: string,
    @Arg('code', () => String, CODE) code?: string | null,
    @Arg('passkey', () => JsonObject, PROOF) passkey?: JsonRecord | null,
  ): Promise<boolean> {
    const proof = { currentPassword, code: code ?? null, passkey: passkey ?? null }
    return removePasskey(ctx, this.dependencies, { id, ...proof })
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => PasskeyChallenge, {
    description:
      "Options to prove by a passkey of the caller that a change of factors is the caller's own. The challenge works in this session only.",
  })
  async createPasskeyProof(@Ctx() ctx: Context): Promise<PasskeyOptions> {
    const holder = sessionOf(ctx)
    if (!(await hasPasskey(ctx.reads, holder.user))) throw noFactor('the user has no passkey')
    return ctx.database.sqlTransaction((sql) => this.dependencies.passkeys.request(sql, { holder, now: ctx.now() }))
  }

  @Mutation(() => PasskeyChallenge, {
    description:
      'Options to sign in by a passkey, alone by `signInByPasskey`, or as the second factor of `createToken`. They are the same for everybody, ' +
      'but for the challenge. Rate-limited by address; ignores any credentials of the request.',
  })
  async createPasskeyChallenge(@Ctx() ctx: Context): Promise<PasskeyOptions> {
    const { passkeys } = this.dependencies
    await passkeys.pace.spend('challenge', ctx.address)
    return ctx.database.sqlTransaction((sql) => passkeys.request(sql, { holder: null, now: ctx.now() }))
  }

  @Mutation(() => TokenResponse, {
    description:
      'Signs in by a passkey alone: it says whose it is, and the authenticator has verified the person. Refused by UNAUTHENTICATED ' +
      '`PASSKEY_REFUSED`, whether there is such a passkey or not.',
  })
  signInByPasskey(
    @Ctx() ctx: Context,
    @Arg('passkey', () => JsonObject, { description: ANSWER }) passkey: JsonRecord,
    @Arg('timezone', () => String, {
      nullable: true,
      description: 'IANA time zone of the client, stored for a user who has none.',
    })
    timezone?: string | null,
  ): Promise<TokenResponse> {
    return signInByPasskey(ctx, this.dependencies, { passkey, timezone: timezone ?? null })
  }
}
