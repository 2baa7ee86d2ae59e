import { connectionType, orderInput, OrderDirection } from '../lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../lists/filters.js'
import type { ListDefinition } from '../lists/list-page.js'
import { User } from './user.js'

const text = (sql: string) => ({ kind: 'text', sql, sortable: true }) as const

const NAMES = ['t.given_name', 't.additional_name', 't.family_name'].map((column) => `nullif(${column}, '')`)
const COMPOSED = `nullif(concat_ws(' ', ${NAMES.join(', ')}), '')`
const SPECIFIED = `nullif(t.display_name, '')`

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  familyName: text('t.family_name'),
  givenName: text('t.given_name'),
  additionalName: text('t.additional_name'),
  // As `displayNameOf` and `nameOf` of user.ts compose them.
  displayName: text(`coalesce(${SPECIFIED}, ${COMPOSED}, 'User')`),
  name: text(`coalesce(${COMPOSED}, ${SPECIFIED}, 'User')`),
  email: text('t.email'),
  phone: text('t.phone'),
  role: text('t.role'),
  status: text('t.status'),
  provider: text('t.provider'),
  settings: { kind: 'json', sql: 't.settings' },
  meta: { kind: 'json', sql: 't.meta' },
  lastLogin: { kind: 'time', sql: 't.last_login', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const userList: ListDefinition = {
  table: 'app_user',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const UserFilter = filterInput('UserFilter', fields)
export const UserOrder = orderInput('User', fields)
export const UserConnection = connectionType('User', () => User)
