import { serviceRecord } from '../records/service.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

export const serviceRoutes: Route[] = Object.values(
  crudRoutes({ path: '/v2/services', tag: 'Services', record: serviceRecord, cites: '2.11, 4.7' }),
)
