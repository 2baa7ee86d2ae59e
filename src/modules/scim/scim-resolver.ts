import { Arg, Authorized, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import { Service } from '../services/service.js'
import { baseOf } from './provider-context.js'
import { createScimToken, OVERLAP_HOURS_MAX, readScimTokens, revokeScimToken, ScimToken } from './scim-tokens.js'

const SERVICE = 'A provider: a service of type `oidc` or `saml`.'

@ObjectType({ simpleResolvers: true, description: 'A group that a provider keeps here.' })
export class ProvisionedGroup {
  @Field(() => String, {
    description: 'Name by which a row of the `roleMap` for the claim `groups` may give role and channels.',
  })
  name!: string

  @Field(() => Int, { description: 'Number of its users.' })
  users!: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'The way in which a provider keeps users and groups here (SCIM 2.0).',
})
export class Provisioning {
  @Field(() => String, { description: 'The address to enter at the provider: its base URL, or tenant URL.' })
  url!: string

  @Field(() => [ScimToken], { description: 'The valid tokens, the newest first: at most two.' })
  tokens!: ScimToken[]

  @Field(() => Int, { description: 'Number of the users that it keeps, the archived ones too.' })
  users!: number

  @Field(() => [ProvisionedGroup], { description: 'The groups that it keeps, by name.' })
  groups!: ProvisionedGroup[]
}

@Resolver(() => Provisioning)
export class ScimResolver {
  readonly #createToken: Guarded<{ service: string; overlapHours: number }, ScimToken>

  constructor(
    private readonly dependencies: { transact: Transact; publicUrl: string },
    fourEyes: FourEyesGuard,
  ) {
    this.#createToken = fourEyes.guard('createScimToken', {
      area: 'signIn',
      permission: 'service.update',
      act: createScimToken,
      async propose(ctx, input) {
        const { id, name, type } = await fetchRecord(ctx, Service, input.service, { field: 'service' })
        return { input, object: { type: 'service', id, name: name ?? type } }
      },
      secretOf: ({ token }) => token,
    })
  }

  @Authorized('service.update')
  @Query(() => Provisioning, { description: 'The way in which a provider keeps users and groups here (SCIM 2.0).' })
  async provisioning(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) service: string,
  ): Promise<Provisioning> {
    const tokens = await readScimTokens(ctx, service)
    return {
      url: baseOf(this.dependencies.publicUrl, service.toLowerCase()),
      tokens,
      ...(await readKept(ctx, service)),
    }
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
    return this.#createToken(ctx, { service, overlapHours: overlapHours ?? 0 })
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

/** Reads what a provider that the caller sees keeps here. */
async function readKept(ctx: Context, service: string): Promise<Pick<Provisioning, 'users' | 'groups'>> {
  const [users, groups] = await Promise.all([
    ctx.reads.query<{ count: number }>(
      'select count(*)::int as count from scim_user where service_id = $1 and deleted_at is null',
      [service],
      'scim-user-count',
    ),
    ctx.reads.query<ProvisionedGroup>(
      `select g.display_name as name, (select count(*) from scim_member m where m.group_id = g.id)::int as users
       from scim_group g where g.service_id = $1 order by lower(g.display_name)`,
      [service],
      'scim-group-sizes',
    ),
  ])
  return { users: users[0]!.count, groups }
}
