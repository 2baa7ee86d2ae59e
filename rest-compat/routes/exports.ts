import { contactExportRecord } from '../records/contact-export.js'
import { bodyKey, idempotencyKey, page, path, record, type Route } from '../route.js'

const tag = 'Exports'
const cites = '2.11'

/** Exports of contacts. Their files are downloaded by `src/modules/privacy/export/export-routes.ts`. */
export const exportRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v2/contacts/:id/export',
    tag,
    operationId: 'exportContact',
    summary: 'Export what is kept of a contact, as a ZIP that a person can read.',
    notes:
      'A job writes it: ask for the export until its status is `ready`. Its `url` is valid for 7 days, and names the user who reads it. One ' +
      'that is being written, and has the same, is returned instead of another.',
    cites,
    operation: `mutation ExportContact($id: ID!, $notes: Boolean, $idempotencyKey: String) {
      result: exportContact(id: $id, notes: $notes, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { id: path('id'), notes: bodyKey('notes'), idempotencyKey },
    result: record(contactExportRecord),
    status: 201,
    location: '/v2/exports/:id',
  },
  {
    method: 'GET',
    path: '/v2/contacts/:id/exports',
    tag,
    operationId: 'listContactExports',
    summary: 'List the exports of a contact, the newest first.',
    cites,
    operation: `query ContactExports($id: ID!, $first: Int, $offset: Int, $after: String) {
      result: contactExports(contact: $id, first: $first, offset: $offset, after: $after) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    variables: { id: path('id'), first: { from: 'limit' }, offset: { from: 'offset' }, after: { from: 'after' } },
    result: page(contactExportRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/exports/:id',
    tag,
    operationId: 'getExport',
    summary: 'Fetch the export of a contact.',
    cites,
    operation: 'query ContactExport($id: ID!) { result: contactExport(id: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(contactExportRecord),
    status: 200,
  },
]
