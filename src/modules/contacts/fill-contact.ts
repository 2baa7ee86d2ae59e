import { defineJob, type JobKind } from '../../platform/jobs/job-type.js'
import { pathOf } from '../../platform/db/tenancy.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput, NotFound, quoteValue } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { NewJob } from '../../platform/jobs/job.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { applyUnverified } from './unverified-identifiers.js'
import { emitContact } from './contact-events.js'
import { countryOf } from './contact-organization.js'
import { ADDRESS_TEXTS, parseProfile, PROFILE_TEXTS, type StoredProfile } from './contact-profile.js'
import { noteContactChange, noted } from './note-contact-change.js'
import { Contact, requireKept } from './contact.js'
import { ContactExists } from './insert-contact.js'
import { changeProfile, reportingMatches } from './update-contact.js'

interface Fill {
  contact: string
  /** Profile field: `email`, `address.city` … */
  field: string
  /** Null clears the field. */
  value: string | null
  /**
   * True if the consumer, or a user who may not change contacts, provided the value: then it is unverified, see
   * `applyUnverified`.
   */
  isUnverified: boolean
  /** The user who provided it; absent: the consumer. */
  by?: string
}

/** Fills one field of a contact's profile. */
export const CONTACT_FILL = defineJob<Fill>('contact.fill', {
  contact: 'string',
  field: 'string',
  value: 'any',
  isUnverified: 'boolean',
})

/** Creates the job; jobs of one contact keep their order. */
export function fillContact(fill: Fill): NewJob {
  return CONTACT_FILL.create(fill, { key: `contact:${fill.contact}` })
}

/** Parses the value of a profile field; null for an empty value, which clears. @throws BadUserInput */
export function parseProfileField(
  field: string,
  value: string,
  { at, country }: { at: string; country: string | null },
): string | null {
  if (!isProfileField(field))
    throw new BadUserInput(at, `${at} ${quoteValue(field)} is not a field of a contact's profile`)
  const parsed = parseProfile(withField({}, field, value), 'profile', country)
  const [name, inner] = field.split('.') as [keyof StoredProfile, string?]
  const kept = inner ? parsed.address?.[inner as keyof StoredProfile['address']] : parsed[name]
  return (kept as string | undefined) ?? null
}

/**
 * Creates the handler of the jobs. Skips values that the profile refuses or that belong to another contact; for the
 * latter see {@link reportingMatches}.
 */
export function createContactFiller(transact: Transact, systemContext: (requestId: string) => Context): JobKind<Fill> {
  return {
    async handler({ id, payload: fill }) {
      const { contact } = fill
      const system = systemContext(id)
      try {
        await reportingMatches(system, transact, contact, (tx) => applyFill(system, tx, fill))
      } catch (error) {
        const isOver = error instanceof ContactExists || error instanceof BadUserInput || error instanceof NotFound
        if (!isOver) throw error
        system.log.info({ err: error, contact }, 'failed to fill a profile field')
      }
    },
  }
}

async function applyFill(
  ctx: Context,
  tx: WriteTx,
  { contact: id, field, value, isUnverified, by }: Fill,
): Promise<void> {
  const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
  requireKept(contact)
  const before = noted(contact)
  const provider = by === undefined ? 'contact' : { user: by }
  const country = await countryOf(tx, pathOf(contact))
  const profile = parseProfile(withField(contact.profile, field, value), 'profile', country)
  if (isUnverified)
    return applyUnverified(tx, withoutCleared(contact, profile), profile, { at: ctx.now(), before, by: provider })
  await changeProfile(tx, contact, profile)
  markChanged(contact, ctx.now())
  await noteContactChange(tx, contact, { before, at: ctx.now(), by: provider })
  emitContact(tx, contact, 'updated')
}

/** Applies cleared fields, except for identifiers, which a consumer cannot clear. */
function withoutCleared(contact: Contact, profile: StoredProfile): Contact {
  const { email, telephone } = contact.profile
  contact.profile = { ...profile, email, telephone }
  for (const key of ['email', 'telephone'] as const) if (contact.profile[key] === undefined) delete contact.profile[key]
  return contact
}

function isProfileField(field: string): boolean {
  const [name, inner, ...more] = field.split('.')
  if (inner === undefined) return PROFILE_TEXTS.includes(name as never)
  return name === 'address' && more.length === 0 && ADDRESS_TEXTS.includes(inner as never)
}

function withField(profile: StoredProfile, field: string, value: string | null): object {
  const [name, inner] = field.split('.') as [string, string?]
  return inner ? { ...profile, address: { ...profile.address, [inner]: value } } : { ...profile, [name]: value }
}
