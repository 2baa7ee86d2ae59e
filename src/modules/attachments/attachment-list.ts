import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Attachment } from './attachment.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  fileName: { kind: 'text', sql: 't.file_name', sortable: true },
  fileType: { kind: 'text', sql: 't.file_type', sortable: true },
  size: { kind: 'int', sql: 't.size', sortable: true },
  sha256: { kind: 'text', sql: 't.sha256' },
  tags: { kind: 'textArray', sql: 't.tags' },
  user: { kind: 'id', sql: 't.user_id' },
  contact: { kind: 'id', sql: 't.contact_id' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const attachmentList: ListDefinition = {
  table: 'attachment',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const AttachmentFilter = filterInput('AttachmentFilter', fields)
export const AttachmentOrder = orderInput('Attachment', fields)
export const AttachmentConnection = connectionType('Attachment', () => Attachment)
