import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { LOCATION_ADDRESS_FIELDS } from './location-address.js'
import { Location, sharedLocations } from './location.js'

const addressFields: FilterFields = Object.fromEntries(
  LOCATION_ADDRESS_FIELDS.map((key) => [key, { kind: 'text', sql: `(t.address ->> '${key}')` }]),
)

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  address: { kind: 'nested', name: 'LocationAddressFilter', sql: '{}', fields: addressFields },
  telephone: { kind: 'text', sql: 't.telephone' },
  email: { kind: 'text', sql: 't.email' },
  tags: { kind: 'textArray', sql: 't.tags' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const locationList: ListDefinition = {
  table: sharedLocations.table,
  visible: sharedLocations.visible,
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const LocationFilter = filterInput('LocationFilter', fields)
export const LocationOrder = orderInput('Location', fields)
export const LocationConnection = connectionType('Location', () => Location)
