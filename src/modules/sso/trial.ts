import { Field, ID, ObjectType } from 'type-graphql'
import { isSecret } from '../../platform/attempt-secrets.js'
import type { Context } from '../../platform/context.js'
import { NotFound } from '../../platform/errors.js'
import type { JsonObject as Json } from '../../platform/json.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { JsonObject } from '../../platform/lists/scalars.js'
import { UserRole } from '../users/user-role.js'
import type { Attempts } from './attempts.js'
import { rightsOf } from './given-rights.js'
import type { GivenRole } from './provider-params.js'
import type { Providers } from './providers.js'
import { whoseAccount, type Account } from './whose-account.js'

export const TrialOutcome = graphqlEnum('TrialOutcome', 'The account that a sign-in would have led to.', {
  KNOWN: ['known', 'The one that is linked to the identity.'],
  LINKED: ['linked', 'The one with the same email, which is proven, would have been linked.'],
  CREATED: ['created', 'A new one.'],
  REFUSED: ['refused', 'None: `why` says the reason.'],
})

@ObjectType({
  simpleResolvers: true,
  description: 'Result of a trial sign-in: the claims of the provider, and the account that they would have led to.',
})
export class TrialSignIn {
  @Field(() => ID, { description: 'The service that was tried.' }) serviceId!: string
  @Field(() => JsonObject, { description: 'All that the provider says; empty where it is more than 32 KiB.' })
  claims!: Json
  @Field(() => TrialOutcome, { description: 'Result that a sign-in by the same answer would have.' })
  outcome!: Account['is']
  @Field(() => String, { nullable: true, description: 'Reason for which a sign-in would be refused.' }) why!:
    | string
    | null
  @Field(() => ID, { nullable: true, description: 'The user who would be signed in; null for a new one.' }) userId!:
    | string
    | null
  @Field(() => UserRole, { nullable: true, description: 'The role that the role map gives.' }) role!: GivenRole | null
  @Field(() => [ID], { description: 'The channels that the role map gives.' }) channelIds!: string[]
}

/** Reads what came of the caller's trial sign-in. @throws NotFound */
export async function readTrial(
  ctx: Context,
  { attempts, providers }: { attempts: Attempts; providers: Providers },
  code: string,
): Promise<TrialSignIn> {
  const { user } = ctx.userCaller
  const found = isSecret(code)
    ? await attempts.finding(ctx.reads, ctx, { code, user, purpose: 'trial', taking: false })
    : null
  if (!found)
    throw new NotFound('code: there is no trial sign-in of yours by this code, or it is too old', { field: 'code' })
  const { identity, service } = found
  const provider = await providers.require(service)
  const account = await whoseAccount(ctx.reads, provider, identity, ctx.now())
  const { role, channels } = rightsOf(provider.params, identity.claims)
  return {
    serviceId: service,
    claims: identity.claims,
    outcome: account.is,
    why: account.is === 'refused' ? account.why : null,
    userId: 'user' in account ? account.user : null,
    role,
    channelIds: channels,
  }
}
