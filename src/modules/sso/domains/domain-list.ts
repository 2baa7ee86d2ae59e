import { connectionType, orderInput, OrderDirection } from '../../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../../platform/lists/filters.js'
import type { ListDefinition } from '../../../platform/lists/list-page.js'
import { Domain } from './domain.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  verifiedAt: { kind: 'time', sql: 't.verified_at' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const domainList: ListDefinition = {
  table: 'domain',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const DomainFilter = filterInput('DomainFilter', fields)
export const DomainOrder = orderInput('Domain', fields)
export const DomainConnection = connectionType('Domain', () => Domain)
