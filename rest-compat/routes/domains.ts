import { domainRecord } from '../records/domain.js'
import { body, bodyKey, idempotencyKey, nothing, path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Domains'
const cites = '5'
const { list, fetch } = crudRoutes({ path: '/v2/domains', tag, record: domainRecord, cites })

export const domainRoutes: Route[] = [
  list,
  fetch,
  {
    method: 'POST',
    path: '/v2/domains',
    tag,
    operationId: 'addDomain',
    summary: 'Add a domain, which counts once it is verified.',
    cites,
    operation: `mutation AddDomain($input: AddDomainInput!, $idempotencyKey: String) {
      result: addDomain(input: $input, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { input: body, idempotencyKey },
    result: record(domainRecord),
    status: 201,
  },
  {
    method: 'POST',
    path: '/v2/domains/verify',
    tag,
    operationId: 'verifyDomain',
    summary: 'Look for the record in the DNS of a domain.',
    cites,
    operation: 'mutation VerifyDomain($id: ID!) { result: verifyDomain(id: $id) { ...Record } }',
    variables: { id: bodyKey('domain') },
    result: record(domainRecord),
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v2/domains/:id',
    tag,
    operationId: 'removeDomain',
    summary: 'Remove a domain.',
    cites,
    operation: 'mutation RemoveDomain($id: ID!) { result: removeDomain(id: $id) }',
    variables: { id: path('id') },
    result: nothing,
    status: 204,
  },
]
