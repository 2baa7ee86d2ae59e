import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { FourEyesGuard, Guarded } from '../../four-eyes/four-eyes-guard.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../../platform/lists/connection.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { listPage } from '../../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../../organizations/organization.js'
import { DomainConnection, DomainFilter, domainList, DomainOrder } from './domain-list.js'
import { addDomain, removeDomain, verifyDomain, type DomainDependencies } from './domain-writes.js'
import { AddDomainInput, Domain, DomainRecord, DomainStatus, statusOf } from './domain.js'
import { signInMethods, SignInMethods } from './sign-in-methods.js'

@Resolver(() => Domain)
export class DomainsResolver {
  readonly #verify: Guarded<{ id: string }, Domain>
  readonly #remove: Guarded<{ id: string }, boolean>

  constructor(
    private readonly dependencies: DomainDependencies & { questions: RateLimiterAbstract; publicUrl: string },
    fourEyes: FourEyesGuard,
  ) {
    this.#verify = fourEyes.guard('verifyDomain', {
      area: 'signIn',
      permission: 'domain.update',
      act: (ctx, transact, { id }) => verifyDomain(ctx, { ...dependencies, transact }, id),
      // To look again at one that counts changes nothing.
      isGuarded: async (ctx, { id }) => (await fetchRecord(ctx, Domain, id)).verifiedAt === null,
      async propose(ctx, input) {
        const { id, name } = await fetchRecord(ctx, Domain, input.id)
        return { input, object: { type: 'domain', id, name } }
      },
    })
    this.#remove = fourEyes.guard('removeDomain', {
      area: 'signIn',
      permission: 'domain.delete',
      act: (ctx, transact, { id }) => removeDomain(ctx, { transact }, id),
      async propose(ctx, input) {
        const { id, name } = await fetchRecord(ctx, Domain, input.id)
        return { input, object: { type: 'domain', id, name } }
      },
    })
  }

  @Query(() => SignInMethods, {
    description:
      'Ways by which emails of a domain sign in. By the domain alone: nothing is told of accounts, and any email of it has the same answer. ' +
      'A password works as well where the organization does not say otherwise.',
  })
  signInMethods(@Ctx() ctx: Context, @Arg('email', () => String) email: string): Promise<SignInMethods> {
    const { questions: limiter, publicUrl } = this.dependencies
    return signInMethods(ctx, { limiter, publicUrl }, email)
  }

  @Authorized('domain.fetch')
  @Query(() => Domain, { nullable: true, description: 'A domain of an organization that the caller sees.' })
  domain(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Domain> {
    return fetchRecord(ctx, Domain, id)
  }

  @Authorized('domain.list')
  @Query(() => DomainConnection, { description: "Domains of the caller's organization and of those below it." })
  domains(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => DomainFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [DomainOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Domain>> {
    return listPage(ctx, domainList, { args, filter, orderBy })
  }

  @Authorized('domain.create')
  @Mutation(() => Domain, {
    description:
      'Adds a domain. It counts once `verifyDomain` has found `record` in its DNS. At most 100 of an organization.',
  })
  addDomain(
    @Ctx() ctx: Context,
    @Arg('input', () => AddDomainInput) input: AddDomainInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Domain> {
    return idempotently(ctx, { key, operation: 'addDomain', input }, () => addDomain(ctx, this.dependencies, input))
  }

  @Authorized('domain.update')
  @Mutation(() => Domain, {
    description:
      'Looks at the DNS of a domain now. UNPROCESSABLE with the reason `DOMAIN_UNPROVEN` when the record is not there, `DOMAIN_TAKEN` ' +
      'when another organization owns it. Verified domains are looked at daily, and lost when the record is missing for seven days.',
  })
  verifyDomain(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Domain> {
    return this.#verify(ctx, { id })
  }

  @Authorized('domain.delete')
  @Mutation(() => ID, { description: 'Removes a domain.' })
  async removeDomain(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await this.#remove(ctx, { id })
    return id.toLowerCase()
  }

  @FieldResolver(() => DomainStatus)
  status(@Root() domain: Domain): DomainStatus {
    return statusOf(domain)
  }

  @FieldResolver(() => DomainRecord, { description: 'The record to publish.' })
  record(@Root() domain: Domain): DomainRecord {
    return this.dependencies.proof.recordOf(domain)
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: Domain, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
