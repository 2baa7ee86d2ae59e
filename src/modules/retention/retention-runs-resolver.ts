import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { RetentionRunConnection, RetentionRunFilter, retentionRunList, RetentionRunOrder } from './retention-lists.js'
import { RetentionRun } from './retention-run.js'

@Resolver(() => RetentionRun)
export class RetentionRunsResolver {
  @Authorized('retentionRun.fetch')
  @Query(() => RetentionRun, { nullable: true, description: 'A run of a retention policy.' })
  retentionRun(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<RetentionRun> {
    return fetchRecord(ctx, RetentionRun, id)
  }

  @Authorized('retentionRun.list')
  @Query(() => RetentionRunConnection, {
    description: "Runs of retention policies of the caller's organization and those below it, the newest first.",
  })
  retentionRuns(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => RetentionRunFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [RetentionRunOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<RetentionRun>> {
    return listPage(ctx, retentionRunList, { args, filter, orderBy })
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() { organizationId }: RetentionRun, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization (2.4).' })
  orgPath(@Root() run: RetentionRun): string {
    return pathText(run)
  }
}
