import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Label } from './label.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  archivedAt: { kind: 'time', sql: 't.archived_at' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const labelList: ListDefinition = {
  table: 'label',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const LabelFilter = filterInput('LabelFilter', fields)
export const LabelOrder = orderInput('Label', fields)
export const LabelConnection = connectionType('Label', () => Label)
