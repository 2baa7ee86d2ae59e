import { emitContact } from '../contacts/contact-events.js'
import { countryOf } from '../contacts/contact-organization.js'
import { parseProfile, type StoredProfile } from '../contacts/contact-profile.js'
import {
  ContactExists,
  contactRowOf,
  insertContacts,
  type ExistingContact,
  type NewContact,
} from '../contacts/insert-contact.js'
import type { JointWrite } from '../conversations/state/shared-reads.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import { batchingOn } from '../../platform/db/batching.js'
import type { Sql } from '../../platform/db/database.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput } from '../../platform/errors.js'
import type { ReplyWindow } from '../services/service-kinds.js'
import { seeContacts, type SeenContact } from '../../platform/presence/contact-presence.js'
import type { TouchpointService } from './adapter.js'
import { unblockMailAddress } from './block-address.js'
import type { Consumer } from './inbound-message.js'

export interface KnownContact {
  id: string
  name: string | null
  email: string | null
  telephone: string | null
  isBlocked: boolean
  /** Other contacts that have one of the sender's addresses: by the provider's word the same person. */
  others?: readonly string[]
}

/** More contacts of one sender are a mistake of another kind. */
const SAME_SENDER_MAX = 4

/** Identifiers of a consumer, in the form in which contacts store them. */
export interface Identity {
  handle: string | null
  alsoHandles: readonly string[]
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
  const stored = (given: string): string => given.slice(0, HANDLE_CHARS_MAX).toWellFormed()
  return {
    handle: handle === undefined ? null : stored(handle),
    alsoHandles: (from.alsoHandles ?? []).map(stored),
    profile,
  }
}

/**
 * Finds the sender among the contacts of the service's organization: by the service's handle, then email, then
 * telephone.
 */
export async function findContact(sql: Sql, service: TouchpointService, who: Identity): Promise<KnownContact | null> {
  const handles = [who.handle, ...who.alsoHandles].filter((each) => each !== null)
  const { email = null, telephone = null } = who.profile
  const rows = await findSender(sql, {
    service: service.id,
    organization: service.organizationId,
    handles,
    email,
    telephone,
  })
  const [first] = rows
  if (!first) return null
  const others = [...new Set(rows.map(({ id }) => id))].filter((id) => id !== first.id)
  return { ...first, ...(others.length > 0 && { others }) }
}

interface Sender {
  service: string
  organization: string
  handles: string[]
  email: string | null
  telephone: string | null
}

const findSender = batchingOn<Sender, KnownContact[]>(async (sql, senders) => {
  const rows = await sql.query<KnownContact & { place: number }>(
    `select x.place::int as place, t.id, t.name, t.email, t.telephone, t."isBlocked" from rows from (jsonb_to_recordset($1::jsonb) as (service uuid, organization uuid, handles text[],
       email text, telephone text)) with ordinality as x(service, organization, handles, email, telephone, place)
     cross join lateral (
       with found as (
         select h.contact_id as id, n.rank from unnest(x.handles) with ordinality as n(address, rank)
           -- By the whole key, whatever the plan: a service may have many handles.
           cross join lateral (select contact_id from contact_handle
             where service_id = x.service and address = n.address limit 1) h
         union all select id, 98 from contact where organization_id = x.organization and email = x.email
         union all select id, 99 from contact where organization_id = x.organization and telephone = x.telephone
       )
       select t.id, t.profile ->> 'name' as name, t.email, t.telephone, t.status = 'blocked' as "isBlocked"
       from found f join contact t on t.id = f.id where t.erasing_at is null order by f.rank limit ${SAME_SENDER_MAX}
     ) t`,
    [JSON.stringify(senders)],
    'find-sender',
  )
  return senders.map((_sender, index) =>
    rows.filter(({ place }) => place === index + 1).map(({ place: _place, ...contact }) => contact),
  )
})

/** @returns the existing contact in place of each that was not inserted */
const insertTogether: JointWrite<NewContact, ExistingContact | undefined> = async (sql, contacts) => {
  const existing = await insertContacts(sql, contacts)
  return contacts.map(({ id }) => existing.get(id))
}

/** @throws ContactExists when a concurrent message has created it */
export async function makeContact(
  change: WritingChange,
  service: TouchpointService,
  { profile }: Identity,
): Promise<KnownContact> {
  const newContact = { id: change.clock.newId(), path: pathOf(service), profile, meta: null, now: change.now }
  const existing = await change.together(insertTogether, newContact)
  if (existing) throw new ContactExists(existing)
  const contact = contactRowOf(newContact)
  emitContact(change, contact, 'created')
  const { id, email, telephone } = contact
  return { id, name: profile.name ?? null, email, telephone, isBlocked: false }
}

export interface SeenHandle {
  contact: string
  handle: string | null
  alsoHandles: readonly string[]
  /** Address of a mail. */
  email: string | undefined
  /** Time at which the contact wrote, if the provider says. */
  sentAt: Date | undefined
  /** The provider's time for answers. */
  window: ReplyWindow | undefined
}

interface SeenRow {
  service: string
  address: string
  contact: string
  seenAt: Date
  openUntil: Date | null
  machinesUntil: Date | null
}

/**
 * SQL that stores addresses as seen. Several messages of one address may go together: the first one's contact has it, unless it is
 * somebody's already. An earlier message that arrives later closes nothing.
 */
const seenSql = (condition: string): string => `
insert into contact_handle as h
  (service_id, address, contact_id, created_at, last_inbound_at, open_until, machines_until)
select x.service, x.address, (array_agg(x.contact order by x.place))[1], max(x."seenAt"), max(x."seenAt"), max(x."openUntil"),
  max(x."machinesUntil")
from rows from (jsonb_to_recordset($1::jsonb) as (service uuid, address text, contact uuid, "seenAt" timestamptz,
  "openUntil" timestamptz, "machinesUntil" timestamptz)) with ordinality
  as x(service, address, contact, "seenAt", "openUntil", "machinesUntil", place)
group by x.service, x.address order by x.service, x.address
on conflict (service_id, address) do update set last_inbound_at = greatest(h.last_inbound_at, excluded.last_inbound_at),
  open_until = greatest(h.open_until, excluded.open_until),
  machines_until = greatest(h.machines_until, excluded.machines_until), blocked_at = null
${condition}
returning service_id as service, address, contact_id as contact`

const SEEN = seenSql('')

/** One that another contact has stays theirs: providers give numbers to other people. */
const SEEN_TOO = seenSql('where h.contact_id = excluded.contact_id')

/** @returns to whom each address belongs */
const seeHandles: JointWrite<SeenRow, string> = async (sql, rows) => {
  const owners = await sql.query<Pick<SeenRow, 'service' | 'address' | 'contact'>>(
    SEEN,
    [JSON.stringify(rows)],
    'seen-handles',
  )
  const byAddress = new Map(owners.map(({ service, address, contact }) => [`${service} ${address}`, contact]))
  return rows.map(({ service, address }) => byAddress.get(`${service} ${address}`)!)
}

const seeFurtherHandles: JointWrite<SeenRow, void> = async (sql, rows) => {
  await sql.query(SEEN_TOO, [JSON.stringify(rows)], 'seen-handles-too')
  return rows.map(() => undefined)
}

const seeTogether: JointWrite<SeenContact, void> = async (sql, seen) => {
  await seeContacts(sql, seen)
  return seen.map(() => undefined)
}

/**
 * Stores the contact's handle at the service, until when it is open, and updates when it was last seen. @returns false when the
 * handle belongs to another contact
 */
export async function noteContact(
  change: WritingChange,
  service: TouchpointService,
  { contact, handle, alsoHandles, email, sentAt, window }: SeenHandle,
): Promise<boolean> {
  const { touchpoint } = service
  // Clocks differ: what was written later than now was written now.
  const at = sentAt && sentAt < change.now ? sentAt : change.now
  const after = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(at.getTime() + ms))
  const row = (address: string): SeenRow => ({
    service: service.id,
    address,
    contact,
    seenAt: change.now,
    openUntil: after(window?.peopleMs),
    machinesUntil: after(window?.machinesMs),
  })
  const [owner] = await Promise.all([
    handle === null ? contact : change.together(seeHandles, row(handle)),
    change.together(seeTogether, { contact, touchpoint }),
    email !== undefined && unblockMailAddress(change.sql, service.org1, email.toLowerCase()),
    ...(handle === null ? [] : alsoHandles.map((each) => change.together(seeFurtherHandles, row(each)))),
  ])
  return owner === contact
}
