import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Service, ServiceStatusEnum } from './service.js'

/** `params` cannot be filtered: the results would let a client guess a secret character by character. */
const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  type: { kind: 'text', sql: 't.type', sortable: true },
  meta: { kind: 'json', sql: 't.meta' },
  status: { kind: 'text', sql: 't.status', values: ServiceStatusEnum, sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const serviceList: ListDefinition = {
  table: 'service',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ServiceFilter = filterInput('ServiceFilter', fields)
export const ServiceOrder = orderInput('Service', fields)
export const ServiceConnection = connectionType('Service', () => Service)
