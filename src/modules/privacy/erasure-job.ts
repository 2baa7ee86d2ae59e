import { pathOf } from '../../platform/db/tenancy.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import type { Contact } from '../contacts/contact.js'
import type { Context } from '../../platform/context.js'
import { addressNameSql } from './job-data.js'
import { SECOND_LOOK_MS } from '../conversations/state/deletion-jobs.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { conversationsNaming, eraseFromDrafts } from './named-in-mails.js'

/** The scope of an erasure: ids and hashes only, so that the job itself contains no personal data. */
export interface Erasure {
  /** Null where only a conversation was deleted. */
  contact: string | null
  /** Path of the organization: its administrators see that the erasure is not done. */
  path: readonly (string | undefined)[]
  /** The steps that earlier attempts have done. */
  done?: readonly string[]
  conversations: string[]
  /** Other conversations with copies of their messages, or with cards that name them. */
  beside: string[]
  /** Attachments that the contact uploaded, or that were sent in its conversations. */
  attachments: string[]
  /** Notes of the contact: webhooks and stored answers have copies. */
  notes?: string[]
  /** Other conversations whose mails name the contact, and its email addresses as `erased_name` hides them. */
  named?: { conversations: string[]; addresses: string[] }
  /** The contact's addresses at services, by {@link addressNameSql}: those of pending jobs are compared with them. */
  addresses?: string[]
}

/** Erases the remaining data of a deleted contact's conversations. */
export const PRIVACY_ERASE = defineJob<Erasure>('privacy.erase', {
  contact: 'any',
  path: 'array',
  conversations: 'array',
  beside: 'array',
  attachments: 'array',
})

/** Conversations per job, which is retried as a whole. */
const CONVERSATIONS_MAX = 500

/**
 * Finds the data that the deletion leaves behind, while the contact's rows still lead to it, and adds the jobs that
 * erase it: one that runs now, and one that runs again later. Addresses that keep their meaning without the contact
 * (opt-outs, blocks) are hashed immediately.
 */
export async function addErasure(
  ctx: Context,
  tx: WriteTx,
  { contact, conversations }: { contact: Contact; conversations: readonly string[] },
): Promise<void> {
  const addresses = await addressNames(tx, contact, conversations)
  const notes = await tx.query<{ id: string }>('select id from contact_note where contact_id = $1', [contact.id])
  const named = await nameInMails(tx, contact, conversations)
  await hashAddresses(tx, contact)
  await nameCopies(tx, conversations)
  for (let from = 0; from === 0 || from < conversations.length; from += CONVERSATIONS_MAX) {
    const slice = conversations.slice(from, from + CONVERSATIONS_MAX)
    const [left] = await tx.query<{ beside: string[]; attachments: string[] }>(LEFT_BEHIND, [slice, contact.id])
    const payload = {
      contact: contact.id,
      path: pathOf(contact),
      conversations: slice,
      ...left!,
      addresses,
      ...(from === 0 && { named, notes: notes.map(({ id }) => id) }),
    }
    tx.addJob(PRIVACY_ERASE.create(payload, { key: `erase:${contact.id}:${from}` }))
    const runAt = new Date(ctx.now().getTime() + SECOND_LOOK_MS)
    tx.addJob(PRIVACY_ERASE.create(payload, { key: `erase:${contact.id}:${from}:again`, runAt }))
  }
}

const LEFT_BEHIND = `
select array(
    select conversation_id::text from message where origin_id = any($1::uuid[])
    union select other::text from merge_suggestion where one = any($1::uuid[])
    union select one::text from merge_suggestion where other = any($1::uuid[])) as beside,
  array(select id::text from attachment where contact_id = $2
    union select m.meta ->> 'fileId' from message m where m.conversation_id = any($1::uuid[]) and m.meta ? 'fileId')
    as attachments`

/**
 * Returns the contact's addresses at services, as pseudonyms: those that it wrote from, that it was written to, and its telephone
 * number at the services of its organization. The same number at another organization's service is another's contact.
 */
async function addressNames(tx: WriteTx, contact: Contact, conversations: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select distinct ${addressNameSql('known.service::text', 'known.address')} as name from (
       select service_id as service, address from contact_handle where contact_id = $1
       union select d.service_id, d.recipient from message m join delivery d on d.message_id = m.id
         where m.conversation_id = any($2::uuid[]) and d.service_id is not null and d.recipient is not null
       union select s.id, $3 from service s where s.organization_id = $4 and s.touchpoint is not null and $3::text is not null
     ) as known`,
    [contact.id, conversations, contact.telephone, contact.organizationId],
  )
  return rows.map(({ name }) => name)
}

/** Finds where others' mails name the contact, and takes it out of mails that are being written. */
async function nameInMails(
  tx: WriteTx,
  { email, organizationId: organization }: Contact,
  conversations: readonly string[],
): Promise<NonNullable<Erasure['named']>> {
  const rows = await tx.query<{ address: string; name: string }>(
    `select address, erased_name(address) as name from (
       select $2::text as address where $2::text is not null
       union select d.recipient from message m join delivery d on d.message_id = m.id
         where m.conversation_id = any($1::uuid[]) and d.touchpoint = 'email' and d.recipient is not null
     ) as known`,
    [conversations, email],
  )
  const addresses = rows.map(({ address }) => address)
  await eraseFromDrafts(tx, { addresses, organization })
  return {
    conversations: await conversationsNaming(tx, { addresses, organization, except: conversations }),
    addresses: rows.map(({ name }) => name),
  }
}

/**
 * Marks copies that were made before copies recorded their original conversation: they are found by the original, which
 * is about to be deleted.
 */
async function nameCopies(tx: WriteTx, conversations: readonly string[]): Promise<void> {
  for (let named = 1; named > 0;) {
    const rows = await tx.query(
      `update message m set origin_id = coalesce(o.origin_id, o.conversation_id) from message o
       where (o.conversation_id = any($1::uuid[]) or o.origin_id = any($1::uuid[])) and o.meta ? '_target'
         and m.id = case when o.meta ->> '_target' ~ '^[0-9a-f-]{36}$' then (o.meta ->> '_target')::uuid end
         and m.origin_id is null
       returning 1`,
      [conversations],
    )
    named = rows.length
  }
}

async function hashAddresses(tx: WriteTx, { id, telephone, org1 }: Contact): Promise<void> {
  await tx.query(
    `with gone as (delete from blocked_address where contact_id = $1 returning organization_id, address, created_at)
     insert into blocked_address (organization_id, address, created_at)
     select organization_id, erased_name(address), created_at from gone on conflict do nothing`,
    [id],
  )
  const addresses = [telephone]
  const handles = await tx.query<{ address: string }>('select address from contact_handle where contact_id = $1', [id])
  addresses.push(...handles.map(({ address }) => address))
  await tx.query(
    `with gone as (delete from opt_out where address = any($1::text[])
         and service_id in (select id from service where org1 = $2) returning service_id, address, opted_out_at)
     insert into opt_out (service_id, address, opted_out_at)
     select service_id, erased_name(address), opted_out_at from gone on conflict do nothing`,
    [addresses.filter((address) => address !== null), org1],
  )
  await tx.query('update inbound_message set provider_id = erased_name(provider_id) where contact_id = $1', [id])
}
