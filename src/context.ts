import DataLoader from 'dataloader'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { Caller, GuestCaller, UserCaller } from './access/caller.js'
import type { GuestLine } from './access/guest-line.js'
import { requirePermission, type Permission } from './access/permissions.js'
import { EVERY_TENANT, scopedEntityManager, type TenantScope } from './db/tenancy.js'
import type { CallerSql, Database } from './db/database.js'
import type { Clock } from './db/clock.js'
import { Forbidden, Unauthenticated } from './errors.js'
import type { Share } from './fairness/fair-queue.js'

export interface ContextOptions {
  database: Database
  clock: Clock
  log: Logger
  caller: Caller | null
  /** What may be seen; the caller's own tenants when absent. `EVERY_TENANT` for jobs and start-up. */
  tenant?: TenantScope
  requestId: string
  /** The client's network address, for throttling and blocking. */
  address: string | null
  /** Of the page that asks, as browsers say it. */
  origin?: string | null
  userAgent?: string | null
  acceptLanguage?: string | null
  /** Where loaders look first for what may be a moment old. */
  memory?: LoaderMemory
}

/** An `Idempotency-Key` and what it was sent with (open points, REST conventions). */
export interface IdempotentRequest {
  callerKey: string
  key: string
  requestHash: string
}

/** What a resolver knows of the request it serves. One for each HTTP request; one for each operation on a socket. */
export class Context {
  readonly requestId: string
  readonly address: string | null
  readonly origin: string | null
  readonly userAgent: string | null
  readonly acceptLanguage: string | null
  readonly log: Logger
  readonly database: Database
  readonly clock: Clock
  readonly maybeCaller: Caller | null
  /** Set while a create with an idempotency key runs: its transaction records the answer. */
  idempotency: IdempotentRequest | null = null
  /** Set once a guest's conversation was followed to where it was merged: that one is visible too. */
  guestLine: GuestLine | null = null
  readonly #tenant: TenantScope | undefined
  #em: EntityManager | undefined
  #reads: CallerSql | undefined
  readonly #loaders = new Map<object, DataLoader<string, unknown>>()

  readonly #options: ContextOptions

  constructor(options: ContextOptions) {
    this.#options = options
    this.database = options.database
    this.clock = options.clock
    this.log = options.log
    this.maybeCaller = options.caller
    this.#tenant = options.tenant
    this.requestId = options.requestId
    this.address = options.address
    this.origin = options.origin ?? null
    this.userAgent = options.userAgent ?? null
    this.acceptLanguage = options.acceptLanguage ?? null
  }

  /** @throws Unauthenticated without credentials. */
  get caller(): Caller {
    if (!this.maybeCaller) throw new Unauthenticated('authentication is required')
    return this.maybeCaller
  }

  /** @throws Forbidden for a guest of the web widget. */
  get userCaller(): UserCaller {
    const caller = this.caller
    if (caller.kind !== 'user') throw new Forbidden('a registered user is required')
    return caller
  }

  get guestCaller(): GuestCaller | null {
    return this.maybeCaller?.kind === 'guest' ? this.maybeCaller : null
  }

  /**
   * Of a conversation the caller sees what its consumer sees: a guest, and a user below the scope `agent` (a viewer, a bot
   * whose token was narrowed), who may fetch conversations (section 5) but does not take part in the work on them.
   */
  get seesAsConsumer(): boolean {
    return this.maybeCaller !== null && !this.maybeCaller.scopes.has('agent')
  }

  /** What this request may see of the tenants. */
  get tenant(): TenantScope {
    return this.#tenant ?? this.caller
  }

  /** The ORM, limited to the caller's tenants. */
  get em(): EntityManager {
    return (this.#em ??= scopedEntityManager(this.database.orm.em, this.tenant))
  }

  /** On whose account this request is; null for what the system does by itself. */
  get share(): Share | null {
    const { maybeCaller } = this
    if (maybeCaller) return { tenant: maybeCaller.path[0], caller: maybeCaller.key }
    return this.#tenant?.path.length === 0 ? null : { tenant: 'anonymous', caller: this.address ?? 'unknown' }
  }

  /**
   * Where a request reads by hand-written SQL: in turn with others, and bounded in time, so that no caller reads at the
   * cost of another. For the system's own work it is the database as it is.
   */
  get reads(): CallerSql {
    const { share } = this
    return (this.#reads ??= share ? this.database.readsOf(share) : this.database)
  }

  /** Sees every tenant and has no caller: for what the system does because of this request. */
  system(): Context {
    return new Context({ ...this.#options, caller: null, tenant: EVERY_TENANT })
  }

  now(): Date {
    return this.clock.now()
  }

  newId(): string {
    return this.clock.newId()
  }

  /** @throws Forbidden unless section 5's table allows it. */
  require(operation: Permission): void {
    requirePermission(this.caller, operation)
  }

  /**
   * A batching loader, one for each request and definition. `load` gets the ids of one tick and gives the values by id;
   * a missing id loads as null.
   */
  loader<V>(definition: LoaderDefinition<V>): DataLoader<string, V | null> {
    let loader = this.#loaders.get(definition)
    if (!loader) {
      loader = new DataLoader<string, unknown>(async (ids) => {
        const { memory } = this.#options
        const found = await (memory && definition.allowStale
          ? memory.load(definition, this, ids)
          : definition.load(this, ids))
        return ids.map((id) => found.get(id) ?? null)
      })
      this.#loaders.set(definition, loader)
    }
    return loader as DataLoader<string, V | null>
  }
}

/** What loaders gave before. */
export interface LoaderMemory {
  load<V>(definition: LoaderDefinition<V>, ctx: Context, ids: readonly string[]): Promise<Map<string, V>>
}

export interface LoaderDefinition<V> {
  /** Live screens may show it as it was two seconds ago. */
  allowStale?: boolean
  load(ctx: Context, ids: readonly string[]): Promise<Map<string, V>>
}
