import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { fetchShared, isShared } from '../sharing/shared-records.js'
import { LocationConnection, LocationFilter, locationList, LocationOrder } from './location-list.js'
import { createLocation, deleteLocation, updateLocation } from './location-writes.js'
import { Location, CreateLocationInput, sharedLocations, UpdateLocationInput } from './location.js'

@Resolver(() => Location)
export class LocationsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('location.fetch')
  @Query(() => Location, {
    nullable: true,
    description: 'A location of an organization that the caller sees, or a shared one (4.3).',
  })
  location(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Location> {
    return fetchShared(ctx, sharedLocations, id)
  }

  @Authorized('location.list')
  @Query(() => LocationConnection, {
    description: "Locations of the caller's organization and those below it, and those shared with it (4.3).",
  })
  locations(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => LocationFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [LocationOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Location>> {
    return listPage(ctx, locationList, { args, filter, orderBy })
  }

  @Authorized('location.create')
  @Mutation(() => Location, { description: 'Creates a location: an address where consumers can go.' })
  createLocation(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateLocationInput) input: CreateLocationInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Location> {
    return idempotently(ctx, { key, operation: 'createLocation', input }, () =>
      createLocation(ctx, this.transact, input),
    )
  }

  @Authorized('location.update')
  @Mutation(() => Location, {
    description: 'Updates a location. Only the given keys change. FORBIDDEN for a shared location.',
  })
  updateLocation(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateLocationInput) patch: UpdateLocationInput,
  ): Promise<Location> {
    return updateLocation(ctx, this.transact, { id, patch })
  }

  @Authorized('location.delete')
  @Mutation(() => ID, { description: 'Deletes a location. No other records refer to it.' })
  async deleteLocation(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteLocation(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, {
    nullable: true,
    description: "Owning organization; null if it is another tenant's.",
  })
  organization(@Root() location: Location, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(location.organizationId)
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether another organization shares it with the caller, who can then only read it (4.3).',
  })
  isShared(@Root() location: Location, @Ctx() ctx: Context): boolean {
    return isShared(ctx, location)
  }
}
