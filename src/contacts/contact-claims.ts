import type { Sql } from '../db/database.js'
import type { WriteTx } from '../events/transact.js'
import type { NewJob } from '../jobs/job.js'
import type { JsonObject } from '../json.js'
import { emitContact } from './contact-events.js'
import { CONTACT_RENAMED, CONTACT_CLAIMED } from './contact-jobs.js'
import type { StoredProfile } from './contact-profile.js'
import type { Contact } from './contact.js'
import { findSameContact } from './insert-contact.js'

const IDENTIFIERS = ['email', 'telephone'] as const

/** Identifiers that a consumer claims, without proof. */
export type Claims = Pick<StoredProfile, (typeof IDENTIFIERS)[number]>

export interface SettledClaims {
  /** The profile, including claimed identifiers that no other contact has. */
  profile: StoredProfile
  /**
   * All current claims that are not in the profile: they belong to other contacts, or differ from the known identifier.
   */
  claims: Claims
  /** Claims that differ from the previous ones. */
  news: Claims
  /** Contacts that have one of the new claims. */
  others: string[]
}

interface Claimant {
  organizationId: string
  id: string
  profile: StoredProfile
  meta: JsonObject | null
}

/**
 * Merges values provided by a consumer into the profile as far as that cannot harm anyone: an identifier of another
 * contact, or one that differs from the known identifier, is stored only as a claim. Agents see claims in
 * `meta._claims`, and merge contacts themselves. The consumer always sees the values it provided, so that nothing
 * reveals another contact.
 * @param said values validated by `parseProfile`
 */
export async function settleClaims(
  sql: Sql,
  { organizationId, id, profile: stored, meta }: Claimant,
  said: StoredProfile,
): Promise<SettledClaims> {
  const profile: StoredProfile = { ...stored, ...said }
  const earlier = claimsOf(meta)
  const claims: Claims = { ...earlier }
  const news: Claims = {}
  const others = new Set<string>()
  for (const key of IDENTIFIERS) {
    const value = said[key]
    if (value === undefined) continue
    if (value !== (earlier[key] ?? stored[key])) news[key] = value
    // The latest value wins; an earlier claim must not be shown instead of it.
    delete claims[key]
    if (value === stored[key]) continue
    const other = await findSameContact(sql, { organizationId, profile: { [key]: value }, except: id })
    if (other && news[key] !== undefined) others.add(other.contact)
    if (!other && stored[key] === undefined) continue
    claims[key] = value
    if (stored[key] === undefined) delete profile[key]
    else profile[key] = stored[key]
  }
  return { profile, claims, news, others: [...others] }
}

/**
 * Applies values that the consumer itself provided to a locked contact. All consumer input on a profile passes through
 * here.
 */
export async function applyClaims(tx: WriteTx, contact: Contact, said: StoredProfile, now: Date): Promise<void> {
  const { id } = contact
  const { profile, ...settled } = await settleClaims(tx, contact, said)
  if (profile.name !== contact.profile.name) {
    tx.addJob(CONTACT_RENAMED.create({ contact: id }, { key: `contact:${id}` }))
  }
  for (const job of jobsOfClaims(id, settled)) tx.addJob(job)
  contact.meta = metaWithClaims(contact.meta, settled.claims)
  contact.profile = profile
  contact.email = profile.email ?? null
  contact.telephone = profile.telephone ?? null
  contact.updatedAt = now
  emitContact(tx, contact, 'updated')
}

/**
 * Creates the job that notifies agents of new claims. Also for identifiers that nobody else has: if only shared ones
 * caused a message, the position of the consumer's next message would reveal another contact.
 */
export function jobsOfClaims(id: string, { news, others }: Pick<SettledClaims, 'news' | 'others'>): NewJob[] {
  if (Object.keys(news).length === 0) return []
  return [CONTACT_CLAIMED.create({ contact: id, said: { ...news }, others }, { key: `contact:${id}` })]
}

/** Returns the metadata with the claims; null if nothing is left. */
export function metaWithClaims(meta: JsonObject | null, claims: Claims): JsonObject | null {
  const { _claims, ...others } = meta ?? {}
  const next = Object.keys(claims).length > 0 ? { ...others, _claims: { ...claims } } : others
  return Object.keys(next).length > 0 || (meta !== null && _claims === undefined) ? next : null
}

function claimsOf(meta: object | null): Claims {
  return (meta as { _claims?: Claims } | null)?._claims ?? {}
}

/** Returns the profile as the contact itself sees it: with its own claims, whoever else has the identifiers. */
export function profileAsClaimed({ profile, meta }: { profile: StoredProfile; meta: object | null }): StoredProfile {
  return { ...profile, ...claimsOf(meta) }
}
