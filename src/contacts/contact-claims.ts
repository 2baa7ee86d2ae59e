import type { Sql } from '../db/database.js'
import type { StoredProfile } from './contact-profile.js'
import { findSameContact } from './insert-contact.js'

const IDENTIFIERS = ['email', 'telephone'] as const

/** Identifiers that a consumer says are its own; nobody has proved it. */
export type Claims = Pick<StoredProfile, (typeof IDENTIFIERS)[number]>

export interface SettledClaims {
  /** The profile with those that nobody else has. */
  profile: StoredProfile
  /** Those that are another contact's, or would replace one that this contact has. */
  claims: Claims
  /** Contacts that have a claimed one. */
  others: string[]
}

/**
 * What a consumer says of itself, put into its profile as far as nobody could lose by it: an identifier of another
 * contact, or other than the one that is known, is only a claim. Agents see claims in `meta._claims`, and merge by hand.
 * @param said checked by `parseProfile`
 */
export async function settleClaims(
  sql: Sql,
  { organizationId, id, profile: stored }: { organizationId: string; id: string; profile: StoredProfile },
  said: StoredProfile,
): Promise<SettledClaims> {
  const profile: StoredProfile = { ...stored, ...said }
  const claims: Claims = {}
  const others = new Set<string>()
  for (const key of IDENTIFIERS) {
    const value = said[key]
    if (value === undefined || value === stored[key]) continue
    const other = await findSameContact(sql, { organizationId, profile: { [key]: value }, besides: id })
    if (other) others.add(other.contact)
    if (!other && stored[key] === undefined) continue
    claims[key] = value
    if (stored[key] === undefined) delete profile[key]
    else profile[key] = stored[key]
  }
  return { profile, claims, others: [...others] }
}

/** A contact as it sees itself: what it said stands, whoever else has it. */
export function profileAsClaimed({ profile, meta }: { profile: StoredProfile; meta: object | null }): StoredProfile {
  const claims = (meta as { _claims?: Claims } | null)?._claims
  return claims ? { ...profile, ...claims } : profile
}
