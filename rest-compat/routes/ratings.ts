import { ratingRecord } from '../records/rating.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

const { list, fetch } = crudRoutes({ path: '/v2/ratings', tag: 'Ratings', record: ratingRecord, cites: '2.8' })

export const ratingRoutes: Route[] = [list, fetch]
