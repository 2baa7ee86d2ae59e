import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { RetentionPolicy } from './retention-policy.js'
import type { RetentionRun } from './retention-run.js'

interface Named {
  id: string
  organization: string
}

declare module '../../platform/events/event.js' {
  interface EventTypes {
    'retentionPolicy.created': Named
    'retentionPolicy.updated': Named
    'retentionRun.created': Named
    'retentionRun.updated': Named
  }
}

/** Tells lists that show a policy that they are old. */
export function emitPolicy(
  tx: Pick<WriteTx, 'emit'>,
  { id, organizationId: organization }: Pick<RetentionPolicy, 'id' | 'organizationId'>,
  what: 'created' | 'updated',
): void {
  tx.emit(organizationStream(organization), `retentionPolicy.${what}`, { id, organization })
}

/** Tells lists that show a run that they are old. */
export function emitRun(
  tx: Pick<WriteTx, 'emit'>,
  { id, organizationId: organization }: RetentionRun,
  what: 'created' | 'updated',
): void {
  tx.emit(organizationStream(organization), `retentionRun.${what}`, { id, organization })
}
