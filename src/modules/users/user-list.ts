import { columnFields } from '../../platform/lists/column-fields.js'
import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { USER_COLUMNS } from './user-columns.js'
import { composedNameSql, User, UserRole, UserStatus } from './user.js'

const text = (sql: string) => ({ kind: 'text', sql, sortable: true }) as const

const COMPOSED = composedNameSql('t')
const SPECIFIED = `nullif(t.display_name, '')`

const fields: FilterFields = {
  ...columnFields(USER_COLUMNS, { role: UserRole, status: UserStatus }),
  orgPath: ORG_PATH,
  // Composed like `displayNameOf` and `nameOf` of user.ts.
  displayName: text(`coalesce(${SPECIFIED}, ${COMPOSED}, 'User')`),
  name: text(`coalesce(${COMPOSED}, ${SPECIFIED}, 'User')`),
}

export const userList: ListDefinition = {
  table: 'app_user',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const UserFilter = filterInput('UserFilter', fields)
export const UserOrder = orderInput('User', fields)
export const UserConnection = connectionType('User', () => User)
