import { Arg, Args, Authorized, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { User } from '../users/user.js'
import { userProfileLoader, type UserProfile } from '../users/user-profile.js'
import { AuditEntryConnection, AuditEntryFilter, auditEntryList, AuditEntryOrder } from './audit-list.js'
import { AuditActor, AuditEntry, AuditExport, AuditVerification } from './audit-types.js'
import { ENTRIES_MAX, exportAudit, verifyAudit, type Verification } from './verify-audit.js'

const EXPORT_DEFAULT = 1_000

@Resolver(() => AuditEntry)
export class AuditResolver {
  @Authorized('audit.list')
  @Query(() => AuditEntryConnection, {
    description: "The audit log of the caller's organization and of those below it, the newest entry first.",
  })
  auditEntries(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => AuditEntryFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [AuditEntryOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<AuditEntry>> {
    return listPage(ctx, auditEntryList, { args, filter, orderBy })
  }

  @Authorized('audit.list')
  @Query(() => AuditVerification, {
    description:
      'Verifies the chain of the contact center from one number to another, at most 10000 at once, against its hashes and the seals that ' +
      'are stored here. Who could write to the database could also replace those: compare the seals that are kept elsewhere, by ' +
      '`npm run audit:verify`. For administrators of the contact center.',
  })
  verifyAudit(
    @Ctx() ctx: Context,
    @Arg('from', () => Int, { defaultValue: 1, description: 'Number of the first entry to verify.' }) from: number,
    @Arg('to', () => Int, { nullable: true, description: 'Last number; by default 10000 entries.' }) to?: number | null,
  ): Promise<Verification> {
    return verifyAudit(ctx, { from, to: to ?? undefined })
  }

  @Authorized('audit.list')
  @Query(() => AuditExport, {
    description:
      'Entries of the chain of the contact center as lines of JSON, in their order, as `npm run audit:verify` reads them. For administrators of the contact center.',
  })
  auditExport(
    @Ctx() ctx: Context,
    @Arg('after', () => Int, { defaultValue: 0, description: 'Number of the entry before the first.' }) after: number,
    @Arg('limit', () => Int, { defaultValue: EXPORT_DEFAULT, description: `At most ${ENTRIES_MAX}.` }) limit: number,
  ): Promise<AuditExport> {
    return exportAudit(ctx, after, limit)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Organization that it is about.' })
  organization(@Root() { organizationId }: AuditEntry, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}

@Resolver(() => AuditActor)
export class AuditActorResolver {
  @FieldResolver(() => User, { nullable: true, description: 'The user who acted; null for others, and once deleted.' })
  async user(@Root() { kind, id }: AuditActor, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return kind === 'user' && id ? ctx.loader(userProfileLoader).load(id) : null
  }
}
