import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { CannedResponse } from './canned-response.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  shortcut: { kind: 'text', sql: 't.shortcut', sortable: true },
  text: { kind: 'text', sql: 't.text' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const cannedResponseList: ListDefinition = {
  table: 'canned_response',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const CannedResponseFilter = filterInput('CannedResponseFilter', fields)
export const CannedResponseOrder = orderInput('CannedResponse', fields)
export const CannedResponseConnection = connectionType('CannedResponse', () => CannedResponse)
