import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { File, sharedFiles } from './file.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: 't.name', sortable: true },
  url: { kind: 'text', sql: 't.url' },
  attachment: { kind: 'id', sql: 't.attachment_id' },
  fileType: { kind: 'text', sql: 't.file_type', sortable: true },
  size: { kind: 'int', sql: 't.size', sortable: true },
  tags: { kind: 'textArray', sql: 't.tags' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const fileList: ListDefinition = {
  table: sharedFiles.table,
  visible: sharedFiles.visible,
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const FileFilter = filterInput('FileFilter', fields)
export const FileOrder = orderInput('File', fields)
export const FileConnection = connectionType('File', () => File)
