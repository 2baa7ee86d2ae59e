import { contactRecord } from '../records/contact.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

export const contactRoutes: Route[] = Object.values(
  crudRoutes({ path: '/v2/contacts', tag: 'Contacts', record: contactRecord, cites: '2.11' }),
)
