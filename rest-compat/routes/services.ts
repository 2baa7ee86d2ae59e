import { eventDeliveryRecord } from '../records/event-delivery.js'
import { mailboxEntryRecord } from '../records/mailbox-entry.js'
import { messageTemplateRecord } from '../records/message-template.js'
import { provisioningRecord, scimTokenRecord } from '../records/provisioning.js'
import { serviceRecord } from '../records/service.js'
import { bodyKey, nothing, page, path, record, records, type Route } from '../route.js'
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
    notes: 'With the `attempt` of each, as it was taken: what somebody else has taken since stays theirs.',
    cites,
    operation:
      'mutation RetryEvents($id: ID!, $ids: [ID!]!, $attempts: [Int!]!) { result: retryEvents(service: $id, ids: $ids, attempts: $attempts) }',
    variables: { ...named, attempts: bodyKey('attempts') },
    result: nothing,
    status: 204,
  },
  {
    method: 'GET',
    path: '/v2/services/:id/provisioning',
    tag,
    operationId: 'fetchProvisioning',
    summary: 'Read how a provider keeps users and groups here (SCIM 2.0): the address, and its tokens.',
    cites,
    operation: 'query Provisioning($id: ID!) { result: provisioning(service: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(provisioningRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/services/:id/scimtokens',
    tag,
    operationId: 'createScimToken',
    summary: 'Give a provider a token for SCIM, shown in this answer only.',
    notes: 'The one before ends at once, or after `overlapHours` (0 to 720): at most two are valid.',
    cites,
    operation:
      'mutation CreateScimToken($id: ID!, $overlapHours: Int) { result: createScimToken(service: $id, overlapHours: $overlapHours) { ...Record } }',
    variables: { id: path('id'), overlapHours: bodyKey('overlapHours') },
    result: record(scimTokenRecord),
    status: 201,
  },
  {
    method: 'DELETE',
    path: '/v2/services/:id/scimtokens/:token',
    tag,
    operationId: 'revokeScimToken',
    summary: 'End a token of a provider at once.',
    cites,
    operation:
      'mutation RevokeScimToken($id: ID!, $token: ID!) { result: revokeScimToken(service: $id, token: $token) }',
    variables: { id: path('id'), token: path('token') },
    result: nothing,
    status: 204,
  },
  {
    method: 'GET',
    path: '/v2/services/:id/templates',
    tag,
    operationId: 'listTemplates',
    summary: 'List the texts that the provider of a service has approved or may approve, by name.',
    notes: 'A message sends one by `template`. Empty for a service whose provider has none.',
    cites: '2.11',
    operation: `query ListTemplates($id: ID!, $status: TemplateStatus, $search: String) {
      result: templates(service: $id, status: $status, search: $search) { ...Record }
    }`,
    variables: {
      id: path('id'),
      status: { from: 'query', name: 'status', description: 'Only templates of this state, such as `approved`.' },
      search: { from: 'query', name: 'search', description: 'Part of the name or the text.' },
    },
    result: records(messageTemplateRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/services/:id/entries',
    tag,
    operationId: 'listMailboxEntries',
    summary: 'List the mails of a service of type `mailbox`, and what became of each, newest first.',
    cites: '2.11',
    operation: `query ListMailboxEntries(
      $id: ID!, $state: MailboxEntryState, $since: DateTime, $first: Int, $offset: Int, $after: String
    ) {
      result: mailboxEntries(service: $id, state: $state, since: $since, first: $first, offset: $offset, after: $after) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    variables: {
      id: path('id'),
      state: { from: 'query', name: 'state', description: 'Only mails of this state, such as `unreadable`.' },
      since: { from: 'query', name: 'since', description: 'Only mails that were listed at this time or later.' },
      first: { from: 'limit' },
      offset: { from: 'offset' },
      after: { from: 'after' },
    },
    result: page(mailboxEntryRecord),
    status: 200,
  },
]
