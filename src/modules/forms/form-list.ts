import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Form, sharedForms } from './form.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  isStatic: { kind: 'boolean', sql: 't.is_static' },
  tags: { kind: 'textArray', sql: 't.tags' },
  meta: { kind: 'json', sql: 't.meta' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const formList: ListDefinition = {
  table: sharedForms.table,
  visible: sharedForms.visible,
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const FormFilter = filterInput('FormFilter', fields)
export const FormOrder = orderInput('Form', fields)
export const FormConnection = connectionType('Form', () => Form)
