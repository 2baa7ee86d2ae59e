import DataLoader from 'dataloader'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { Caller, GuestCaller, UserCaller } from './access/caller.js'
import type { GuestLine } from './access/guest-line.js'
import { requirePermission, type Permission } from './access/permissions.js'
import { EVERY_TENANT, scopedEntityManager, type TenantScope } from './db/tenancy.js'
import type { CallerSql, Database } from './db/database.js'
import { parsePosition } from './db/replica.js'
import type { Freshness } from './db/replicas.js'
import type { Clock } from './db/clock.js'
import { Forbidden, Unauthenticated } from './errors.js'
import type { Share } from './fairness/fair-queue.js'

export interface ContextOptions {
  database: Database
  clock: Clock
  log: Logger
  caller: Caller | null
  /** Visible tenants; default: the caller's. `EVERY_TENANT` for jobs and start-up. */
  tenant?: TenantScope
  requestId: string
  /** The client's network address, for throttling and blocking. */
  address: string | null
  /** Origin of the requesting page, as sent by browsers. */
  origin?: string | null
  userAgent?: string | null
  acceptLanguage?: string | null
  /** What the caller said that it knows of: of a `Switchboard-Position` header. */
  position?: string | null
  /** Cache in which loaders look first for values that may be slightly stale. */
  memory?: LoaderMemory
}

/** An `Idempotency-Key` with the request's input (open points, REST conventions). */
export interface IdempotentRequest {
  callerKey: string
  key: string
  requestHash: string
}

/** The context of a request for resolvers. One per HTTP request; one per operation on a socket. */
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
  /** Set while a mutation runs: its response shows what it wrote. */
  isWriting = false
  /** Values within records that the running execution has returned (`limitParts`). */
  partValues = 0
  /** Set once a guest's conversation was followed to its merge target, which is visible too. */
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

  /** @throws Unauthenticated without credentials */
  get caller(): Caller {
    if (!this.maybeCaller) throw new Unauthenticated('authentication is required')
    return this.maybeCaller
  }

  /** @throws Forbidden for a guest of the web widget */
  get userCaller(): UserCaller {
    const caller = this.caller
    if (caller.kind !== 'user') throw new Forbidden('a registered user is required')
    return caller
  }

  get guestCaller(): GuestCaller | null {
    return this.maybeCaller?.kind === 'guest' ? this.maybeCaller : null
  }

  /**
   * Whether the caller only sees of a conversation what its consumer sees: a guest, and a user below the scope `agent`
   * (a viewer, a bot with a restricted token), who may fetch conversations (section 5) but does not work on them.
   */
  get seesAsConsumer(): boolean {
    return this.maybeCaller !== null && !this.maybeCaller.scopes.has('agent')
  }

  /** The tenants that this request may see. */
  get tenant(): TenantScope {
    return this.#tenant ?? this.caller
  }

  /** The ORM, limited to the caller's tenants. */
  get em(): EntityManager {
    return (this.#em ??= scopedEntityManager(this.database.orm.em, this.tenant))
  }

  /** The account of this request in fair queues; null for the system's own work. */
  get share(): Share | null {
    const { maybeCaller } = this
    if (maybeCaller) return { tenant: maybeCaller.path[0], caller: maybeCaller.key }
    return this.#tenant?.path.length === 0 ? null : { tenant: 'anonymous', caller: this.address ?? 'unknown' }
  }

  /**
   * Hand-written SQL for reads of a request: scheduled fairly and limited in time, so that callers cannot slow each
   * other down. For the system's own work, the database itself.
   */
  get reads(): CallerSql {
    const { share } = this
    return (this.#reads ??= share ? this.database.readsOf(share) : this.database)
  }

  /**
   * For lists and search: a replica that has all that the caller knows of. A caller that does not say what it knows of
   * reads from the primary, as a write does.
   */
  get lists(): CallerSql {
    return this.#listsFrom(parsePosition(this.#options.position ?? ''))
  }

  /** For reports and exports, which may be some seconds old: also a replica for callers that do not say what they know of. */
  get reports(): CallerSql {
    const { position } = this.#options
    return this.#listsFrom(position ? parsePosition(position) : 'recent')
  }

  /** Where there are replicas: a position after everything that was committed so far, for the caller's next reads. */
  async writtenPosition(): Promise<string | undefined> {
    return this.database.replicas?.position()
  }

  #listsFrom(freshness: Freshness | null): CallerSql {
    const { share, database } = this
    const isPrimarys = freshness === null || this.isWriting || !share || !database.replicas
    return isPrimarys ? this.reads : database.listsOf(share, freshness)
  }

  /** Returns a context without a caller that sees every tenant, for the system's work on behalf of this request. */
  system(): Context {
    return new Context({ ...this.#options, caller: null, tenant: EVERY_TENANT })
  }

  now(): Date {
    return this.clock.now()
  }

  newId(): string {
    return this.clock.newId()
  }

  /** @throws Forbidden unless section 5's table allows it */
  require(operation: Permission): void {
    requirePermission(this.caller, operation)
  }

  /**
   * Returns the batching loader of a definition, one per request. `load` gets the ids of one tick and returns the
   * values by id; a missing id loads as null.
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

/** Cache of loaded values. */
export interface LoaderMemory {
  load<V>(definition: LoaderDefinition<V>, ctx: Context, ids: readonly string[]): Promise<Map<string, V>>
}

export interface LoaderDefinition<V> {
  /** Live subscriptions may show values that are up to two seconds old. */
  allowStale?: boolean
  load(ctx: Context, ids: readonly string[]): Promise<Map<string, V>>
}
