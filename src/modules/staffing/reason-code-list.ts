import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { ReasonCode } from './reason-code.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const reasonCodeList: ListDefinition = {
  table: 'reason_code',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ReasonCodeFilter = filterInput('ReasonCodeFilter', fields)
export const ReasonCodeOrder = orderInput('ReasonCode', fields)
export const ReasonCodeConnection = connectionType('ReasonCode', () => ReasonCode)
