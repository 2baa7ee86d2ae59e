import type { Sql } from '../../platform/db/database.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { NewJob } from '../../platform/jobs/job.js'
import type { JsonObject } from '../../platform/json.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { emitContact } from './contact-events.js'
import { CONTACT_RENAMED, IDENTIFIER_GIVEN } from './contact-jobs.js'
import type { StoredProfile } from './contact-profile.js'
import { requireKept, type Contact } from './contact.js'
import { noteContactChange, noted, type ContactChange } from './note-contact-change.js'
import { findSameContact } from './insert-contact.js'

const IDENTIFIERS = ['email', 'telephone'] as const

/** Identifiers that a consumer gave, without proof. */
export type UnverifiedIdentifiers = Pick<StoredProfile, (typeof IDENTIFIERS)[number]>

export interface SettledIdentifiers {
  /** The profile, including given identifiers that no other contact has. */
  profile: StoredProfile
  /**
   * All unverified identifiers that are not in the profile: they belong to other contacts, or differ from the known identifier.
   */
  unverified: UnverifiedIdentifiers
  /** UnverifiedIdentifiers that differ from the previous ones. */
  news: UnverifiedIdentifiers
  /** Contacts that have one of the new ones. */
  others: string[]
}

interface IdentifiedContact {
  organizationId: string
  id: string
  profile: StoredProfile
  meta: JsonObject | null
}

/**
 * Merges values provided by a consumer into the profile as far as that cannot harm anyone: an identifier of another
 * contact, or one that differs from the known identifier, is stored only as unverified. Agents see those in
 * `meta._unverified`, and merge contacts themselves. The consumer always sees the values it provided, so that nothing
 * reveals another contact.
 * @param said values validated by `parseProfile`
 */
export async function settleIdentifiers(
  sql: Sql,
  { organizationId, id, profile: stored, meta }: IdentifiedContact,
  said: StoredProfile,
): Promise<SettledIdentifiers> {
  const profile: StoredProfile = { ...stored, ...said }
  const earlier = unverifiedOf(meta)
  const unverified: UnverifiedIdentifiers = { ...earlier }
  const news: UnverifiedIdentifiers = {}
  const others = new Set<string>()
  for (const key of IDENTIFIERS) {
    const value = said[key]
    if (value === undefined) continue
    if (value !== (earlier[key] ?? stored[key])) news[key] = value
    // The latest value wins; an earlier one must not be shown instead of it.
    delete unverified[key]
    if (value === stored[key]) continue
    const other = await findSameContact(sql, { organizationId, profile: { [key]: value }, except: id })
    if (other && news[key] !== undefined) others.add(other.contact)
    if (!other && stored[key] === undefined) continue
    unverified[key] = value
    if (stored[key] === undefined) delete profile[key]
    else profile[key] = stored[key]
  }
  return { profile, unverified, news, others: [...others] }
}

/**
 * Applies values that the consumer itself provided to a locked contact. All consumer input on a profile passes through
 * here.
 */
export async function applyUnverified(
  tx: WriteTx,
  contact: Contact,
  said: StoredProfile,
  change: Pick<ContactChange, 'at' | 'by'> & Partial<ContactChange>,
): Promise<void> {
  requireKept(contact)
  const before = change.before ?? noted(contact)
  const { id } = contact
  const { profile, ...settled } = await settleIdentifiers(tx, contact, said)
  if (profile.name !== contact.profile.name) {
    tx.addJob(CONTACT_RENAMED.create({ contact: id }, { key: `contact:${id}` }))
  }
  for (const job of jobsOfUnverified(id, settled)) tx.addJob(job)
  contact.meta = metaWithUnverified(contact.meta, settled.unverified)
  contact.profile = profile
  contact.email = profile.email ?? null
  contact.telephone = profile.telephone ?? null
  markChanged(contact, change.at)
  await noteContactChange(tx, contact, { ...change, before })
  emitContact(tx, contact, 'updated')
}

/**
 * Creates the job that notifies agents of new unverified identifiers. Also for identifiers that nobody else has: if only shared ones
 * caused a message, the position of the consumer's next message would reveal another contact.
 */
export function jobsOfUnverified(id: string, { news, others }: Pick<SettledIdentifiers, 'news' | 'others'>): NewJob[] {
  if (Object.keys(news).length === 0) return []
  return [IDENTIFIER_GIVEN.create({ contact: id, said: { ...news }, others }, { key: `contact:${id}` })]
}

/** Returns the metadata with the unverified identifiers; null if nothing is left. */
export function metaWithUnverified(meta: JsonObject | null, unverified: UnverifiedIdentifiers): JsonObject | null {
  const { _unverified, ...others } = meta ?? {}
  const next = Object.keys(unverified).length > 0 ? { ...others, _unverified: { ...unverified } } : others
  return Object.keys(next).length > 0 || (meta !== null && _unverified === undefined) ? next : null
}

function unverifiedOf(meta: object | null): UnverifiedIdentifiers {
  return (meta as { _unverified?: UnverifiedIdentifiers } | null)?._unverified ?? {}
}

/** Returns the profile as the contact itself sees it: with all that it gave, whoever else has the identifiers. */
export function profileAsGiven({ profile, meta }: { profile: StoredProfile; meta: object | null }): StoredProfile {
  return { ...profile, ...unverifiedOf(meta) }
}
