import { reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** 2.7. Clients that create with `_id` read it back. */
export const workflowRecord: RecordSpec = {
  type: 'Workflow',
  fields: {
    id: serverMade(),
    _id: serverMade({ from: 'id' }),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    organizations: value(),
    organizationTags: value(),
    rules: value(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

/** 2.7. */
export const workflowRuleRecord: RecordSpec = {
  type: 'WorkflowRule',
  name: 'Rule',
  fields: {
    id: serverMade(),
    _id: serverMade({ from: 'id' }),
    conditions: value(),
    event: value(),
    priority: value(),
  },
  populate: [],
}

/** The event of a triggered rule (4.5). */
export const ruleEventRecord: RecordSpec = {
  type: 'RuleEvent',
  name: 'TriggeredEvent',
  fields: { type: value(), params: value() },
  populate: [],
}
