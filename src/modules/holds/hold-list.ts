import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Hold } from './hold.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  contacts: { kind: 'idArray', sql: 't.contacts' },
  conversations: { kind: 'idArray', sql: 't.conversations' },
  users: { kind: 'idArray', sql: 't.users' },
  releasedAt: { kind: 'time', sql: 't.released_at' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const holdList: ListDefinition = {
  table: 'hold',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}
export const HoldFilter = filterInput('HoldFilter', fields)
export const HoldOrder = orderInput('Hold', fields)
export const HoldConnection = connectionType('Hold', () => Hold)
