import { proposalRecord, proposalRequestRecord } from '../records/proposal.js'
import { bodyKey, idempotencyKey, path, record, records, type Route } from '../route.js'

const tag = 'Proposals'
const cites = '4.8'
const ofConversation = '/v2/conversations/:id/proposals'
const decide = { method: 'POST', tag, cites, result: record(proposalRecord), status: 200 } as const

export const proposalRoutes: Route[] = [
  {
    method: 'GET',
    path: ofConversation,
    tag,
    operationId: 'listProposals',
    summary: 'List the proposals of bots on which nobody has decided.',
    cites,
    operation: 'query Proposals($id: ID!) { conversation(id: $id) { result: proposals { ...Record } } }',
    variables: { id: path('id') },
    result: records(proposalRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: ofConversation,
    tag,
    operationId: 'propose',
    summary: 'Propose what a bot would do, or suggest something for people to take.',
    notes:
      'Either a `message`, as it would be sent, or a `suggestion`. `If-Match` may have the `ETag` of the conversation as the bot saw it, in place of `mark`.',
    cites,
    operation: `mutation Propose(
      $id: ID!, $message: MessageInput, $suggestion: SuggestionInput, $mark: String, $idempotencyKey: String
    ) {
      result: propose(
        conversation: $id, message: $message, suggestion: $suggestion, mark: $mark, idempotencyKey: $idempotencyKey
      ) { ...Record }
    }`,
    variables: {
      id: path('id'),
      message: bodyKey('message'),
      suggestion: bodyKey('suggestion'),
      mark: bodyKey('mark'),
      idempotencyKey,
    },
    result: record(proposalRecord),
    status: 201,
  },
  {
    method: 'POST',
    path: `${ofConversation}/request`,
    tag,
    operationId: 'requestProposal',
    summary: 'Ask the bots of a conversation to propose something now.',
    cites,
    operation: `mutation RequestProposal($id: ID!, $kind: ProposalKind!) {
      result: requestProposal(conversation: $id, kind: $kind) { ...Record }
    }`,
    variables: { id: path('id'), kind: bodyKey('kind') },
    result: record(proposalRequestRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/proposals/:id',
    tag,
    operationId: 'getProposal',
    summary: 'Fetch a proposal, decided or not.',
    cites,
    operation: 'query Proposal($id: ID!) { result: proposal(id: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(proposalRecord),
    status: 200,
  },
  {
    ...decide,
    path: '/v2/proposals/:id/approve',
    operationId: 'approveProposal',
    summary: 'Have the bot do what it proposed: once, and exactly what `hash` names.',
    operation: `mutation ApproveProposal($id: ID!, $hash: String!) {
      result: approveProposal(proposal: $id, hash: $hash) { ...Record }
    }`,
    variables: { id: path('id'), hash: bodyKey('hash') },
  },
  {
    ...decide,
    path: '/v2/proposals/:id/take',
    operationId: 'takeProposal',
    summary: 'Do what a bot suggested to set or to merge, as the caller.',
    notes: 'An answer or a summary is taken by a message with `proposal`.',
    operation: `mutation TakeProposal($id: ID!, $idempotencyKey: String) {
      result: takeProposal(proposal: $id, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { id: path('id'), idempotencyKey },
  },
  {
    ...decide,
    path: '/v2/proposals/:id/reject',
    operationId: 'rejectProposal',
    summary: 'End a proposal without doing it.',
    operation: 'mutation RejectProposal($id: ID!) { result: rejectProposal(proposal: $id) { ...Record } }',
    variables: { id: path('id') },
  },
]
