import { clockRecord, holidayCalendarRecord, scheduleRecord, slaPolicyRecord } from '../records/schedule.js'
import { path, records, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Schedules'

export const scheduleRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/holidaycalendars', tag, record: holidayCalendarRecord, cites: '4.2' })),
  ...Object.values(crudRoutes({ path: '/v2/schedules', tag, record: scheduleRecord, cites: '4.2' })),
  ...Object.values(
    crudRoutes({ path: '/v2/slapolicies', tag, record: slaPolicyRecord, many: 'slaPolicies', cites: '4.2' }),
  ),
  {
    method: 'GET',
    path: '/v2/conversations/:id/clocks',
    tag,
    operationId: 'listClocks',
    summary: 'List the clocks of a conversation, the latest first.',
    notes: 'At most 20; none below the scope `agent`.',
    cites: '4.7',
    operation: 'query Clocks($id: ID!) { conversation(id: $id) { result: clocks { ...Record } } }',
    variables: { id: path('id') },
    result: records(clockRecord),
    status: 200,
  },
]
