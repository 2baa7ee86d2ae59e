import { conversationRecord } from '../records/conversation.js'
import { scheduleRecord, slaPolicyRecord } from '../records/schedule.js'
import { path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Schedules'

export const scheduleRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/schedules', tag, record: scheduleRecord, cites: '4.2' })),
  ...Object.values(
    crudRoutes({ path: '/v2/slapolicies', tag, record: slaPolicyRecord, many: 'slaPolicies', cites: '4.2' }),
  ),
  {
    method: 'POST',
    path: '/v2/conversations/:id/sla',
    tag,
    operationId: 'reapplySla',
    summary: 'Choose the SLA policy of an open conversation anew, and count its clocks by it.',
    cites: '4.7',
    operation: 'mutation ReapplySla($id: ID!) { result: reapplySla(conversation: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(conversationRecord),
    status: 200,
  },
]
