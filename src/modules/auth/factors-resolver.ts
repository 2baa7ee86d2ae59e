import { Arg, Authorized, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { JsonObject as JsonRecord } from '../../platform/json.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { DateTime, JsonObject } from '../../platform/lists/scalars.js'
import { factorDueSql } from '../sign-in-policy/sign-in-rules.js'
import { reachable } from '../users/reachable.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import { displayNameOf, User } from '../users/user.js'
import {
  confirmTotp,
  createRecoveryCodes,
  enrolTotp,
  removeTotp,
  resetFactors,
  type FactorDependencies,
} from './enrol-factors.js'
import { readFactors, RECOVERY_CODES, SecondFactorMethod, type PendingTotp } from './second-factors.js'

@ObjectType({ simpleResolvers: true, description: 'The second factor of a user: nothing of it opens an account.' })
export class SecondFactor {
  @Field(() => [SecondFactorMethod], { description: 'The methods that a sign-in takes.' })
  methods!: SecondFactorMethod[]

  @Field(() => DateTime, {
    description: 'Time at which the authenticator app was enrolled; without one, the first passkey.',
  })
  createdAt!: Date

  @Field(() => DateTime, {
    nullable: true,
    description: "Time of the last sign-in by the app's codes; without an app, by a passkey.",
  })
  usedAt!: Date | null

  @Field(() => Int, { description: `Recovery codes that were not used, of ${RECOVERY_CODES}.` })
  recoveryCodesLeft!: number
}

@ObjectType({ simpleResolvers: true, description: 'An authenticator app that is not confirmed yet.' })
export class TotpEnrolment {
  @Field(() => ID, { description: 'For `confirmTotp`.' })
  id!: string

  @Field(() => String, { description: 'The secret in base32, to be typed into an app that reads no QR codes.' })
  secret!: string

  @Field(() => String, { description: 'The same as an address, `otpauth://totp/…`, to be shown as a QR code.' })
  uri!: string

  @Field(() => DateTime, { description: 'Time until which it can be confirmed.' })
  expiresAt!: Date
}

export const CODE = {
  nullable: true,
  description:
    'A code of the app, or a recovery code; it works no more afterwards. It, or `passkey`, is needed by whoever has a factor.',
}
export const PROOF = {
  nullable: true,
  description:
    'In place of `code`: what `PublicKeyCredential.toJSON()` returns for the options of `createPasskeyProof`.',
}
export const PASSWORD = { description: 'The current password of the caller.' }
const SHOWN_ONCE = `${RECOVERY_CODES} recovery codes, which are not shown again: each proves one sign-in in place of the app or a passkey`

/** The second factor of users: one's own, and for administrators whether others have one. */
@Resolver(() => SecondFactor)
export class FactorsResolver {
  readonly #reset: Guarded<{ user: string }, User>

  constructor(
    private readonly dependencies: FactorDependencies,
    fourEyes: FourEyesGuard,
  ) {
    this.#reset = fourEyes.guard('resetFactors', {
      area: 'signIn',
      permission: 'user.update',
      act: (ctx, transact, { user }) => resetFactors(ctx, { ...dependencies, transact }, user),
      async propose(ctx, input) {
        const found = await fetchRecord(ctx, User, input.user, { field: 'user' })
        return { input, object: { type: 'user', id: found.id, name: displayNameOf(found) } }
      },
    })
  }

  @Authorized('factor.updateSelf')
  @Query(() => SecondFactor, {
    nullable: true,
    description: 'The second factor of a user; null without one. Others than oneself need `user.update` (section 5).',
  })
  async secondFactor(
    @Ctx() ctx: Context,
    @Arg('user', () => ID, { description: 'A user, or `me`.' }) user: string,
  ): Promise<SecondFactor | null> {
    const { id } = await fetchRecord(ctx, User, reachable(ctx, user, 'user.update'), { field: 'user' })
    return readFactors(ctx.reads, id)
  }

  @Authorized('factor.updateSelf')
  @Query(() => DateTime, {
    nullable: true,
    description:
      'Time until which the caller has to enrol a second factor, as the sign-in policy asks: sessions by a password end then. Null for who ' +
      'has one, or is asked for none.',
  })
  async secondFactorDue(@Ctx() ctx: Context): Promise<Date | null> {
    const [found] = await ctx.reads.query<{ due: Date | null }>(
      `select ${factorDueSql('u')} as due from app_user u where u.id = $1
         and not exists (select from token_family f where f.id = $2 and f.service_id is not null)`,
      [ctx.userCaller.user, ctx.userCaller.family ?? null],
      'second-factor-due',
    )
    return found?.due ?? null
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => TotpEnrolment, {
    description:
      'Makes a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 s). `confirmTotp` enrols it, by a code of the app. ' +
      'Not with an API token, nor for bots.',
  })
  enrolTotp(
    @Ctx() ctx: Context,
    @Arg('currentPassword', () => String, PASSWORD) currentPassword: string,
    @Arg('code', () => String, CODE) code?: string | null,
    @Arg('passkey', () => JsonObject, PROOF) passkey?: JsonRecord | null,
  ): Promise<PendingTotp> {
    return enrolTotp(ctx, this.dependencies, { currentPassword, code: code ?? null, passkey: passkey ?? null })
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => [String], {
    description: `Enrols the app: from now on, sign-ins by password need a code. Returns ${SHOWN_ONCE}.`,
  })
  confirmTotp(
    @Ctx() ctx: Context,
    @Arg('id', () => ID, { description: 'Id of what `enrolTotp` returned.' }) id: string,
    @Arg('code', () => String, { description: 'The six digits that the app shows.' }) code: string,
  ): Promise<string[]> {
    return confirmTotp(ctx, this.dependencies, { id, code })
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => Boolean, {
    description: "Removes the caller's authenticator app, and the recovery codes unless there is a passkey.",
  })
  removeTotp(
    @Ctx() ctx: Context,
    @Arg('currentPassword', () => String, PASSWORD) currentPassword: string,
    @Arg('code', () => String, CODE) code?: string | null,
    @Arg('passkey', () => JsonObject, PROOF) passkey?: JsonRecord | null,
  ): Promise<boolean> {
    return removeTotp(ctx, this.dependencies, { currentPassword, code: code ?? null, passkey: passkey ?? null })
  }

  @Authorized('factor.updateSelf')
  @Mutation(() => [String], { description: `Replaces all recovery codes of the caller. Returns ${SHOWN_ONCE}.` })
  createRecoveryCodes(
    @Ctx() ctx: Context,
    @Arg('currentPassword', () => String, PASSWORD) currentPassword: string,
    @Arg('code', () => String, CODE) code?: string | null,
    @Arg('passkey', () => JsonObject, PROOF) passkey?: JsonRecord | null,
  ): Promise<string[]> {
    return createRecoveryCodes(ctx, this.dependencies, {
      currentPassword,
      code: code ?? null,
      passkey: passkey ?? null,
    })
  }

  @Authorized('user.update')
  @Mutation(() => User, {
    description:
      'Removes the second factor of another user, who has lost it, passkeys and recovery codes too, and ends all sessions of the user. ' +
      "An owner's is reset by owners only; UNPROCESSABLE for a user without one.",
  })
  resetFactors(@Ctx() ctx: Context, @Arg('user', () => ID) user: string): Promise<User> {
    return this.#reset(ctx, { user })
  }
}
