import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { NotFound } from '../../platform/errors.js'
import { LoopTurns } from '../../platform/fairness/loop-turns.js'
import type { JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { FourEyesGuard } from '../four-eyes/four-eyes-guard.js'
import { guardServices, type GuardedServices } from './guarded-services.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { ServiceConnection, ServiceFilter, serviceList, ServiceOrder } from './service-list.js'
import { keptParams, shownService, type ServiceWriteOptions } from './service-writes.js'
import { maskSecrets } from './service-secrets.js'
import { ServiceAuthorization, type ServiceAuthorizations } from './service-authorization.js'
import { ServiceTest, type ServiceTests } from './service-test.js'
import { ServiceSettings, settingsOf } from './service-settings.js'
import { CreateServiceInput, PARAMS, Service, UpdateServiceInput } from './service.js'
import { openParams } from './stored-params.js'

@Resolver(() => Service)
export class ServicesResolver {
  readonly #turns = new LoopTurns()
  readonly #guarded: GuardedServices

  constructor(
    private readonly options: ServiceWriteOptions & { tests: ServiceTests; authorizations: ServiceAuthorizations },
    fourEyes: FourEyesGuard,
  ) {
    this.#guarded = guardServices(fourEyes, options)
  }

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
  async createService(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateServiceInput) input: CreateServiceInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Service> {
    const { sealer, kinds } = this.options
    const call = {
      key,
      input,
      hash: (text: string, earlier?: string) => sealer.hash(text, earlier),
      kept: (answer: Service) => ({
        ...answer,
        params: keptParams(answer.params, kinds.get(answer.type)),
        isWritten: false,
      }),
    }
    const answer = await this.#guarded.create(ctx, input, call)
    // One that was made now is answered with its secrets, one that is repeated as it was kept.
    return answer.isWritten || kinds.has(answer.type) ? answer : this.#asRead(ctx, answer)
  }

  /** Returns a service of a type of one's own as a read shows it; the answer that was kept, without values, once it is deleted. */
  async #asRead(ctx: Context, kept: Service): Promise<Service> {
    try {
      return shownService(await fetchRecord(ctx, Service, kept.id))
    } catch (error) {
      if (error instanceof NotFound) return kept
      throw error
    }
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
    return this.#guarded.update(ctx, { id, patch })
  }

  @Authorized('service.delete')
  @Mutation(() => ID, { description: 'Deletes a service. Conversations that refer to it keep its id.' })
  async deleteService(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await this.#guarded.delete(ctx, { id })
    return id.toLowerCase()
  }

  @Authorized('service.update')
  @Mutation(() => ServiceTest, {
    description:
      'Tries a service out as it is stored, as `serviceKinds` says of its type; `oidc` asks for the addresses, and has a `url` for a trial sign-in, as `saml` has. ' +
      'UNPROCESSABLE for other types; at most 30 an hour.',
  })
  testService(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: 'The service to test.' }) id: string,
    @Arg('to', () => String, { nullable: true, description: 'Telephone number that receives a text of type `sms`.' })
    to?: string | null,
  ): Promise<ServiceTest> {
    return this.options.tests.run(ctx, id, to)
  }

  @Authorized('service.update')
  @Mutation(() => ServiceAuthorization, {
    description:
      "Begins a sign-in at the service's provider, as `signIn` of `serviceKinds` says of its type: the account of the service grants its use, and the grant " +
      'is stored in its params. UNPROCESSABLE for other types. The answer sets a cookie: ask in the browser that goes to `url`, by HTTP, without an API token. ' +
      'At most 60 an hour.',
  })
  authorizeService(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: 'The service that gets a grant.' }) id: string,
  ): Promise<ServiceAuthorization> {
    return this.options.authorizations.begin(ctx, id)
  }

  @FieldResolver(() => JsonObjectScalar, { description: PARAMS })
  params(@Root() service: Service): JsonObject | Promise<JsonObject> {
    return service.isWritten || this.options.kinds.has(service.type) ? service.params : this.#openOwn(service)
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

  /** A page of a hundred with the largest params takes a second: other requests have their turns between them. */
  async #openOwn({ id, params, sealedParams }: Service): Promise<JsonObject> {
    await this.#turns.enter()
    return maskSecrets(openParams(this.options.sealer, { id, params, sealedParams }), undefined)
  }
}
