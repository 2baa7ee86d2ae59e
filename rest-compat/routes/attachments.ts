import { attachmentRecord } from '../records/attachment.js'
import type { Route } from '../route.js'
import { crudRoutes } from './crud.js'

const {
  list,
  fetch,
  update,
  delete: remove,
} = crudRoutes({
  path: '/v2/attachments',
  tag: 'Attachments',
  record: attachmentRecord,
  cites: '2.11',
})

/** For upload and download, see src/modules/attachments/attachment-routes.ts. */
export const attachmentRoutes: Route[] = [list, fetch, update, remove]
