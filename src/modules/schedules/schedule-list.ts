import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Schedule } from './schedule.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  timezone: { kind: 'text', sql: 't.timezone' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const scheduleList: ListDefinition = {
  table: 'schedule',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ScheduleFilter = filterInput('ScheduleFilter', fields)
export const ScheduleOrder = orderInput('Schedule', fields)
export const ScheduleConnection = connectionType('Schedule', () => Schedule)
