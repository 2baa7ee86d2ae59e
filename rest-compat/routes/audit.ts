import type { Route } from '../route.js'

/** The audit log as lines of JSON, for export and for `npm run audit:verify`. */
export const auditRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/audit',
    tag: 'Audit',
    operationId: 'exportAudit',
    summary: 'Export the audit log as lines of JSON.',
    notes:
      'Entries of the chain of the contact center in their order. Ask again with the `number` of the last one as `after`, until the ' +
      'answer is empty. For administrators of the contact center.',
    cites: '4.3',
    operation: `query ExportAudit($after: Int, $limit: Int) { result: auditExport(after: $after, limit: $limit) { lines } }`,
    variables: {
      after: { from: 'query', name: 'after', description: 'Number of the entry before the first; 0 by default.' },
      limit: { from: 'query', name: 'limit', description: 'Number of entries, 1000 by default, at most 10000.' },
    },
    result: { kind: 'text', field: 'lines', type: 'application/x-ndjson' },
    status: 200,
  },
]
