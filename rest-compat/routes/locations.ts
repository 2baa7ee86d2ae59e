import { locationRecord } from '../records/location.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

export const locationRoutes: Route[] = Object.values(
  crudRoutes({ path: '/v2/locations', tag: 'Locations', record: locationRecord, cites: '2.11, 4.3' }),
)
