import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { SlaPolicy } from './sla-policy.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  schedule: { kind: 'id', sql: 't.schedule_id' },
  position: { kind: 'int', sql: 't.position', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const slaPolicyList: ListDefinition = {
  table: 'sla_policy',
  fields,
  defaultOrder: [
    { field: 'position', direction: OrderDirection.ASC },
    { field: 'id', direction: OrderDirection.ASC },
  ],
}
export const SlaPolicyFilter = filterInput('SlaPolicyFilter', fields)
export const SlaPolicyOrder = orderInput('SlaPolicy', fields)
export const SlaPolicyConnection = connectionType('SlaPolicy', () => SlaPolicy)
