import { connectionType, orderInput, OrderDirection } from '../lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../lists/filters.js'
import type { ListDefinition } from '../lists/list-page.js'
import { rowSearch } from '../lists/text-search.js'
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
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  name: { kind: 'text', sql: "(t.profile ->> 'name')", sortable: true },
  email: { kind: 'text', sql: 't.email', sortable: true },
  telephone: { kind: 'text', sql: 't.telephone', sortable: true },
  profile: { kind: 'nested', name: 'ContactProfileFilter', sql: '{}', fields: profileFields },
  meta: { kind: 'json', sql: 't.meta' },
  q: { kind: 'search', search: contactSearch },
  status: { kind: 'text', sql: 't.status', values: ContactStatusEnum, sortable: true },
  conversation: {
    kind: 'id',
    sql: 'v.id',
    via: 't.id in (select v.contact_id from conversation v where v.contact_id is not null and {})',
  },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const contactList: ListDefinition = {
  table: 'contact',
  columns: 't.id, t.organization_id, t.org1, t.org2, t.org3, t.profile, t.meta, t.status, t.created_at, t.updated_at',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ContactFilter = filterInput('ContactFilter', fields)
export const ContactOrder = orderInput('Contact', fields)
export const ContactConnection = connectionType('Contact', () => Contact)
