import { conversationRecord } from '../records/conversation.js'
import { labelRecord } from '../records/label.js'
import { bodyKey, path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Labels'
const { delete: _, ...kept } = crudRoutes({ path: '/v2/labels', tag, record: labelRecord, cites: '2.4' })

export const labelRoutes: Route[] = [
  ...Object.values(kept),
  {
    method: 'DELETE',
    path: '/v2/labels/:id',
    tag,
    operationId: 'archiveLabel',
    summary: 'Archive a label: it stays on the conversations that have it, and is put on no more.',
    cites: '2.4',
    operation: 'mutation ArchiveLabel($id: ID!) { result: archiveLabel(id: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(labelRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/conversations/:id/labels',
    tag,
    operationId: 'addLabel',
    summary: 'Put a label on a conversation; one that is on already stays.',
    cites: '2.8',
    operation: `mutation AddLabel($id: ID!, $label: ID!) {
      result: setLabels(conversation: $id, add: [$label]) { ...Record }
    }`,
    variables: { id: path('id'), label: bodyKey('label') },
    result: record(conversationRecord),
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v2/conversations/:id/labels/:label',
    tag,
    operationId: 'removeLabel',
    summary: 'Take a label off a conversation.',
    cites: '2.8',
    operation: `mutation RemoveLabel($id: ID!, $label: ID!) {
      result: setLabels(conversation: $id, remove: [$label]) { ...Record }
    }`,
    variables: { id: path('id'), label: path('label') },
    result: record(conversationRecord),
    status: 200,
  },
]
