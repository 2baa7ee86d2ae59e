import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { PendingChange } from './pending-change.js'

interface PendingChangeData {
  id: string
  organization: string
  area: string
  operation: string
  /** Says of an update what was decided. */
  status: string
  proposedBy: string
  decidedBy: string | null
}

declare module '../../platform/events/event.js' {
  interface EventTypes {
    'pendingChange.created': PendingChangeData
    'pendingChange.updated': PendingChangeData
    'fourEyes.updated': {
      id: string
      organization: string
      erasure: boolean
      hold: boolean
      retention: boolean
      signIn: boolean
    }
  }
}

/** Tells consoles and webhooks of a change that waits, or was decided. What it changes is in none of them. */
export function emitChange(
  tx: Pick<WriteTx, 'emit'>,
  change: Pick<
    PendingChange,
    'id' | 'organizationId' | 'area' | 'operation' | 'status' | 'proposedById' | 'decidedById'
  >,
  what: 'created' | 'updated',
): void {
  const { id, organizationId, area, operation, status, proposedById, decidedById } = change
  tx.emit(organizationStream(organizationId), `pendingChange.${what}`, {
    id,
    organization: organizationId,
    area,
    operation,
    status,
    proposedBy: proposedById,
    decidedBy: decidedById,
  })
}
