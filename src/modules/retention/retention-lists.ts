import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { RetentionPolicy, RetentionSubjectEnum } from './retention-policy.js'
import { RetentionRun, RetentionRunStatusEnum } from './retention-run.js'

const OF_BOTH = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  subject: { kind: 'text', sql: 't.subject', values: RetentionSubjectEnum },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
} as const satisfies FilterFields

const policyFields: FilterFields = {
  ...OF_BOTH,
  endsAt: { kind: 'time', sql: 't.ends_at' },
}
const runFields: FilterFields = {
  ...OF_BOTH,
  policy: { kind: 'id', sql: 't.policy_id' },
  status: { kind: 'text', sql: 't.status', values: RetentionRunStatusEnum },
}
const NEWEST = [{ field: 'id', direction: OrderDirection.DESC }]

export const retentionPolicyList: ListDefinition = {
  table: 'retention_policy',
  fields: policyFields,
  defaultOrder: NEWEST,
}
export const RetentionPolicyFilter = filterInput('RetentionPolicyFilter', policyFields)
export const RetentionPolicyOrder = orderInput('RetentionPolicy', policyFields)
export const RetentionPolicyConnection = connectionType('RetentionPolicy', () => RetentionPolicy)

export const retentionRunList: ListDefinition = { table: 'retention_run', fields: runFields, defaultOrder: NEWEST }
export const RetentionRunFilter = filterInput('RetentionRunFilter', runFields)
export const RetentionRunOrder = orderInput('RetentionRun', runFields)
export const RetentionRunConnection = connectionType('RetentionRun', () => RetentionRun)
