import { connectionType, OrderDirection, orderInput } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { AuditEntry } from './audit-types.js'

const fields: FilterFields = {
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  action: { kind: 'text', sql: 't.action' },
  actor: { kind: 'text', sql: "(t.actor ->> 'id')" },
  object: { kind: 'text', sql: "(t.object ->> 'id')" },
  objectType: { kind: 'text', sql: "(t.object ->> 'type')" },
  at: { kind: 'time', sql: 't.at', sortable: true },
}

/** Entries of the caller's organization and those below, the newest first. */
export const auditEntryList: ListDefinition = {
  table: 'audit_entry',
  fields,
  defaultOrder: [{ field: 'at', direction: OrderDirection.DESC }],
  columns: 't.id, t.organization_id, t.number, t.at, t.action, t.actor, t.object, t.details, t.hash',
}
export const AuditEntryFilter = filterInput('AuditEntryFilter', fields)
export const AuditEntryOrder = orderInput('AuditEntry', fields)
export const AuditEntryConnection = connectionType('AuditEntry', () => AuditEntry)
