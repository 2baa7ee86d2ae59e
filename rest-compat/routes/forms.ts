import { formRecord } from '../records/form.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

export const formRoutes: Route[] = Object.values(
  crudRoutes({ path: '/v2/forms', tag: 'Forms', record: formRecord, cites: '2.11, 4.3' }),
)
