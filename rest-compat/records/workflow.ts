import { embedded, object, reference, serverMade, value, type FieldSpecs, type RecordSpec } from '../record.js'
import { channelRecord } from './channel.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

/** 2.7. */
const ruleFields: FieldSpecs = {
  conditions: object(),
  event: embedded({
    type: value(),
    params: embedded({
      name: value(),
      channels: reference(() => channelRecord, { id: 'channels', object: 'notifiedChannels' }),
      users: reference(() => userProfileRecord, { id: 'users', object: 'notifiedUsers' }),
      delay: value(),
      isLastRule: value(),
      skills: value(),
      skillsDropAfter: value(),
      urgency: value(),
    }),
  }),
  priority: value(),
}

/** 2.7. Clients that create with `_id` read it back. */
export const workflowRecord: RecordSpec = {
  type: 'Workflow',
  fields: {
    id: serverMade(),
    _id: serverMade({ from: 'externalId' }),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    organizations: reference(() => organizationRecord, { id: 'organizations', object: 'limitedToOrganizations' }),
    organizationTags: value(),
    rules: embedded({ id: serverMade(), ...ruleFields }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'organizations', 'rules.event.params.channels', 'rules.event.params.users'],
}

/** 2.7. */
export const workflowRuleRecord: RecordSpec = {
  type: 'WorkflowRule',
  name: 'Rule',
  fields: {
    id: serverMade(),
    _id: serverMade({ from: 'id' }),
    ...ruleFields,
  },
  populate: ['event.params.channels', 'event.params.users'],
}

/** A change of a workflow, with the state that it led to. */
export const workflowChangeRecord: RecordSpec = {
  type: 'WorkflowChange',
  name: 'WorkflowVersion',
  fields: {
    number: serverMade(),
    at: serverMade(),
    kind: serverMade(),
    user: reference(() => userProfileRecord, { id: 'userId', object: 'by', serverMade: true }),
    comment: serverMade(),
    restoredFrom: serverMade(),
    name: serverMade(),
    organizations: serverMade(),
    organizationTags: serverMade(),
    ruleCount: serverMade(),
  },
  populate: ['user'],
}

/** The same with the rules. */
export const workflowVersionRecord: RecordSpec = {
  ...workflowChangeRecord,
  name: 'WholeWorkflowVersion',
  fields: { ...workflowChangeRecord.fields, rules: embedded({ id: serverMade(), ...ruleFields }) },
  populate: ['user', 'rules.event.params.channels', 'rules.event.params.users'],
}

/** The event of a triggered rule (4.5). */
export const ruleEventRecord: RecordSpec = {
  type: 'RuleEvent',
  name: 'TriggeredEvent',
  fields: { type: value(), params: value() },
  populate: [],
}
