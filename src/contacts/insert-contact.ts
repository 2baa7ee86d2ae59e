import type { Sql } from '../db/database.js'
import { tenantColumns, type OrganizationPath } from '../db/tenancy.js'
import { Unprocessable } from '../errors.js'
import { isUniqueViolation } from '../limits/idempotency.js'
import type { JsonObject } from '../json.js'
import { camelRow } from '../lists/rows.js'
import type { Contact } from './contact.js'
import type { StoredProfile } from './contact-profile.js'

/** A consumer is one contact in an organization; `details` name it and its newest conversation (open points). */
export class ContactExists extends Unprocessable {
  constructor(readonly existing: ExistingContact) {
    const { contact, conversation, identifier } = existing
    super(`a contact with this ${identifier} already exists: ${contact}`, {
      field: `profile.${identifier}`,
      contact,
      ...(conversation && { conversation }),
    })
  }
}

export interface ExistingContact {
  contact: string
  /** Its newest. */
  conversation: string | null
  identifier: 'email' | 'telephone'
}

export interface NewContact {
  id: string
  /** Of the organization that it belongs to. */
  path: OrganizationPath
  /** Checked by `parseProfile`. */
  profile: StoredProfile
  /** Checked by `parseMeta`; null when none was given. */
  meta: JsonObject | null
  now: Date
  /** The consumer's network address, when the consumer itself writes in. */
  address?: string | null
}

/**
 * Inserts a contact. One statement, safe against two at once; the second waits for the first's commit.
 * @throws ContactExists when its email or telephone belongs to another contact of the organization. The transaction
 *   stays usable.
 */
export async function insertContact(sql: Sql, contact: NewContact): Promise<Contact> {
  const { organizationId, org1, org2, org3 } = tenantColumns(contact.path)
  const { profile } = contact
  const rows = await sql.query<Record<string, unknown>>(
    INSERT,
    [
      contact.id,
      organizationId,
      org1,
      org2,
      org3,
      contact.now,
      JSON.stringify(profile),
      profile.email ?? null,
      profile.telephone ?? null,
      contact.meta && JSON.stringify(contact.meta),
      contact.address ?? null,
    ],
    'insert-contact',
  )
  if (rows[0]) return camelRow<Contact>(rows[0])
  const existing = await findSameContact(sql, { organizationId, profile })
  if (existing) throw new ContactExists(existing)
  throw new Error(`contact ${contact.id} was not inserted, and none has its identifiers`)
}

/** Another contact of the organization with one of the profile's identifiers: by email first. */
export async function findSameContact(
  sql: Sql,
  wanted: { organizationId: string; profile: StoredProfile; besides?: string },
): Promise<ExistingContact | null> {
  const { email, telephone } = wanted.profile
  if (!email && !telephone) return null
  const rows = await sql.query<ExistingContact>(
    `select t.id as contact, case when t.email = $2 then 'email' else 'telephone' end as identifier,
       (select c.id from conversation c where c.contact_id = t.id order by c.id desc limit 1) as conversation
     from contact t where t.organization_id = $1 and (t.email = $2 or t.telephone = $3) and t.id is distinct from $4
     order by t.email = $2 desc nulls last limit 1`,
    [wanted.organizationId, email ?? null, telephone ?? null, wanted.besides ?? null],
  )
  return rows[0] ?? null
}

/** True for what an update throws when another contact took the identifier meanwhile. */
export function isContactConflict(error: unknown): boolean {
  return isUniqueViolation(error, 'contact_email') || isUniqueViolation(error, 'contact_telephone')
}

const INSERT = `
insert into contact (id, organization_id, org1, org2, org3, created_at, updated_at, profile, email, telephone, meta,
  address)
values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11)
on conflict do nothing returning *`
