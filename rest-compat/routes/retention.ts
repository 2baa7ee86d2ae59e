import { retentionPolicyRecord, retentionPreviewRecord, retentionRunRecord } from '../records/retention.js'
import { path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Retention'
const cites = '2.11'
const many = 'retentionPolicies'
const policies = { path: '/v2/retentionpolicies', tag, record: retentionPolicyRecord, many, cites }
const { delete: _, ...kept } = crudRoutes(policies)
const { list, fetch } = crudRoutes({ path: '/v2/retentionruns', tag, record: retentionRunRecord, cites })

/** Terms after which records are erased, which end and are never deleted, and what they have erased. */
export const retentionRoutes: Route[] = [
  ...Object.values(kept),
  {
    method: 'DELETE',
    path: '/v2/retentionpolicies/:id',
    tag,
    operationId: 'deleteRetentionPolicy',
    summary: 'End a retention policy: it erases nothing from now on.',
    notes: 'A policy of an organization above, if there is one, takes over what it covered after 24 hours (`endsAt`).',
    cites,
    operation: 'mutation DeleteRetentionPolicy($id: ID!) { result: deleteRetentionPolicy(id: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(retentionPolicyRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/retentionpreview',
    tag,
    operationId: 'previewRetention',
    summary: 'Count what a retention policy would erase if it ran now.',
    cites,
    operation: `query RetentionPreview($subject: RetentionSubject!, $days: Int!, $organization: ID) {
      result: retentionPreview(subject: $subject, days: $days, organization: $organization) { ...Record }
    }`,
    variables: {
      subject: { from: 'query', name: 'subject', description: 'Records that it would erase.' },
      days: { from: 'query', name: 'days', description: 'Days after which it would erase them.' },
      organization: { from: 'query', name: 'organization', description: "Default: the caller's organization." },
    },
    result: record(retentionPreviewRecord),
    status: 200,
  },
  list,
  fetch,
]
