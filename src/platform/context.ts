import DataLoader from 'dataloader'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { AuditedMutation } from './access/audited-mutation.js'
import { hidesContacts, maskOf, type Caller, type GuestCaller, type UserCaller } from './access/caller.js'
import type { GuestLine } from './access/guest-line.js'
import { requirePermission, type Permission } from './access/permissions.js'
import { EVERY_TENANT, scopedEntityManager, type TenantScope } from './db/tenancy.js'
import type { MaskedKind } from './masking/masker.js'
import type { CallerSql, Database } from './db/database.js'
import { parsePosition } from './db/replica.js'
import type { Freshness } from './db/replicas.js'
import type { Clock } from './db/clock.js'
import { Forbidden, Unauthenticated } from './errors.js'
import type { LeftPlace } from './fairness/left-place.js'
import { guestShare, shareOf, type Share } from './fairness/share.js'

export interface ContextOptions {
  database: Database
  clock: Clock
  log: Logger
  caller: Caller | null
  /** Visible tenants; default: the caller's. `EVERY_TENANT` for jobs and start-up. */
  tenant?: TenantScope
  /** Its account in fair queues; default: the caller's. Set for a SCIM provider, which is no caller. */
  share?: Share
  requestId: string
  /** The client's network address, for throttling and blocking. */
  address: string | null
  /** Origin of the requesting page, as sent by browsers. */
  origin?: string | null
  userAgent?: string | null
  /** Nobody is at the page that asks: its session is not used. */
  isUnattended?: boolean
  acceptLanguage?: string | null
  /** Position of the newest write that the caller knows of, from its `Switchboard-Position` header. */
  position?: string | null
  /** Calls `end` once the client's connection has ended. @returns a function that forgets it */
  onGone?: (end: () => void) => () => void
  /** Cache in which loaders look first for values that may be slightly stale. */
  memory?: LoaderMemory
}

/** An `Idempotency-Key` with the request's input (open points, REST conventions). */
export interface IdempotentRequest {
  callerKey: string
  key: string
  /** Returns the hash of the request, to be compared with an earlier one. */
  hash(earlier?: string): string
  /** Returns the answer as it is stored; absent: as it is. */
  kept?(answer: unknown): unknown
}

/** The state of a budget after an operation. */
export interface BudgetLeft {
  /** Units a minute. */
  limit: number
  remaining: number
  /** Whole seconds until the whole budget is there again, at least 1. */
  resetSeconds: number
}

/** A browser that may begin what it alone can end, such as a sign-in at a provider. */
export interface AskingBrowser {
  /** Value of its cookie; null before it has one. */
  secret: string | null
  /** Set to have the answer keep {@link secret} in the browser. */
  isKept: boolean
}

/** The context of a request for resolvers. One per HTTP request; one per operation on a socket. */
export class Context {
  readonly requestId: string
  readonly address: string | null
  readonly origin: string | null
  readonly userAgent: string | null
  readonly isUnattended: boolean
  readonly acceptLanguage: string | null
  readonly log: Logger
  readonly database: Database
  readonly clock: Clock
  readonly maybeCaller: Caller | null
  /** Set while a create with an idempotency key runs: its transaction records the answer. */
  idempotency: IdempotentRequest | null = null
  /** Set while a mutation runs: its response shows what it wrote. */
  isWriting = false
  /** The cost of the operation and what is left for others, in the caller's units; null before it is charged. */
  spent: (BudgetLeft & { cost: number }) | null = null
  /** The mutation that runs, for the audit log. */
  mutation: AuditedMutation | null = null
  /** Values within records that the running execution has returned (`limitParts`). */
  partValues = 0
  /** The place of a query among those that run, which it leaves while it waits. */
  place: LeftPlace | null = null
  /** The browser that asks, by its cookie; null where an answer cannot bind one: only GraphQL over HTTP can. */
  browser: AskingBrowser | null = null
  /** Set once a guest's conversation was followed to its merge target, which is visible too. */
  guestLine: GuestLine | null = null
  readonly #tenant: TenantScope | undefined
  #em: EntityManager | undefined
  #reads: CallerSql | undefined
  #share: Share | null | undefined
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
    this.isUnattended = options.isUnattended ?? false
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
    if (caller.kind !== 'user') throw new Forbidden('a registered user is required', { reason: 'USER_REQUIRED' })
    return caller
  }

  get guestCaller(): GuestCaller | null {
    return this.maybeCaller?.kind === 'guest' ? this.maybeCaller : null
  }

  /**
   * Tells whether the caller only sees of a conversation what its consumer sees: a guest, and a user below the scope
   * `agent` (a viewer, a bot with a restricted token), who may fetch conversations (section 5) but does not work on
   * them.
   */
  get seesAsConsumer(): boolean {
    return this.maybeCaller !== null && !this.maybeCaller.scopes.has('agent')
  }

  /** Tells whether contacts are kept from the caller, a governed bot. */
  get hidesContacts(): boolean {
    return hidesContacts(this.maybeCaller)
  }

  /** Returns the kinds that are masked for the caller, a bot; null for all others. */
  get mask(): readonly MaskedKind[] | null {
    return maskOf(this.maybeCaller)
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
    return (this.#share ??=
      this.#options.share ?? (this.maybeCaller ? shareOfCaller(this.maybeCaller) : this.#shareOfNobody))
  }

  get #shareOfNobody(): Share | null {
    return this.#tenant?.path.length === 0 ? null : shareOf(['anonymous'], this.address ?? 'unknown')
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

  /**
   * Returns a position after everything that was committed so far, for the caller's next reads, if there are replicas.
   */
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
    const system = new Context({ ...this.#options, caller: null, tenant: EVERY_TENANT })
    system.mutation = this.mutation
    return system
  }

  /** Waits without a place among the queries that run: who waits keeps nobody from reading. */
  waitFor<T>(wait: () => Promise<T>): Promise<T> {
    return this.place ? this.place.outside(wait) : wait()
  }

  /** Calls `end` once the client's connection has ended. @returns a function that forgets it */
  onGone(end: () => void): () => void {
    return this.#options.onGone?.(end) ?? ((): void => undefined)
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
    this.mutation?.needed(operation)
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

/** Returns the account of a caller in fair queues. */
export function shareOfCaller({ kind, path, key }: Caller): Share {
  if (kind === 'operator') return shareOf([kind], key)
  return kind === 'guest' ? guestShare(path, key) : shareOf(path, key)
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
