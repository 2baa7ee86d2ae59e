import { LockMode } from '@mikro-orm/postgresql'
import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { emitService } from './service-writes.js'
import { Service } from './service.js'

const PROBLEM_CHARS_MAX = 500

export interface NotedProblem {
  service: string
  /** Null: the provider takes it. */
  problem: string | null
  /** Tells whether the stored service is still as it was used: what was said of earlier params is no news of these. */
  isCurrent?(stored: Service): boolean
}

/**
 * Notes that the provider refuses a service itself, such as its token, which then is `failing`: it stays in use, and waits for an
 * administrator. Null: it is taken again. Nothing is written where nothing changes, or the service was switched off.
 */
export async function noteProblem(
  system: Context,
  transact: Transact,
  { service: id, problem, isCurrent }: NotedProblem,
): Promise<void> {
  const said = problem === null ? null : problem.slice(0, PROBLEM_CHARS_MAX)
  const status = said === null ? 'active' : 'failing'
  await transact(system, async (tx) => {
    const service = await tx.em.findOne(Service, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (service?.status !== 'active' && service?.status !== 'failing') return
    if (service.status === status && service.problem === said) return
    if (isCurrent && !isCurrent(service)) return
    const isNew = service.status !== status
    Object.assign(service, { status, problem: said })
    markChanged(service, system.now())
    emitService(tx, service, 'updated')
    if (isNew && said !== null) emitServiceError(tx, service, said)
  })
}

declare module '../../platform/events/event.js' {
  interface EventTypes {
    'service.error': Pick<Service, 'id' | 'name' | 'type' | 'status'> & { organization: string; error: string }
  }
}

/** Emits an event for operators about a service that does not work. */
export function emitServiceError(tx: Pick<WriteTx, 'emit'>, service: Service, error: string): void {
  const { id, organizationId, name, type, status } = service
  const organization = organizationId
  tx.emit(organizationStream(organizationId), 'service.error', { id, organization, name, type, status, error })
}
