import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Organization, OrganizationStatusEnum } from './organization.js'
import { OrganizationGroup } from './organization-group.js'

const text = (column: string) => ({ kind: 'text', sql: `t.${column}`, sortable: true }) as const

const organizationFields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  name: text('name'),
  displayName: text('display_name'),
  url: text('url'),
  email: text('email'),
  industry: text('industry'),
  country: text('country'),
  locale: text('locale'),
  timezone: text('timezone'),
  parent: { kind: 'id', sql: 't.parent_id' },
  path: ORG_PATH,
  level: { kind: 'int', sql: 't.level', sortable: true },
  status: { ...text('status'), values: OrganizationStatusEnum },
  stopwords: { kind: 'textArray', sql: 't.stopwords' },
  commands: { kind: 'textArray', sql: 't.commands' },
  tags: { kind: 'textArray', sql: 't.tags' },
  meta: { kind: 'json', sql: 't.meta' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const organizationList: ListDefinition = {
  table: 'organization',
  fields: organizationFields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const OrganizationFilter = filterInput('OrganizationFilter', organizationFields)
export const OrganizationOrder = orderInput('Organization', organizationFields)
export const OrganizationConnection = connectionType('Organization', () => Organization)

const groupFields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: text('name'),
  members: { kind: 'idArray', sql: 't.members' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const organizationGroupList: ListDefinition = {
  table: 'organization_group',
  fields: groupFields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const OrganizationGroupFilter = filterInput('OrganizationGroupFilter', groupFields)
export const OrganizationGroupOrder = orderInput('OrganizationGroup', groupFields)
export const OrganizationGroupConnection = connectionType('OrganizationGroup', () => OrganizationGroup)
