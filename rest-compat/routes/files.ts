import { fileRecord } from '../records/file.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

export const fileRoutes: Route[] = Object.values(
  crudRoutes({ path: '/v2/files', tag: 'Files', record: fileRecord, cites: '2.11, 4.3' }),
)
