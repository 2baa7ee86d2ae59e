import { eventDeliveryRecord } from '../records/event-delivery.js'
import { serviceRecord } from '../records/service.js'
import { bodyKey, nothing, path, records, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Services'
const cites = '2.11, 4.7'
const named = { id: path('id'), ids: bodyKey('ids') }

export const serviceRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/services', tag, record: serviceRecord, cites })),
  {
    method: 'POST',
    path: '/v2/services/:id/take',
    tag,
    operationId: 'takeEvents',
    summary: 'Take events of a service of type `events`, or wait for some.',
    notes:
      'Events that are not acknowledged within 60 s come again. Of a conversation nothing more comes while somebody has some of it.',
    cites,
    operation:
      'mutation TakeEvents($id: ID!, $max: Int, $waitSeconds: Int) { result: takeEvents(service: $id, max: $max, waitSeconds: $waitSeconds) { ...Record } }',
    variables: { id: path('id'), max: bodyKey('max'), waitSeconds: bodyKey('waitSeconds') },
    result: records(eventDeliveryRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/services/:id/acknowledge',
    tag,
    operationId: 'acknowledgeEvents',
    summary: 'Mark events as handled.',
    notes: 'Also those of which the 60 s are over. An unknown id is 404, and nothing is marked.',
    cites,
    operation:
      'mutation AcknowledgeEvents($id: ID!, $ids: [ID!]!) { result: acknowledgeEvents(service: $id, ids: $ids) }',
    variables: named,
    result: nothing,
    status: 204,
  },
  {
    method: 'POST',
    path: '/v2/services/:id/retry',
    tag,
    operationId: 'retryEvents',
    summary: 'Give events back that could not be handled; they come again later.',
    cites,
    operation: 'mutation RetryEvents($id: ID!, $ids: [ID!]!) { result: retryEvents(service: $id, ids: $ids) }',
    variables: named,
    result: nothing,
    status: 204,
  },
]
