import { emitContact } from '../contacts/contact-events.js'
import { countryOf } from '../contacts/contact-organization.js'
import { parseProfile, type StoredProfile } from '../contacts/contact-profile.js'
import { insertContact } from '../contacts/insert-contact.js'
import type { WritingDraft } from '../conversations/writing/writing-draft.js'
import type { Sql } from '../db/database.js'
import { pathOf } from '../db/tenancy.js'
import { BadUserInput } from '../errors.js'
import { seeContact } from '../presence/contact-presence.js'
import type { TouchpointService } from './adapter.js'
import type { Consumer } from './inbound-message.js'

export interface KnownContact {
  id: string
  name: string | null
  email: string | null
  telephone: string | null
  isBlocked: boolean
}

/** Identifiers of a consumer, in the form in which contacts store them. */
export interface Identity {
  handle: string | null
  profile: StoredProfile
}

const HANDLE_CHARS_MAX = 500
const NAME_CHARS_MAX = 250

/**
 * Normalizes a sender's identifiers. An invalid one, such as a sender's name in place of a number, becomes the handle.
 * @throws BadUserInput when no identifier is left
 */
export async function identityOf(sql: Sql, service: TouchpointService, from: Consumer): Promise<Identity> {
  const country = from.telephone ? await countryOf(sql, pathOf(service)) : null
  const name = from.name
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed()
  const profile: StoredProfile = name ? { name } : {}
  let { handle } = from
  for (const key of ['email', 'telephone'] as const) {
    if (!from[key]) continue
    try {
      profile[key] = parseProfile({ [key]: from[key] }, 'from', country)[key]
    } catch (error) {
      if (!(error instanceof BadUserInput)) throw error
      handle ??= from[key]
    }
  }
  if (handle === undefined && !profile.email && !profile.telephone) {
    throw new BadUserInput('from', 'from needs a handle, an email or a telephone')
  }
  return { handle: handle?.slice(0, HANDLE_CHARS_MAX).toWellFormed() ?? null, profile }
}

/**
 * Finds the sender among the contacts of the service's organization: by the service's handle, then email, then
 * telephone.
 */
export async function findContact(sql: Sql, service: TouchpointService, who: Identity): Promise<KnownContact | null> {
  const rows = await sql.query<KnownContact>(
    `with found as (
       select contact_id as id, 1 as rank from contact_handle where service_id = $1 and address = $2
       union all select id, 2 from contact where organization_id = $3 and email = $4
       union all select id, 3 from contact where organization_id = $3 and telephone = $5
     )
     select t.id, t.profile ->> 'name' as name, t.email, t.telephone, t.status = 'blocked' as "isBlocked"
     from found f join contact t on t.id = f.id order by f.rank limit 1`,
    [service.id, who.handle, service.organizationId, who.profile.email ?? null, who.profile.telephone ?? null],
  )
  return rows[0] ?? null
}

/** @throws ContactExists when a concurrent message has created it */
export async function makeContact(
  draft: WritingDraft,
  service: TouchpointService,
  { profile }: Identity,
): Promise<KnownContact> {
  const contact = await insertContact(draft.sql, {
    id: draft.clock.newId(),
    path: pathOf(service),
    profile,
    meta: null,
    now: draft.now,
  })
  emitContact(draft, contact, 'created')
  const { id, email, telephone } = contact
  return { id, name: profile.name ?? null, email, telephone, isBlocked: false }
}

/**
 * Stores the contact's handle at the service and updates when it was last seen. @returns false when the handle belongs
 * to another contact
 */
export async function noteContact(
  draft: WritingDraft,
  service: TouchpointService,
  { contact, handle }: { contact: string; handle: string | null },
): Promise<boolean> {
  await seeContact(draft.sql, contact, service.type)
  if (handle === null) return true
  const rows = await draft.sql.query<{ contact_id: string }>(
    `insert into contact_handle as h (service_id, address, contact_id, created_at) values ($1, $2, $3, $4)
     on conflict (service_id, address) do update set contact_id = h.contact_id returning contact_id`,
    [service.id, handle, contact, draft.now],
  )
  return rows[0]!.contact_id === contact
}
