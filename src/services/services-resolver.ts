import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../context.js'
import { idempotently } from '../limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../lists/connection.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { listPage } from '../lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { ServiceConnection, ServiceFilter, serviceList, ServiceOrder } from './service-list.js'
import {
  createService,
  deleteService,
  shownService,
  updateService,
  type ServiceWriteOptions,
} from './service-writes.js'
import { ServiceTest, type ServiceTests } from './service-test.js'
import { ServiceSettings, settingsOf } from './service-settings.js'
import { CreateServiceInput, Service, UpdateServiceInput } from './service.js'

@Resolver(() => Service)
export class ServicesResolver {
  constructor(private readonly options: ServiceWriteOptions & { tests: ServiceTests }) {}

  @Authorized('service.fetch')
  @Query(() => Service, {
    nullable: true,
    description: 'A service of an organization that the caller sees. Secrets are masked.',
  })
  async service(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Service> {
    return shownService(await fetchRecord(ctx, Service, id))
  }

  @Authorized('service.list')
  @Query(() => ServiceConnection, {
    description: "Services of the caller's organization and those below it. Secrets are masked.",
  })
  async services(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ServiceFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ServiceOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Service>> {
    const page = await listPage<Service>(ctx, serviceList, { args, filter, orderBy })
    return { ...page, edges: page.edges.map(({ cursor, node }) => ({ cursor, node: shownService(node) })) }
  }

  @Authorized('service.create')
  @Mutation(() => Service, {
    description:
      'Creates a service. The response contains the params with their secrets, including generated ones, which are not shown again.',
  })
  createService(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateServiceInput) input: CreateServiceInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Service> {
    return idempotently(ctx, { key, operation: 'createService', input }, () => createService(ctx, this.options, input))
  }

  @Authorized('service.update')
  @Mutation(() => Service, {
    description: 'Updates a service. Only the given keys change; `params` replaces all params (4.7).',
  })
  updateService(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateServiceInput) patch: UpdateServiceInput,
  ): Promise<Service> {
    return updateService(ctx, this.options, { id, patch })
  }

  @Authorized('service.delete')
  @Mutation(() => ID, { description: 'Deletes a service. Conversations that refer to it keep its id.' })
  async deleteService(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteService(ctx, this.options, id)
    return id.toLowerCase()
  }

  @Authorized('service.update')
  @Mutation(() => ServiceTest, {
    description:
      'Tries a service out as it is stored: `email` mails to the caller, `sms` sends a text to `to` or asks for the account, ' +
      '`messenger` asks for the page, `webhook` for the handshake. UNPROCESSABLE for other types; at most 30 an hour.',
  })
  testService(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: 'The service to test.' }) id: string,
    @Arg('to', () => String, { nullable: true, description: 'Telephone number that receives a text of type `sms`.' })
    to?: string | null,
  ): Promise<ServiceTest> {
    return this.options.tests.run(ctx, id, to)
  }

  @FieldResolver(() => ServiceSettings, {
    nullable: true,
    description: 'The params by the type of the service; null for a type of your own. Secrets are masked.',
  })
  settings(@Root() { type, params }: Service): object | null {
    return settingsOf(type, params)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() service: Service, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(service.organizationId)
  }
}
