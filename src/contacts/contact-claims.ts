import type { Sql } from '../db/database.js'
import type { WriteTx } from '../events/transact.js'
import type { NewJob } from '../jobs/job.js'
import type { JsonObject } from '../json.js'
import { emitContact } from './contact-events.js'
import { CONTACT_RENAMED, CONTACT_SAID } from './contact-jobs.js'
import type { StoredProfile } from './contact-profile.js'
import type { Contact } from './contact.js'
import { findSameContact } from './insert-contact.js'

const IDENTIFIERS = ['email', 'telephone'] as const

/** Identifiers that a consumer says are its own; nobody has proved it. */
export type Claims = Pick<StoredProfile, (typeof IDENTIFIERS)[number]>

export interface SettledClaims {
  /** The profile with those that nobody else has. */
  profile: StoredProfile
  /** All that it claims by now and that is not in its profile: those of other contacts, or beside one that it has. */
  claims: Claims
  /** What it had not said last. */
  news: Claims
  /** Contacts that have one of the news. */
  others: string[]
}

interface Speaker {
  organizationId: string
  id: string
  profile: StoredProfile
  meta: JsonObject | null
}

/**
 * What a consumer says of itself, put into its profile as far as nobody could lose by it: an identifier of another
 * contact, or other than the one that is known, is only a claim. Agents see claims in `meta._claims`, and merge by hand.
 * What the consumer sees of itself afterwards is what it said, whoever else has it: nothing tells it of another contact.
 * @param said checked by `parseProfile`
 */
export async function settleClaims(
  sql: Sql,
  { organizationId, id, profile: stored, meta }: Speaker,
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
    // Said last, it stands: an earlier claim would show instead.
    delete claims[key]
    if (value === stored[key]) continue
    const other = await findSameContact(sql, { organizationId, profile: { [key]: value }, besides: id })
    if (other && news[key] !== undefined) others.add(other.contact)
    if (!other && stored[key] === undefined) continue
    claims[key] = value
    if (stored[key] === undefined) delete profile[key]
    else profile[key] = stored[key]
  }
  return { profile, claims, news, others: [...others] }
}

/** Has a locked contact say something of itself: the one way in for whatever a consumer says of who it is. */
export async function hearContact(tx: WriteTx, contact: Contact, said: StoredProfile, now: Date): Promise<void> {
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
 * Agents are told of each identifier that a consumer says, also of one that nobody else has: a message that came for
 * others' only would show the consumer, by the place of its next one, that there is another contact.
 */
export function jobsOfClaims(id: string, { news, others }: Pick<SettledClaims, 'news' | 'others'>): NewJob[] {
  if (Object.keys(news).length === 0) return []
  return [CONTACT_SAID.create({ contact: id, said: { ...news }, others }, { key: `contact:${id}` })]
}

/** Null when there is nothing in it. */
export function metaWithClaims(meta: JsonObject | null, claims: Claims): JsonObject | null {
  const { _claims, ...others } = meta ?? {}
  const next = Object.keys(claims).length > 0 ? { ...others, _claims: { ...claims } } : others
  return Object.keys(next).length > 0 || (meta !== null && _claims === undefined) ? next : null
}

function claimsOf(meta: object | null): Claims {
  return (meta as { _claims?: Claims } | null)?._claims ?? {}
}

/** A contact as it sees itself: what it said stands, whoever else has it. */
export function profileAsClaimed({ profile, meta }: { profile: StoredProfile; meta: object | null }): StoredProfile {
  return { ...profile, ...claimsOf(meta) }
}
