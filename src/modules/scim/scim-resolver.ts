import { Arg, Authorized, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { baseOf } from './provider-context.js'
import { createScimToken, OVERLAP_HOURS_MAX, readScimTokens, revokeScimToken, ScimToken } from './scim-tokens.js'

const SERVICE = 'A provider: a service of type `oidc`.'

@ObjectType({
  simpleResolvers: true,
  description: 'The way in which a provider keeps users and groups here (SCIM 2.0).',
})
export class Provisioning {
  @Field(() => String, { description: 'The address to enter at the provider: its base URL, or tenant URL.' })
  url!: string

  @Field(() => [ScimToken], { description: 'The valid tokens, the newest first: at most two.' })
  tokens!: ScimToken[]
}

@Resolver(() => Provisioning)
export class ScimResolver {
  constructor(private readonly dependencies: { transact: Transact; publicUrl: string }) {}

  @Authorized('service.update')
  @Query(() => Provisioning, { description: 'The way in which a provider keeps users and groups here (SCIM 2.0).' })
  async provisioning(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) service: string,
  ): Promise<Provisioning> {
    const tokens = await readScimTokens(ctx, service)
    return { url: baseOf(this.dependencies.publicUrl, service.toLowerCase()), tokens }
  }

  @Authorized('service.update')
  @Mutation(() => ScimToken, {
    description:
      'Gives a provider a token for SCIM, shown in this answer only. The one before ends at once, or when the overlap is over. While a ' +
      'provider has a token, what it keeps of its users is changed there alone (`MANAGED_ELSEWHERE`).',
  })
  createScimToken(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) service: string,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description: `Hours for which the one before stays valid too, 0 to ${OVERLAP_HOURS_MAX}; 0 by default.`,
    })
    overlapHours?: number | null,
  ): Promise<ScimToken> {
    return createScimToken(ctx, this.dependencies.transact, { service, overlapHours: overlapHours ?? 0 })
  }

  @Authorized('service.update')
  @Mutation(() => Boolean, { description: 'Ends a token of a provider at once. False if it had ended before.' })
  revokeScimToken(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) service: string,
    @Arg('token', () => ID, { description: 'Id of the token.' }) token: string,
  ): Promise<boolean> {
    return revokeScimToken(ctx, this.dependencies.transact, { service, token })
  }
}
