import { connectionType, OrderDirection } from '../../../platform/lists/connection.js'
import type { FilterFields } from '../../../platform/lists/filters.js'
import type { ListDefinition } from '../../../platform/lists/list-page.js'
import { ContactExport } from './contact-export.js'

const fields: FilterFields = { id: { kind: 'id', sql: 't.id', sortable: true } }

/** Exports of one contact, newest first. */
export const contactExportList: ListDefinition = {
  table: 'contact_export',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}

export const ContactExportConnection = connectionType('ContactExport', () => ContactExport)
