import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { HolidayCalendar } from './holiday-calendar.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const holidayCalendarList: ListDefinition = {
  table: 'holiday_calendar',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const HolidayCalendarFilter = filterInput('HolidayCalendarFilter', fields)
export const HolidayCalendarOrder = orderInput('HolidayCalendar', fields)
export const HolidayCalendarConnection = connectionType('HolidayCalendar', () => HolidayCalendar)
