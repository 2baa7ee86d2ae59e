import { routingPlanRecord } from '../records/routing.js'
import { bodyKey, record, type Route } from '../route.js'

const tag = 'Routing'
const cites = '4.5'

/** An organization's routing as a document. */
export const routingRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/routing',
    tag,
    operationId: 'exportRouting',
    summary: "Export an organization's own routing as a document.",
    notes: 'The same text for the same state, with names and no secrets.',
    cites,
    operation: 'query ExportRouting($organization: ID) { result: routing(organization: $organization) { text } }',
    variables: {
      organization: { from: 'query', name: 'organization', description: "Default: the caller's organization." },
    },
    result: { kind: 'text', field: 'text', type: 'application/yaml' },
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/routing/plan',
    tag,
    operationId: 'planRouting',
    summary: 'Tell what a routing document would change, without changing it.',
    notes: 'Mistakes are answered with 400, and the line and column of each in `problems`.',
    cites,
    operation: `query PlanRouting($document: String!, $organization: ID) {
      result: planRouting(document: $document, organization: $organization) { ...Record }
    }`,
    variables: { document: bodyKey('document'), organization: bodyKey('organization') },
    result: record(routingPlanRecord),
    status: 200,
  },
  {
    method: 'PUT',
    path: '/v2/routing',
    tag,
    operationId: 'applyRouting',
    summary: 'Make the changes of a routing document, all of them or none.',
    notes:
      '`digest` is that of the plan: 412 with `records` if something that the document describes has changed since then.',
    cites,
    operation: `mutation ApplyRouting($document: String!, $digest: String!, $organization: ID, $comment: String) {
      result: applyRouting(document: $document, digest: $digest, organization: $organization, comment: $comment) { ...Record }
    }`,
    variables: {
      ...{ document: bodyKey('document'), digest: bodyKey('digest') },
      ...{ organization: bodyKey('organization'), comment: bodyKey('comment') },
    },
    result: record(routingPlanRecord),
    status: 200,
  },
]
