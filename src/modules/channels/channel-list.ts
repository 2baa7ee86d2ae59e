import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Channel, ChannelStatusEnum } from './channel.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  status: { kind: 'text', sql: 't.status', values: ChannelStatusEnum, sortable: true },
  members: {
    kind: 'nested',
    name: 'ChannelMemberFilter',
    sql: 'exists (select 1 from channel_member m where m.channel_id = t.id and {})',
    fields: { user: { kind: 'id', sql: 'm.user_id' } },
  },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const channelList: ListDefinition = {
  table: 'channel',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ChannelFilter = filterInput('ChannelFilter', fields)
export const ChannelOrder = orderInput('Channel', fields)
export const ChannelConnection = connectionType('Channel', () => Channel)
