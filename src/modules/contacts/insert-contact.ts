import { columnName, sqlTypes } from '../../platform/db/columns.js'
import type { Sql } from '../../platform/db/database.js'
import { tenantColumns, type OrganizationPath } from '../../platform/db/tenancy.js'
import { Unprocessable } from '../../platform/errors.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import type { JsonObject } from '../../platform/json.js'
import { CONTACT_COLUMNS } from './contact-columns.js'
import type { Contact } from './contact.js'
import type { StoredProfile } from './contact-profile.js'

/**
 * Refuses a second contact for one consumer in an organization; `details` names the existing contact and its newest
 * conversation (open points).
 */
export class ContactExists extends Unprocessable {
  constructor(readonly existing: ExistingContact) {
    const { contact, conversation, identifier } = existing
    super(`a contact with this ${identifier} already exists: ${contact}`, {
      reason: 'CONTACT_EXISTS',
      field: `profile.${identifier}`,
      contact,
      ...(conversation && { conversation }),
    })
  }
}

export interface ExistingContact {
  contact: string
  /** Id of the contact's newest conversation. */
  conversation: string | null
  identifier: 'email' | 'telephone'
}

export interface NewContact {
  id: string
  /** Path of the organization that owns the contact. */
  path: OrganizationPath
  /** Validated by `parseProfile`. */
  profile: StoredProfile
  /** Validated by `parseMeta`; null if none was given. */
  meta: JsonObject | null
  now: Date
  /** The consumer's network address, if the consumer makes the request. */
  address?: string | null
}

/**
 * Inserts a contact. Safe for concurrent inserts; the second waits for the first to commit.
 * @throws ContactExists if its email or telephone belongs to another contact of the organization. The transaction
 *   remains usable.
 */
export async function insertContact(sql: Sql, contact: NewContact): Promise<ContactRow> {
  const refused = await insertContacts(sql, [contact])
  const existing = refused.get(contact.id)
  if (existing) throw new ContactExists(existing)
  return contactRowOf(contact)
}

/** A newly inserted contact. */
export type ContactRow = Pick<Contact, keyof typeof CONTACT_COLUMNS>

export function contactRowOf({ id, path, profile, meta, now, address }: NewContact): ContactRow {
  return {
    id,
    ...tenantColumns(path),
    createdAt: now,
    updatedAt: now,
    version: 1,
    profile,
    email: profile.email ?? null,
    telephone: profile.telephone ?? null,
    meta,
    status: 'active',
    address: address ?? null,
    erasingAt: null,
  }
}

/**
 * Inserts contacts with one statement. Contacts whose email or telephone belongs to another contact of the
 * organization, or to an earlier one in the list, are skipped. Waits for transactions that insert the same identifiers.
 * @returns the existing contact for each skipped one, by id
 */
export async function insertContacts(sql: Sql, contacts: readonly NewContact[]): Promise<Map<string, ExistingContact>> {
  if (contacts.length === 0) return new Map()
  const rows = JSON.stringify(contacts.map(contactRowOf))
  const inserted = new Set((await sql.query<{ id: string }>(INSERT, [rows], 'insert-contacts')).map(({ id }) => id))
  const left = contacts.filter(({ id }) => !inserted.has(id))
  const found = await Promise.all(
    left.map(async ({ id, path, profile }): Promise<[string, ExistingContact]> => {
      const { organizationId } = tenantColumns(path)
      const existing = await findSameContact(sql, { organizationId, profile })
      if (existing) return [id, existing]
      throw new Error(`contact ${id} was not inserted, and none has its identifiers`)
    }),
  )
  return new Map(found)
}

/** Finds another contact of the organization with one of the profile's identifiers, by email first. */
export async function findSameContact(
  sql: Sql,
  wanted: { organizationId: string; profile: StoredProfile; except?: string },
): Promise<ExistingContact | null> {
  const { email, telephone } = wanted.profile
  if (!email && !telephone) return null
  const rows = await sql.query<ExistingContact>(
    `select t.id as contact, case when t.email = $2 then 'email' else 'telephone' end as identifier,
       (select c.id from conversation c where c.contact_id = t.id order by c.id desc limit 1) as conversation
     from contact t where t.organization_id = $1 and (t.email = $2 or t.telephone = $3) and t.id is distinct from $4
     order by t.email = $2 desc nulls last limit 1`,
    [wanted.organizationId, email ?? null, telephone ?? null, wanted.except ?? null],
  )
  return rows[0] ?? null
}

/** Tells whether an update failed because another contact took the identifier. */
export function isContactConflict(error: unknown): boolean {
  return isUniqueViolation(error, 'contact_email') || isUniqueViolation(error, 'contact_telephone')
}

const COLUMNS = sqlTypes(CONTACT_COLUMNS, () => true)
const properties = Object.keys(COLUMNS)
const quoted = (prefix: string): string => properties.map((property) => `${prefix}"${property}"`).join(', ')

// In a fixed order, so that transactions that insert the same identifiers rarely deadlock.
const INSERT = `
insert into contact (${properties.map(columnName).join(', ')})
select ${quoted('x.')}
from rows from (
  jsonb_to_recordset($1::jsonb) as (${properties.map((property) => `"${property}" ${COLUMNS[property]}`).join(', ')})
) with ordinality as x(${quoted('')}, place)
order by x.email, x.telephone, x.place
on conflict do nothing returning id`
