import { columnName, columnsShown } from '../../platform/db/columns.js'
import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { rowSearch } from '../../platform/lists/text-search.js'
import { columnFields } from '../../platform/lists/column-fields.js'
import { CONTACT_COLUMNS } from './contact-columns.js'
import { Contact, ContactStatusEnum } from './contact.js'
import { ADDRESS_TEXTS, PROFILE_TEXTS } from './contact-profile.js'

export const contactWords = (alias: string, query: string): string => `contact_document(${alias}.profile) @@ ${query}`

/** Searches contacts by names, company, email, telephone and place. */
export const contactSearch = rowSearch('contact', contactWords)

/** Identifiers have indexed columns of their own. */
const COLUMNS: Readonly<Record<string, string>> = { email: 't.email', telephone: 't.telephone' }

const addressFields: FilterFields = Object.fromEntries(
  ADDRESS_TEXTS.map((key) => [key, { kind: 'text', sql: `(t.profile -> 'address' ->> '${key}')` }]),
)
const profileFields: FilterFields = {
  ...Object.fromEntries(
    PROFILE_TEXTS.map((key) => [key, { kind: 'text', sql: COLUMNS[key] ?? `(t.profile ->> '${key}')` }]),
  ),
  address: { kind: 'nested', name: 'ContactAddressFilter', sql: '{}', fields: addressFields },
}

const fields: FilterFields = {
  ...columnFields(CONTACT_COLUMNS, { status: ContactStatusEnum }),
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: "(t.profile ->> 'name')", sortable: true },
  profile: { kind: 'nested', name: 'ContactProfileFilter', sql: '{}', fields: profileFields },
  q: { kind: 'search', search: contactSearch },
  conversation: {
    kind: 'id',
    sql: 'v.id',
    via: 't.id in (select v.contact_id from conversation v where v.contact_id is not null and {})',
  },
}

export const contactList: ListDefinition = {
  table: 'contact',
  columns: [...columnsShown(CONTACT_COLUMNS, 'webhook'), 'version']
    .map((property) => `t.${columnName(property)}`)
    .join(', '),
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ContactFilter = filterInput('ContactFilter', fields)
export const ContactOrder = orderInput('Contact', fields)
export const ContactConnection = connectionType('Contact', () => Contact)
