import { articleRecord } from '../records/article.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

export const articleRoutes: Route[] = Object.values(
  crudRoutes({ path: '/v2/articles', tag: 'Articles', record: articleRecord, cites: '2.11, 4.3' }),
)
