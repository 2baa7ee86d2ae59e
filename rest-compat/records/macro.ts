import { embedded, object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { channelRecord } from './channel.js'
import { organizationRecord } from './organization.js'
import { userRecord } from './user.js'

export const macroRecord: RecordSpec = {
  type: 'Macro',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    owner: reference(() => userRecord, { object: 'owner', serverMade: true }),
    name: value(),
    shortcut: value(),
    channels: reference(() => channelRecord, { id: 'channelIds', object: 'channels' }),
    steps: embedded({
      kind: value(),
      text: value(),
      add: value(),
      remove: value(),
      category: value(),
      form: value(),
      minutes: value(),
      until: value(),
      user: value(),
      channel: value(),
      note: value(),
    }),
    archivedAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'owner', 'channels'],
}

/** The outcome for one conversation. */
export const macroResultRecord: RecordSpec = {
  type: 'MacroResult',
  fields: {
    conversation: serverMade({ from: 'conversationId' }),
    isDone: serverMade(),
    refusal: object({ serverMade: true }),
    undoUntil: serverMade(),
  },
  populate: [],
}
