import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Workflow } from './workflow.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  externalId: { kind: 'text', sql: 't.external_id' },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  organizations: { kind: 'idArray', sql: 't.organizations' },
  organizationTags: { kind: 'textArray', sql: 't.organization_tags' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const workflowList: ListDefinition = {
  table: 'workflow',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const WorkflowFilter = filterInput('WorkflowFilter', fields)
export const WorkflowOrder = orderInput('Workflow', fields)
export const WorkflowConnection = connectionType('Workflow', () => Workflow)
