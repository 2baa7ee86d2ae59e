import { scheduleRecord, slaPolicyRecord } from '../records/schedule.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Schedules'

export const scheduleRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/schedules', tag, record: scheduleRecord, cites: '4.2' })),
  ...Object.values(
    crudRoutes({ path: '/v2/slapolicies', tag, record: slaPolicyRecord, many: 'slaPolicies', cites: '4.2' }),
  ),
]
