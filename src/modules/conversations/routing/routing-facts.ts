import { contactRowOf } from '../../contacts/insert-contact.js'
import { reading } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import type { JsonObject, JsonValue } from '../../../platform/json.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { CompiledSchedules } from '../../schedules/current-schedule.js'
import type { FactSource } from '../../workflows/facts.js'
import type { Matched } from '../../workflows/first-match.js'
import { conditionsReadHours, readHours } from '../../workflows/schedule-facts.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { JointRead } from '../state/shared-reads.js'

type OrganizationFacts = Pick<
  FactSource['organization'],
  'meta' | 'country' | 'industry' | 'locale' | 'tags' | 'commands'
>

interface ContactFacts {
  contactMeta: JsonObject | null
  contactStatus: string | null
  profile: JsonObject | null
  lastMessage: { meta: JsonObject | null; text: string | null; touchpoint: string | null } | null
}

/** The parts of a conversation that facts are read from. */
export type FactReader = Pick<ConversationChange, 'sql'> &
  Partial<Pick<ConversationChange, 'newContact'>> & {
    conversation: Pick<
      ConversationState,
      'id' | 'contactId' | 'organizationId' | 'meta' | 'category' | 'categoryIndex' | 'language' | 'forms' | 'results'
    >
    messages: readonly Pick<MessageRow, 'role' | 'type' | 'meta' | 'text' | 'touchpoint'>[]
    shared: Pick<ConversationChange['shared'], 'once' | 'together'>
  }

/** Reads the facts that rules may use about the conversation and its surroundings (4.6). */
export async function readFactSource(change: FactReader): Promise<FactSource> {
  const { conversation } = change
  const unplacedMessage = change.messages.findLast(({ role, type }) => role === 'contact' && type !== 'command')
  const [organization, row] = await Promise.all([
    readOrganizationFacts(change),
    readContactFacts(change, unplacedMessage !== undefined),
  ])
  const latest = unplacedMessage ?? row.lastMessage
  const profile = row.profile ?? {}
  return {
    conversation: {
      meta: conversation.meta,
      category: conversation.category,
      categoryIndex: conversation.categoryIndex,
      language: conversation.language,
      contactStatus: row.contactStatus,
    },
    message: latest && { meta: latest.meta ?? {}, text: latest.text, touchpoint: latest.touchpoint },
    contact: row.profile && {
      meta: row.contactMeta ?? {},
      email: (profile.email ?? null) as string | null,
      worksFor: (profile.worksFor ?? null) as JsonValue,
      address: (profile.address ?? null) as JsonValue,
    },
    organization: {
      ...organization,
      id: conversation.organizationId,
      meta: organization.meta ?? {},
      tags: organization.tags ?? [],
      commands: organization.commands ?? [],
    },
    forms: conversation.forms,
    results: conversation.results,
  }
}

/** Reads the facts for these conditions; the hours only where one asks for them. */
export async function readFactsFor(
  change: FactReader & { conversation: Parameters<typeof pathOf>[0] },
  rows: readonly Matched[],
  schedules: CompiledSchedules,
): Promise<FactSource> {
  const { conversation, shared, sql } = change
  const source = await readFactSource(change)
  if (conditionsReadHours(rows))
    source.hours = await shared.once(`hours of ${conversation.organizationId}`, () =>
      readHours(sql, pathOf(conversation), schedules),
    )
  return source
}

/** Reads the facts that rules may use about the organization; once for all operations of a transaction. */
export function readOrganizationFacts({
  conversation: { organizationId },
  shared,
  sql,
}: FactReader): Promise<OrganizationFacts> {
  return shared.once(`facts of ${organizationId}`, async () => {
    const [row] = await sql.query<OrganizationFacts>(
      reading('select meta, country, industry, locale, tags, commands from organization where id = $1'),
      [organizationId],
      'organization-facts',
    )
    return row!
  })
}

/** @param isSaid whether the last message was added by this operation */
async function readContactFacts(
  { conversation, newContact, shared, sql }: FactReader,
  isSaid: boolean,
): Promise<ContactFacts> {
  const { id, contactId } = conversation
  if (newContact && isSaid)
    return {
      contactMeta: newContact.meta,
      contactStatus: contactRowOf(newContact).status,
      profile: newContact.profile as JsonObject,
      lastMessage: null,
    }
  const rows = isSaid
    ? [await shared.together(readContacts, contactId)]
    : await sql.query<Record<string, unknown>>(CONTACT_AND_MESSAGE, [contactId, id], 'contact-and-message-facts')
  const none: ContactFacts = { contactMeta: null, contactStatus: null, profile: null, lastMessage: null }
  return rows[0] ? { ...none, ...camelRow<Partial<ContactFacts>>(rows[0]) } : none
}

const readContacts: JointRead<string | null, Record<string, unknown> | undefined> = async (sql, ids) => {
  const rows = await sql.query<Record<string, unknown>>(CONTACTS, [ids], 'contact-facts')
  const byId = new Map(rows.map((row) => [row.contact, row]))
  return ids.map((id) => byId.get(id))
}

const CONTACTS = reading(
  'select id as contact, meta as contact_meta, status as contact_status, profile from contact where id = any($1::uuid[])',
)

const CONTACT_AND_MESSAGE = reading(`
select c.meta as contact_meta, c.status as contact_status, c.profile,
  (select jsonb_build_object('meta', m.meta, 'text', m.text, 'touchpoint', m.touchpoint) from message m
   where m.conversation_id = $2 and m.role = 'contact' and m.type <> 'command'
   order by m.position desc limit 1) as last_message
from (select 1) as always left join contact c on c.id = $1`)
