import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { ContactErasure, ContactErasureStatusEnum, ErasureReasonEnum } from './contact-erasure.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  contact: { kind: 'id', sql: 't.contact_id' },
  status: { kind: 'text', sql: 't.status', values: ContactErasureStatusEnum },
  reason: { kind: 'text', sql: 't.reason', values: ErasureReasonEnum },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
  finishedAt: { kind: 'time', sql: 't.finished_at' },
}

export const contactErasureList: ListDefinition = {
  table: 'erasure',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}
export const ContactErasureFilter = filterInput('ContactErasureFilter', fields)
export const ContactErasureOrder = orderInput('ContactErasure', fields)
export const ContactErasureConnection = connectionType('ContactErasure', () => ContactErasure)
