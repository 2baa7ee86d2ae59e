import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { createOrganization } from './create-organization.js'
import { deleteOrganization } from './delete-organization.js'
import { CreateOrganizationInput, UpdateOrganizationInput } from './organization-input.js'
import { OrganizationConnection, OrganizationFilter, organizationList, OrganizationOrder } from './organization-list.js'
import { Organization, organizationLoader } from './organization.js'
import { effectiveProfileFields, type ProfileFields } from './profile-fields.js'
import { updateOrganization } from './update-organization.js'

const PROFILE_FIELDS = 'Contact profile fields to `{label, enabled}`; an object because the names hold dots.'

@Resolver(() => Organization)
export class OrganizationsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('organization.fetch')
  @Query(() => Organization, { nullable: true, description: "An organization in or below the caller's." })
  organization(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Organization> {
    return fetchRecord(ctx, Organization, id)
  }

  @Authorized('organization.list')
  @Query(() => OrganizationConnection, { description: "The caller's organization and those below it." })
  organizations(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => OrganizationFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [OrganizationOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Organization>> {
    return listPage(ctx, organizationList, { args, filter, orderBy })
  }

  @Authorized('organization.create')
  @Mutation(() => Organization, {
    description: 'Creates an organization. Needs an administrator of the contact center (4.3).',
  })
  createOrganization(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateOrganizationInput) input: CreateOrganizationInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Organization> {
    return idempotently(ctx, { key, operation: 'createOrganization', input }, () =>
      createOrganization(ctx, this.transact, input),
    )
  }

  @Authorized('organization.update')
  @Mutation(() => Organization, {
    description:
      'Updates an organization. Only the given keys change; the parent cannot be changed. `tags` need level 1 (4.3).',
  })
  updateOrganization(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateOrganizationInput) patch: UpdateOrganizationInput,
  ): Promise<Organization> {
    return updateOrganization(ctx, this.transact, { id, patch })
  }

  @Authorized('organization.delete')
  @Mutation(() => ID, {
    description: 'Deletes an organization. Refused while it has users, sub-organizations or other records.',
  })
  async deleteOrganization(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteOrganization(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => String, { description: 'Ancestor ids joined by `#`, the own id last.' })
  path(@Root() organization: Organization): string {
    return pathText(organization)
  }

  @FieldResolver(() => String, { description: 'The display name, or the name when none was set.' })
  shownName(@Root() { displayName, name }: Organization): string {
    return displayName ?? name
  }

  @FieldResolver(() => Organization, {
    nullable: true,
    description: 'The parent organization; null for level 1, and if the caller does not see it.',
  })
  parent(@Root() { parentId }: Organization, @Ctx() ctx: Context): Promise<Organization | null> | null {
    return parentId ? ctx.loader(organizationLoader).load(parentId) : null
  }

  @FieldResolver(() => JsonObjectScalar, {
    description: `${PROFILE_FIELDS} All with the country's default labels when unspecified (2.4).`,
  })
  profileFields(@Root() { profileFields, country }: Organization): ProfileFields {
    return effectiveProfileFields(profileFields, country)
  }

  @FieldResolver(() => JsonObjectScalar, { nullable: true, description: `${PROFILE_FIELDS} Null when unspecified.` })
  specifiedProfileFields(@Root() { profileFields }: Organization): ProfileFields | null {
    return profileFields ?? null
  }
}
