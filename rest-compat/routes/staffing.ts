import { conversationRecord } from '../records/conversation.js'
import { agentStateRecord, reasonCodeRecord, skillRecord } from '../records/staffing.js'
import { body, bodyKey, path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Staffing'

export const staffingRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/users/:id/availability',
    tag,
    operationId: 'getAvailability',
    summary: "Fetch an agent's availability and workload; the id may be `me`.",
    cites: '4.2',
    operation: 'query GetAvailability($id: ID!) { result: agentState(user: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(agentStateRecord),
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/v2/users/:id/availability',
    tag,
    operationId: 'setAvailability',
    summary: 'Set whether an agent takes conversations; the id may be `me`.',
    cites: '4.2',
    operation: `mutation SetAvailability($id: ID!, $availability: Availability!, $reason: String, $reasonCode: ID) {
      result: setAvailability(user: $id, availability: $availability, reason: $reason, reasonCode: $reasonCode) {
        ...Record
      }
    }`,
    variables: {
      id: path('id'),
      availability: bodyKey('availability'),
      reason: bodyKey('reason'),
      reasonCode: bodyKey('reasonCode'),
    },
    result: record(agentStateRecord),
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/v2/users/:id/staffing',
    tag,
    operationId: 'updateStaff',
    summary: 'Change the capacity and the skills of an agent.',
    cites: '4.2',
    operation: `mutation UpdateStaff($id: ID!, $patch: UpdateStaffInput!) {
      result: updateStaff(user: $id, patch: $patch) { ...Record }
    }`,
    variables: { id: path('id'), patch: body },
    result: record(agentStateRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/offers/:id/decline',
    tag,
    operationId: 'declineOffer',
    summary: 'Decline an offer; the conversation is offered to other agents.',
    notes: 'To accept it, send the command `/accept`.',
    cites: '4.8',
    operation: `mutation DeclineOffer($id: ID!, $reason: String) {
      result: declineOffer(offer: $id, reason: $reason) { ...Record }
    }`,
    variables: { id: path('id'), reason: bodyKey('reason') },
    result: record(conversationRecord),
    status: 200,
  },
  ...Object.values(crudRoutes({ path: '/v2/reasoncodes', tag, record: reasonCodeRecord, cites: '4.2' })),
  ...Object.values(crudRoutes({ path: '/v2/skills', tag, record: skillRecord, cites: '4.2' })),
]
