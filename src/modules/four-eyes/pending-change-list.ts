import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { FourEyesAreaEnum, PendingChange, PendingChangeStatusEnum } from './pending-change.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  area: { kind: 'text', sql: 't.area', values: FourEyesAreaEnum },
  operation: { kind: 'text', sql: 't.operation' },
  status: { kind: 'text', sql: 't.status', values: PendingChangeStatusEnum },
  object: { kind: 'id', sql: 't.object_id' },
  proposedBy: { kind: 'id', sql: 't.proposed_by_id' },
  decidedBy: { kind: 'id', sql: 't.decided_by_id' },
  expiresAt: { kind: 'time', sql: 't.expires_at', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const pendingChangeList: ListDefinition = {
  table: 'pending_change',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}
export const PendingChangeFilter = filterInput('PendingChangeFilter', fields)
export const PendingChangeOrder = orderInput('PendingChange', fields)
export const PendingChangeConnection = connectionType('PendingChange', () => PendingChange)
