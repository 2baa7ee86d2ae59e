import { AuditedMutation } from '../../platform/access/audited-mutation.js'
import type { UserCaller } from '../../platform/access/caller.js'
import { entryOfMutation } from '../../platform/audit/audit-entry.js'
import { Context } from '../../platform/context.js'
import { changesSoFar } from '../../platform/db/record-changes.js'
import type { ReadSql } from '../../platform/db/sql.js'
import {
  ChangedMeanwhile,
  DomainError,
  Forbidden,
  NotFound,
  Unavailable,
  Unprocessable,
} from '../../platform/errors.js'
import { newEvent, type NewEvent } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import { idempotently, type IdempotentCall } from '../../platform/limits/idempotency.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { insertOwned, lockToCount } from '../organizations/owned-record.js'
import { countApprovers } from './approvers.js'
import { CHANGE_EXPIRE, decided, requirePending, settle } from './decide-change.js'
import type { GuardedOperation } from './guarded-operation.js'
import { emitChange } from './pending-change-events.js'
import { EXPIRES_MS, PendingChange } from './pending-change.js'
import { readGuarded } from './read-four-eyes.js'

/** Changes of an organization that wait at once. */
const PENDING_MAX = 500

/** Reads a user as a caller with its rights of now; null for one that may not sign in. */
export type CallerOf = (sql: ReadSql, user: string, scopes: readonly string[]) => Promise<UserCaller | null>

export interface FourEyesDependencies {
  transact: Transact
  sealer: Sealer
  callerOf: CallerOf
}

/** Makes a change, or proposes it where two administrators are needed. */
export type Guarded<Input, Result> = (
  ctx: Context,
  input: Input,
  call?: Omit<IdempotentCall<Result>, 'operation'>,
) => Promise<Result>

/** Answer of a request whose change waits. */
interface Waiting {
  waitsFor: string
  expiresAt: string
}

type AnyOperation = GuardedOperation<object, unknown> & { name: string }

/** Undoes what was tried: a transaction that throws it leaves nothing behind. */
class Tried extends Error {}

/**
 * Has changes of guarded areas wait for a second administrator. Such a mutation is tried and undone, so that what would be refused is
 * refused at once; then it is stored, and {@link approve} carries it out by the same code.
 */
export class FourEyesGuard {
  readonly #operations = new Map<string, AnyOperation>()

  constructor(private readonly dependencies: FourEyesDependencies) {}

  /** Declares a mutation that is guarded. @param name of the mutation */
  guard<Input extends object, Result>(
    name: string,
    operation: GuardedOperation<Input, Result>,
  ): Guarded<Input, Result> {
    this.#operations.set(name, { ...operation, name } as unknown as AnyOperation)
    return async (ctx, input, call) => {
      const run = async (): Promise<Result | Waiting> => {
        const isGuarded = await this.#isGuarded(ctx, operation, input)
        return isGuarded
          ? this.#propose(ctx, { ...operation, name }, input)
          : operation.act(ctx, this.dependencies.transact, input)
      }
      const answer = call ? await idempotently(ctx, idempotentCall(name, call), run) : await run()
      if (!isWaiting(answer)) return answer
      throw new Unprocessable('another administrator must approve this change: nothing was changed yet', {
        reason: 'APPROVAL_NEEDED',
        pendingChange: answer.waitsFor,
        expiresAt: answer.expiresAt,
      })
    }
  }

  async #isGuarded<Input extends object>(
    ctx: Context,
    operation: GuardedOperation<Input, unknown>,
    input: Input,
  ): Promise<boolean> {
    const { area, isGuarded } = operation
    if (area !== 'fourEyes' && !(await readGuarded(ctx, ctx.caller.path[0]!))[area]) return false
    return (await isGuarded?.(ctx, input)) ?? true
  }

  /** Stores a change, once it is known that it could be made. */
  async #propose<Input extends object, Result>(
    ctx: Context,
    operation: GuardedOperation<Input, Result> & { name: string },
    given: Input,
  ): Promise<Waiting> {
    const { area, name } = operation
    const { user, path, scopes, family = null, organization } = ctx.userCaller
    if ((await countApprovers(ctx.reads, path, user)) === 0) {
      const message = 'nobody else could approve this change: make another administrator first'
      throw new Unprocessable(message, { reason: 'NO_APPROVER' })
    }
    const { input, object, shown = input } = await operation.propose(ctx, given)
    await this.#try(ctx, operation, input)
    const text = JSON.stringify(input)
    const { sealer, transact } = this.dependencies
    return withMutation(ctx, null, () =>
      transact(ctx, async (tx) => {
        await lockToCount(tx, organization)
        const pending = await tx.em.find(PendingChange, { organizationId: organization, status: 'pending' })
        const now = ctx.now()
        const isSame = (each: PendingChange): boolean =>
          each.proposedById === user &&
          each.operation === name &&
          // One of an earlier version of the record can be approved no more.
          each.objectVersion === (object.version ?? null) &&
          each.expiresAt > now &&
          each.digest === sealer.hash(text, each.digest)
        const known = pending.find(isSame)
        if (known) return waitingOf(known)
        if (pending.length >= PENDING_MAX) {
          const message = `organization ${organization} has ${PENDING_MAX} pending changes already: decide on some`
          throw new Unprocessable(message, { reason: 'TOO_MANY' })
        }
        const id = ctx.newId()
        const change = await insertOwned(ctx, tx, PendingChange, {
          id,
          path,
          area,
          operation: name,
          objectType: object.type,
          objectId: object.id,
          objectName: object.name ?? null,
          objectVersion: object.version ?? null,
          input: JSON.parse(JSON.stringify(shown)) as JsonObject,
          sealedInput: sealer.seal(SEALED.pendingInput, id, text),
          digest: sealer.hash(text),
          proposedById: user,
          scopes: [...scopes],
          familyId: family,
          status: 'pending',
          expiresAt: new Date(now.getTime() + EXPIRES_MS),
          decidedById: null,
          decidedAt: null,
          comment: null,
        })
        tx.addJob(CHANGE_EXPIRE.create({ change: id, organization }, { runAt: change.expiresAt }))
        emitChange(tx, change, 'created')
        addChangeEntry(tx, 'proposeChange', change)
        return waitingOf(change)
      }),
    )
  }

  /**
   * Carries a change out, with the rights of both: of whoever proposed it as they are now, and of the caller, who does it.
   * @throws Forbidden for an API token; NotFound; Unprocessable for one's own or a decided change, or what the change itself is refused with
   */
  async approve(ctx: Context, id: string): Promise<PendingChange> {
    const { user, isBot, apiToken } = ctx.userCaller
    if (isBot || apiToken !== undefined)
      throw new Forbidden('a person approves changes, not an API token', { reason: 'USER_REQUIRED' })
    const change = await fetchRecord(ctx, PendingChange, id)
    if (change.status === 'approved' && change.decidedById === user) return change
    requirePending(change, ctx.now())
    refuseSameUser(change, user)
    const operation = this.#operations.get(change.operation)
    // A newer release has stored it.
    if (!operation) throw new Unavailable(`this server does not know ${change.operation}: update it first`)
    ctx.require(operation.permission)
    const stored = JSON.parse(
      this.dependencies.sealer.open(SEALED.pendingInput, change.id, change.sealedInput),
    ) as object
    const input = operation.revived?.(ctx, stored) ?? stored
    try {
      await this.#tryAsProposer(ctx, change, operation, input)
      const result = await this.#carryOut(ctx, change, operation, input)
      await ctx.em.refresh(change)
      change.token = operation.secretOf?.(result) ?? null
      return change
    } catch (error) {
      if (!isFinal(error)) throw error
      throw await this.#void(ctx, change, error)
    }
  }

  /** Tries an operation and undoes it. @throws what refuses it */
  async #try(
    ctx: Context,
    { act }: Pick<AnyOperation, 'act'> | GuardedOperation<never, unknown>,
    input: object,
  ): Promise<void> {
    const trying: Transact = (own, work) =>
      this.dependencies.transact(own, async (tx) => {
        await work(tx)
        await tx.em.flush()
        throw new Tried('tried')
      })
    try {
      await act(ctx, trying, input as never)
    } catch (error) {
      if (!(error instanceof Tried)) throw error
    }
  }

  /** @throws Unprocessable if whoever proposed it could not do it any more */
  async #tryAsProposer(ctx: Context, change: PendingChange, operation: AnyOperation, input: object): Promise<void> {
    const { proposedById, scopes, familyId } = change
    const caller = await this.dependencies.callerOf(ctx.reads, proposedById, scopes)
    if (!caller || caller.path[0] !== change.org1) throw proposerGone(change)
    const { database, clock, log, requestId, address } = ctx
    const as: UserCaller = { ...caller, ...(familyId !== null && { family: familyId }) }
    const proposer = new Context({ database, clock, log, requestId, address, caller: as })
    try {
      proposer.require(operation.permission)
      await this.#try(proposer, operation, input)
    } catch (error) {
      throw error instanceof Forbidden ? proposerGone(change) : error
    }
  }

  async #carryOut(ctx: Context, change: PendingChange, operation: AnyOperation, input: object): Promise<unknown> {
    const { user } = ctx.userCaller
    const carrying: Transact = (own, work) =>
      this.dependencies.transact(own, async (tx) => {
        const tell = await settle(ctx, tx, change, { status: 'approved', by: user })
        if (!tell) throw decided(change.id, null)
        await requirePinned(tx, change)
        const events: NewEvent[] = []
        const result = await work(noting(tx, events))
        await tx.em.flush()
        // Of the change alone: this decision has an entry of its own.
        tx.addAudit(entryOfMutation(ctx, { events, changes: changesSoFar(tx.em) }))
        tell()
        addChangeEntry(tx, 'approveChange', change)
        return result
      })
    const mutation = new AuditedMutation(change.operation, input as Record<string, unknown>, ctx.caller)
    return withMutation(ctx, mutation, () => operation.act(ctx, carrying, input))
  }

  /** Ends a change that can never be carried out. @returns the error to answer */
  async #void(ctx: Context, change: PendingChange, error: DomainError): Promise<Error> {
    const isVoid = await withMutation(ctx, null, () =>
      this.dependencies.transact(ctx, async (tx) => {
        const tell = await settle(ctx, tx, change, { status: 'void', by: null, comment: error.details.reason })
        tell?.()
        if (tell) addChangeEntry(tx, 'voidChange', change, { reason: error.details.reason })
        return tell !== null
      }),
    )
    if (!isVoid) return decided(change.id, null)
    if (!(error instanceof ChangedMeanwhile)) return error
    return new Unprocessable(error.message, { reason: 'CHANGED_MEANWHILE' })
  }
}

/** @throws Unprocessable for a change that the user has proposed */
export function refuseSameUser({ proposedById }: PendingChange, user: string): void {
  if (proposedById !== user) return
  throw new Unprocessable('you have proposed this change yourself: another administrator decides', {
    reason: 'SAME_USER',
  })
}

/** Writes the audit log's entry of a change: never its input. */
export function addChangeEntry(
  tx: Pick<WriteTx, 'addAudit'>,
  action: string,
  { id, organizationId, area, operation, objectType, objectId, proposedById }: PendingChange,
  more: JsonObject = {},
): void {
  const about = objectId !== null && { object: { type: objectType, id: objectId } }
  tx.addAudit({
    action,
    object: { type: 'pendingChange', id },
    organization: organizationId,
    details: { area, operation, proposedBy: proposedById, ...about, ...more },
  })
}

/** Returns the transaction for work whose events are noted. */
function noting(tx: WriteTx, events: NewEvent[]): WriteTx {
  return {
    ...tx,
    emit(stream, type, data) {
      events.push(newEvent(stream, type, data))
      tx.emit(stream, type, data)
    },
    addEvents(more) {
      events.push(...more)
      tx.addEvents(more)
    },
  }
}

async function requirePinned(tx: WriteTx, change: PendingChange): Promise<void> {
  const { objectType, objectId, objectVersion } = change
  if (objectVersion === null) return
  const table = PINNED[objectType as keyof typeof PINNED]
  const [found] = await tx.query<{ version: number }>(`select version from ${table} where id = $1 for update`, [
    objectId,
  ])
  if (!found) throw new NotFound(`the ${objectType} ${objectId} is gone`)
  if (found.version === objectVersion) return
  const message = `the ${objectType} ${objectId} was changed since this was proposed: propose it again`
  throw new Unprocessable(message, { reason: 'CHANGED_MEANWHILE' })
}

/** Tables of records that must be unchanged. */
const PINNED = {
  hold: 'hold',
  retentionPolicy: 'retention_policy',
  service: 'service',
  domain: 'domain',
} as const

function proposerGone({ proposedById }: PendingChange): Unprocessable {
  const message = `user ${proposedById}, who proposed it, may not do this any more`
  return new Unprocessable(message, { reason: 'PROPOSER_GONE' })
}

/** Tells whether the change can never be carried out: records do not come back, nor do versions. */
function isFinal(error: unknown): error is DomainError {
  if (error instanceof NotFound || error instanceof ChangedMeanwhile) return true
  const reason = error instanceof Unprocessable ? error.details.reason : null
  return reason === 'CHANGED_MEANWHILE' || reason === 'PROPOSER_GONE'
}

async function withMutation<T>(ctx: Context, mutation: AuditedMutation | null, run: () => Promise<T>): Promise<T> {
  const outer = ctx.mutation
  ctx.mutation = mutation
  try {
    return await run()
  } finally {
    ctx.mutation = outer
  }
}

const waitingOf = ({ id, expiresAt }: PendingChange): Waiting => ({ waitsFor: id, expiresAt: expiresAt.toISOString() })

const isWaiting = (answer: unknown): answer is Waiting =>
  typeof answer === 'object' && answer !== null && 'waitsFor' in answer

/** A change that waits is kept for the key as such: it holds nothing of what the operation answers. */
function idempotentCall<Result>(
  operation: string,
  { kept, ...call }: Omit<IdempotentCall<Result>, 'operation'>,
): IdempotentCall<Result | Waiting> {
  return { ...call, operation, ...(kept && { kept: (answer) => (isWaiting(answer) ? answer : kept(answer)) }) }
}
