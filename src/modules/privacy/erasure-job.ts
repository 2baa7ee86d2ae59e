import { pathOf } from '../../platform/db/tenancy.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import type { Contact } from '../contacts/contact.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { addressNameSql } from './job-data.js'
import { SECOND_LOOK_MS } from '../conversations/state/deletion-jobs.js'
import { filesToComeSql, isIdSql } from '../conversations/state/files-of-conversation.js'
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
  /** Those that were deleted before are among them: copies of their messages are left. */
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
  /** The record of the erasure, and the name of this part of it there. */
  erasure?: string
  part?: string
}

/** Names that a contact is known by, as pseudonyms, and the conversations of others whose mails name it. */
export interface KnownNames extends Pick<Erasure, 'addresses' | 'named'> {}

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
 * Finds what the contact is known by, while its rows lead to it, and takes it out of mails that others write: what is found here
 * must not be emptied or removed before.
 */
export async function findKnownNames(
  tx: WriteTx,
  contact: Contact,
  conversations: readonly string[],
): Promise<Required<KnownNames>> {
  await nameCopies(tx, conversations)
  return {
    addresses: await addressNames(tx, contact, conversations),
    named: await nameInMails(tx, contact, conversations),
  }
}

/**
 * Finds the data that the deletion leaves behind, while the contact's rows still lead to it, and adds the jobs that
 * erase it: one that runs now, and one that runs again later. Addresses that keep their meaning without the contact
 * (blocks, ids of messages) are hashed immediately; requests to stop are stored so.
 */
export async function addErasure(
  ctx: Context,
  tx: WriteTx,
  { contact, conversations: present, erasure }: { contact: Contact; conversations: readonly string[]; erasure: string },
): Promise<void> {
  const deleted = await tx.query<{ id: string }>('select id from deleted_conversation where contact_id = $1', [
    contact.id,
  ])
  const conversations = [...present, ...deleted.map(({ id }) => id)]
  const notes = await tx.query<{ id: string }>('select id from contact_note where contact_id = $1', [contact.id])
  const { addresses, named } = await knownNames(tx, { contact, conversations, erasure })
  await hashAddresses(tx, contact)
  const pending: string[] = []
  const attachments = new Set<string>()
  for (let from = 0; from === 0 || from < conversations.length; from += CONVERSATIONS_MAX) {
    const slice = conversations.slice(from, from + CONVERSATIONS_MAX)
    const [left] = await tx.query<{ beside: string[]; attachments: string[] }>(LEFT_BEHIND, [slice, contact.id])
    for (const id of left!.attachments) attachments.add(id)
    const payload = {
      contact: contact.id,
      path: pathOf(contact),
      conversations: slice,
      ...left!,
      addresses,
      ...(from === 0 && { named, notes: notes.map(({ id }) => id) }),
      erasure,
    }
    const [part, again] = [`${from}`, `${from}:again`]
    tx.addJob(PRIVACY_ERASE.create({ ...payload, part }, { key: `erase:${contact.id}:${part}` }))
    const runAt = new Date(ctx.now().getTime() + SECOND_LOOK_MS)
    tx.addJob(PRIVACY_ERASE.create({ ...payload, part: again }, { key: `erase:${contact.id}:${again}`, runAt }))
    pending.push(part, again)
  }
  await tx.query(
    `update erasure set status = 'erasing', known = '{}', pending = $2, attachments = $3, notes = $4, updated_at = $5,
       version = version + 1 where id = $1`,
    [erasure, JSON.stringify(pending), attachments.size, notes.length, ctx.now()],
  )
}

/** Returns what was known when the erasure began, and what is known now: an agent may have answered by mail since. */
async function knownNames(
  tx: WriteTx,
  { contact, conversations, erasure }: { contact: Contact; conversations: readonly string[]; erasure: string },
): Promise<Required<KnownNames>> {
  const [row] = await tx.query<{ known: KnownNames }>('select known from erasure where id = $1', [erasure])
  const { addresses = [], named: before } = row!.known
  const now = await findKnownNames(tx, contact, conversations)
  const own = new Set(conversations)
  const union = (one: readonly string[] = [], other: readonly string[]): string[] => [...new Set([...one, ...other])]
  return {
    addresses: union(addresses, now.addresses),
    named: {
      conversations: union(before?.conversations, now.named.conversations).filter((id) => !own.has(id)),
      addresses: union(before?.addresses, now.named.addresses),
    },
  }
}

/** Takes note that a part of an erasure is done: the last of them ends it. */
export async function notePart(sql: Sql, { erasure, part }: Erasure, now: Date): Promise<void> {
  if (erasure === undefined || part === undefined) return
  await sql.query(
    `update erasure set pending = pending - $2::text, updated_at = $3::timestamptz, version = version + 1,
       status = case when pending - $2::text = '[]' then 'done' else status end,
       finished_at = case when pending - $2::text = '[]' then $3::timestamptz end
     where id = $1 and pending ? $2::text`,
    [erasure, part, now],
  )
}

const LEFT_BEHIND = `
select array(
    select conversation_id::text from message where origin_id = any($1::uuid[])
    union select other::text from merge_suggestion where one = any($1::uuid[])
    union select one::text from merge_suggestion where other = any($1::uuid[])
    union select unnest(named_in)::text from deleted_conversation where id = any($1::uuid[])) as beside,
  array(select id::text from attachment where contact_id = $2
    union select file from (
      select m.meta ->> 'fileId' as file from message m
        where (m.conversation_id = any($1::uuid[]) or m.origin_id = any($1::uuid[])) and m.meta ? 'fileId'
      union ${filesToComeSql('$1::uuid[]')}
      union select payload #>> '{newMessage,meta,fileId}' from job
        where kind = 'message.process' and payload ->> 'conversation' = any($1::text[])
    ) named where ${isIdSql('file')}
    union select unnest(attachments)::text from deleted_conversation where id = any($1::uuid[]))
    as attachments`

/**
 * Deliveries go with a merge: those of a conversation may be of copies in others, and those in it of others' messages.
 * What was forwarded by a note went to somebody else.
 */
const isOfSql = (message: string, conversations: string): string =>
  `((${message}.conversation_id = any(${conversations}::uuid[]) and ${message}.origin_id is null)
    or ${message}.origin_id = any(${conversations}::uuid[]))`

/**
 * Returns the contact's addresses at services, as pseudonyms: those that it wrote from, that it was written to, and its telephone
 * number at the services of its organization. The same number at another organization's service is another's contact.
 */
async function addressNames(tx: WriteTx, contact: Contact, conversations: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select distinct ${addressNameSql('known.service::text', 'known.address')} as name from (
       select service_id as service, address from contact_handle where contact_id = $1
       union select d.service_id, d.recipient from message m join delivery d on d.message_id = m.id
         where ${isOfSql('m', '$2')} and not m.is_backchannel and d.service_id is not null and d.recipient is not null
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
         where ${isOfSql('m', '$1')} and not m.is_backchannel and d.touchpoint = 'email' and d.recipient is not null
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

async function hashAddresses(tx: WriteTx, { id }: Contact): Promise<void> {
  await tx.query(
    `with gone as (delete from blocked_address where contact_id = $1 returning organization_id, address, created_at)
     insert into blocked_address (organization_id, address, created_at)
     select organization_id, erased_name(address), created_at from gone on conflict do nothing`,
    [id],
  )
  await tx.query(
    `with gone as (delete from inbound_message where contact_id = $1 returning *)
     insert into inbound_message
       (service_id, provider_id, message_id, further_ids, conversation_id, contact_id, ignored, received_at, sent_at, is_by_contact)
     select service_id, erased_name(provider_id), message_id, further_ids, conversation_id, contact_id, ignored, received_at,
       sent_at, is_by_contact
     from gone
     on conflict do nothing`,
    [id],
  )
}
