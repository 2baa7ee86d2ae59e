import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import { organizationStream, type EventTypes, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseList, refuseCleared } from '../../platform/input.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord, fetchRecords } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { IfVersion, markChanged } from '../../platform/lists/record-version.js'
import { OrganizationGroup } from './organization-group.js'
import { parseName } from './organization-input.js'
import {
  OrganizationGroupConnection,
  OrganizationGroupFilter,
  organizationGroupList,
  OrganizationGroupOrder,
} from './organization-list.js'
import { Organization, organizationLoader } from './organization.js'
import { insertOwned, owningPath } from './owned-record.js'

const MEMBERS_MAX = 1_000

@InputType({ description: 'Changes of a group. Only the given keys change.' })
export class UpdateOrganizationGroupInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true })
  name?: string

  @Field(() => [ID], { nullable: true, description: 'Ids of organizations; replaces all members.' })
  members?: string[] | null
}

@InputType({ description: 'A new organization group (4.3).' })
export class CreateOrganizationGroupInput {
  @Field(() => String)
  name!: string

  @Field(() => [ID], { nullable: true, description: 'Ids of the organizations that belong to it.' })
  members?: string[] | null

  @Field(() => ID, { nullable: true, description: "Owning organization; defaults to the caller's." })
  organization?: string | null
}

@Resolver(() => OrganizationGroup)
export class OrganizationGroupsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('organizationGroup.fetch')
  @Query(() => OrganizationGroup, { nullable: true })
  organizationGroup(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<OrganizationGroup> {
    return fetchRecord(ctx, OrganizationGroup, id)
  }

  @Authorized('organizationGroup.list')
  @Query(() => OrganizationGroupConnection)
  organizationGroups(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => OrganizationGroupFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [OrganizationGroupOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<OrganizationGroup>> {
    return listPage(ctx, organizationGroupList, { args, filter, orderBy })
  }

  @Authorized('organizationGroup.create')
  @Mutation(() => OrganizationGroup)
  createOrganizationGroup(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateOrganizationGroupInput) input: CreateOrganizationGroupInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<OrganizationGroup> {
    return idempotently(ctx, { key, operation: 'createOrganizationGroup', input }, () =>
      this.transact(ctx, async (tx) => {
        const group = await insertOwned(ctx, tx, OrganizationGroup, {
          path: await owningPath(ctx, tx, input.organization),
          name: parseName(input.name, 'name'),
          members: await readMembers(ctx, tx, input.members),
        })
        tx.emit(organizationStream(group.organizationId), 'organizationGroup.created', eventOf(group))
        return group
      }),
    )
  }

  @Authorized('organizationGroup.update')
  @Mutation(() => OrganizationGroup)
  updateOrganizationGroup(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateOrganizationGroupInput) patch: UpdateOrganizationGroupInput,
  ): Promise<OrganizationGroup> {
    return this.transact(ctx, async (tx) => {
      const group = await fetchRecord(ctx, OrganizationGroup, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
      refuseCleared(patch, 'name')
      if (patch.name !== undefined) group.name = parseName(patch.name, 'name')
      if (patch.members !== undefined) group.members = await readMembers(ctx, tx, patch.members)
      markChanged(group, ctx.now())
      tx.emit(organizationStream(group.organizationId), 'organizationGroup.updated', eventOf(group))
      return group
    })
  }

  @Authorized('organizationGroup.delete')
  @Mutation(() => ID, { description: 'Deletes a group. Workflows that name it no longer match it.' })
  async deleteOrganizationGroup(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await this.transact(ctx, async (tx) => {
      const group = await fetchRecord(ctx, OrganizationGroup, id, { em: tx.em, lock: true })
      tx.emit(organizationStream(group.organizationId), 'organizationGroup.deleted', eventOf(group))
      tx.em.remove(group)
    })
    return id.toLowerCase()
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization.' })
  orgPath(@Root() group: OrganizationGroup): string {
    return pathText(group)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() group: OrganizationGroup, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(group.organizationId)
  }

  @FieldResolver(() => [ID])
  memberIds(@Root() group: OrganizationGroup): string[] {
    return group.members
  }

  @FieldResolver(() => [Organization], { description: 'Members that the caller sees.' })
  async members(@Root() group: OrganizationGroup, @Ctx() ctx: Context): Promise<Organization[]> {
    const loader = ctx.loader(organizationLoader)
    const loaded = await Promise.all(group.members.map((id) => loader.load(id)))
    return loaded.filter((organization) => organization !== null)
  }
}

/**
 * Resolves members without duplicates, in the order given. @throws NotFound for an organization that the caller does
 * not see
 */
async function readMembers(ctx: Context, tx: WriteTx, ids: string[] | null | undefined): Promise<string[]> {
  const members = [...new Set(parseList(ids ?? [], 'members', MEMBERS_MAX) as string[])]
  const found = await fetchRecords(ctx, Organization, members, { field: 'members', em: tx.em })
  return found.map(({ id }) => id)
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'organizationGroup', Pick<OrganizationGroup, 'name' | 'members'>> {}
}

function eventOf(group: OrganizationGroup): EventTypes['organizationGroup.created'] {
  const { id, organizationId, name, members } = group
  return { id, organization: organizationId, name, members }
}
