import type { Context } from '../../platform/context.js'
import { quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { refuseCleared } from '../../platform/input.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import { parseCodedStates, ReasonCode, type CreateReasonCodeInput, type UpdateReasonCodeInput } from './reason-code.js'

/** Maximum number per organization: agents choose from all of them. */
export const CODES_PER_ORGANIZATION_MAX = 100

/** @throws NotFound naming `organization`; Unprocessable if the name is in use, or at the limit; BadUserInput */
export function createReasonCode(ctx: Context, transact: Transact, input: CreateReasonCodeInput): Promise<ReasonCode> {
  const name = parseName(input.name, 'name')
  const availabilities = parseCodedStates(input.availabilities)
  return withUniqueName(name, () =>
    transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      const limit = { organization: path.at(-1)!, max: CODES_PER_ORGANIZATION_MAX, noun: 'reason codes' }
      await checkNumber(tx, ReasonCode, limit)
      const code = await insertOwned(ctx, tx, ReasonCode, { path, name, availabilities })
      emitCode(tx, code, 'created')
      return code
    }),
  )
}

/** @throws as {@link createReasonCode}; NotFound */
export function updateReasonCode(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateReasonCodeInput },
): Promise<ReasonCode> {
  refuseCleared(patch, 'name', 'availabilities')
  const name = patch.name === undefined ? undefined : parseName(patch.name, 'name')
  const availabilities = patch.availabilities === undefined ? undefined : parseCodedStates(patch.availabilities)
  return withUniqueName(String(name), () =>
    transact(ctx, async (tx) => {
      const code = await fetchRecord(ctx, ReasonCode, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
      if (name !== undefined) code.name = name
      if (availabilities !== undefined) code.availabilities = availabilities
      markChanged(code, ctx.now())
      await tx.em.flush()
      emitCode(tx, code, 'updated')
      return code
    }),
  )
}

/** Deletes a reason code. States and milestones keep its id, so that what was counted stays apart. @throws NotFound */
export function deleteReasonCode(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const code = await fetchRecord(ctx, ReasonCode, id, { em: tx.em, lock: true })
    emitCode(tx, code, 'deleted')
    tx.em.remove(code)
    return true
  })
}

async function withUniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'reason_code_name')) throw error
    const message = `the organization has a reason code named ${quoteValue(name)} already`
    throw new Unprocessable(message, { field: 'name' })
  }
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'reasonCode', Pick<ReasonCode, 'name' | 'availabilities'>> {}
}

function emitCode(tx: WriteTx, { id, organizationId, name, availabilities }: ReasonCode, what: RecordChange): void {
  const data = { id, organization: organizationId, name, availabilities }
  tx.emit(organizationStream(organizationId), `reasonCode.${what}`, data)
}
