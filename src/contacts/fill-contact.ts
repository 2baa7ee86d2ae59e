import { pathOf } from '../db/tenancy.js'
import type { Context } from '../context.js'
import { BadUserInput, NotFound, shown } from '../errors.js'
import type { Transact, WriteTx } from '../events/transact.js'
import type { Job, NewJob } from '../jobs/job.js'
import { payloadText, type JobKind } from '../jobs/job-runner.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { emitContact } from './contact-events.js'
import { countryOf } from './contact-organization.js'
import { ADDRESS_TEXTS, parseProfile, PROFILE_TEXTS, type StoredProfile } from './contact-profile.js'
import { Contact } from './contact.js'
import { ContactExists } from './insert-contact.js'
import { changeProfile, tellingMatches } from './update-contact.js'

/** Fills one field of a contact's profile; payload `{contact, field, value}`. */
export const CONTACT_FILL = 'contact.fill'

interface Fill {
  contact: string
  /** `email`, `address.city` … */
  field: string
  /** Null clears. */
  value: string | null
}

/** The job; those of one contact keep their order. */
export function fillContact({ contact, field, value }: Fill): NewJob {
  return { kind: CONTACT_FILL, key: `contact:${contact}`, payload: { contact, field, value } }
}

/** A value for one profile field as it is kept; null for an empty one, which clears. @throws BadUserInput */
export function parseProfileField(
  field: string,
  value: string,
  { at, country }: { at: string; country: string | null },
): string | null {
  if (!isProfileField(field)) throw new BadUserInput(at, `${at} ${shown(field)} is no field of a contact's profile`)
  const parsed = parseProfile(withField({}, field, value), 'profile', country)
  const [name, inner] = field.split('.') as [keyof StoredProfile, string?]
  const kept = inner ? parsed.address?.[inner as keyof StoredProfile['address']] : parsed[name]
  return (kept as string | undefined) ?? null
}

/**
 * Does the jobs. What the profile does not take, or another contact has, is left out; for the latter see
 * {@link tellingMatches}.
 */
export function createContactFiller(
  transact: Transact,
  systemContext: (requestId: string) => Context,
): JobKind {
  return {
    async handler(job: Job) {
      const contact = payloadText(job.payload, 'contact')
      const field = payloadText(job.payload, 'field')
      const fill: Fill = { contact, field, value: job.payload.value as string | null }
      const system = systemContext(job.id)
      try {
        await tellingMatches(system, transact, contact, (tx) => applyFill(system, tx, fill))
      } catch (error) {
        const isOver = error instanceof ContactExists || error instanceof BadUserInput || error instanceof NotFound
        if (!isOver) throw error
        system.log.info({ err: error, contact }, 'a value was not taken into the profile')
      }
    },
  }
}

async function applyFill(ctx: Context, tx: WriteTx, { contact: id, field, value }: Fill): Promise<void> {
  const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
  const country = await countryOf(tx, pathOf(contact))
  await changeProfile(tx, contact, parseProfile(withField(contact.profile, field, value), 'profile', country))
  contact.updatedAt = ctx.now()
  emitContact(tx, contact, 'updated')
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
