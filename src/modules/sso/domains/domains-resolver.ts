import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
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
  constructor(
    private readonly dependencies: DomainDependencies & { questions: RateLimiterAbstract; publicUrl: string },
  ) {}

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
    return verifyDomain(ctx, this.dependencies, id)
  }

  @Authorized('domain.delete')
  @Mutation(() => ID, { description: 'Removes a domain.' })
  async removeDomain(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await removeDomain(ctx, this.dependencies, id)
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
