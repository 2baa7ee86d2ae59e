import { channelMemberRecord, channelRecord } from '../records/channel.js'
import { body, bodyKey, ifMatch, nothing, path, record, records, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Channels'
const members = `query ChannelMembers($id: ID!) {
  channel(id: $id) { _version: version result: members { ...Record } }
}`

export const channelRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/channels', tag, record: channelRecord, cites: '4.4' })),
  {
    method: 'GET',
    path: '/v2/channels/:id/members',
    tag,
    operationId: 'listChannelMembers',
    summary: 'List the members of a channel.',
    cites: '4.4',
    operation: members,
    variables: { id: path('id') },
    result: records(channelMemberRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/channels/:id/members',
    tag,
    operationId: 'addChannelMember',
    summary: 'Add a member to a channel.',
    cites: '4.4',
    operation: `mutation AddChannelMember($id: ID!, $user: ID!) {
      result: addChannelMember(channel: $id, user: $user) { ...Record }
    }`,
    variables: { id: path('id'), user: bodyKey('user') },
    result: record(channelRecord),
    status: 201,
  },
  {
    method: 'PATCH',
    path: '/v2/channels/:id/members',
    tag,
    operationId: 'replaceChannelMembers',
    summary: 'Replace all members of a channel.',
    cites: '4.4',
    operation: `mutation ReplaceChannelMembers($id: ID!, $members: [ChannelMemberInput!]!, $ifVersion: Int) {
      result: updateChannel(id: $id, patch: { members: $members, ifVersion: $ifVersion }) { ...Record }
    }`,
    variables: { id: path('id'), members: body, ifVersion: ifMatch },
    result: record(channelRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/channels/:id/members/:user',
    tag,
    operationId: 'getChannelMember',
    summary: 'Fetch a member of a channel.',
    cites: '4.4',
    operation: members,
    variables: { id: path('id') },
    result: { kind: 'element', record: channelMemberRecord, field: 'user', parameter: 'user' },
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v2/channels/:id/members/:user',
    tag,
    operationId: 'removeChannelMember',
    summary: 'Remove a member from a channel.',
    cites: '4.4',
    operation: `mutation RemoveChannelMember($id: ID!, $user: ID!) {
      result: removeChannelMember(channel: $id, user: $user) { id }
    }`,
    variables: { id: path('id'), user: path('user') },
    result: nothing,
    status: 204,
  },
]
