import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import type { Context } from '../../platform/context.js'
import type { Database, Sql } from '../../platform/db/database.js'
import { ifThere } from '../../platform/if-there.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { conversationStream, userStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import { camelRow } from '../../platform/lists/rows.js'
import type { DeliveryRow } from '../messages/delivery.js'
import type { MessageRow } from '../messages/message-row.js'
import { redactDeliveries } from './redact-deliveries.js'
import { LOGGED, rewriteEvents, type LoggedEvent } from './rewrite-events.js'

/*
 * A consumer is also named in mails of others: as the recipient of a copy, or as who wrote into another's conversation. What was said
 * there is the other's and stays; the address goes.
 */

/** Finds conversations of an organization, but for these, whose mails, or mails that wait to be sent, name one of the addresses. */
export async function conversationsNaming(
  sql: Sql,
  {
    addresses,
    organization,
    except,
  }: { addresses: readonly string[]; organization: string; except: readonly string[] },
): Promise<string[]> {
  if (addresses.length === 0) return []
  const heads = addresses.flatMap((address) => [
    ...['to', 'cc', 'bcc'].flatMap((list) => [{ [list]: [address] }, { [list]: [{ address }] }]),
    ...[{ replyTo: address }, { replyTo: { address } }, { from: { address } }],
  ])
  const rows = await sql.query<{ id: string }>(NAMING, [
    heads.map((head) => JSON.stringify(head)),
    organization,
    addresses,
    except,
  ])
  return rows.map(({ id }) => id)
}

/** By the index `message_mail`; pending jobs are few. */
const NAMING = `
select m.conversation_id as id from unnest($1::jsonb[]) head join message m on m.meta -> '_mail' @> head and m.meta ? '_mail'
where m.organization_id = $2 and not m.conversation_id = any($4::uuid[])
union
select c.id from job j join conversation c on c.id::text = j.payload ->> 'conversation'
where j.kind = 'message.process' and c.organization_id = $2 and not c.id = any($4::uuid[]) and exists (
  select 1 from unnest($3::text[]) address where strpos(j.payload #>> '{newMessage,mail}', address) > 0)`

/** Takes the addresses out of what users have typed above mails and not sent. */
export async function eraseFromDrafts(
  tx: WriteTx,
  { addresses, organization }: { addresses: readonly string[]; organization: string },
): Promise<void> {
  if (addresses.length === 0) return
  const rows = await tx.query<{ user: string; conversation: string; path: (string | null)[]; mail: JsonObject }>(
    `select d.user_id as user, c.id as conversation, array[c.org1, c.org2, c.org3] as path, d.mail
     from conversation_draft d join conversation c on c.id = d.conversation_id
     where d.mail is not null and c.organization_id = $1
       and exists (select 1 from unnest($2::text[]) address where strpos(lower(d.mail::text), address) > 0)
     order by d.user_id, c.id for update of d`,
    [organization, addresses],
  )
  for (const { user, conversation, path, mail } of rows) {
    await tx.query(WRITE_DRAFT, [user, conversation, JSON.stringify(typedWithout(mail, addresses))])
    tx.emit(userStream(user), 'draft.changed', { conversation, path: path.filter((id) => id !== null) })
  }
}

const WRITE_DRAFT = 'update conversation_draft set mail = $3::jsonb where user_id = $1 and conversation_id = $2'

/** The fields of a draft without the addresses. */
function typedWithout(mail: JsonObject, addresses: readonly string[]): JsonObject {
  const left = Object.entries(mail).map(([field, typed]) => [
    field,
    field === 'subject' ? textWithout(String(typed), addresses) : recipientsWithout(String(typed), addresses),
  ])
  return Object.fromEntries(left) as JsonObject
}

/** Finds an address wherever it stands in a text, and not within a longer one. */
const standing = (address: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}._%+-])${RegExp.escape(address)}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, 'giu')

function textWithout(typed: string, addresses: readonly string[]): string {
  return addresses.reduce((text, address) => text.replace(standing(address), ''), typed)
}

/** Recipients as they are typed: with commas, semicolons or blanks between them, and some with the name of whose the address is. */
function recipientsWithout(typed: string, addresses: readonly string[]): string {
  const isGone = (text: string): boolean => addresses.some((address) => standing(address).test(text))
  if (!isGone(typed)) return typed
  const entries = typed.match(/(?:"[^"]*"|[^,;])+/g) ?? []
  const words = entries.flatMap((entry) => (entry.includes('<') ? [entry.trim()] : entry.split(/\s+/)))
  return words.filter((word) => word !== '' && !isGone(word)).join(', ')
}

/**
 * Takes the addresses with these pseudonyms out of the mails of a conversation, sent, received, waiting or given back as a
 * draft, and their traces.
 */
export async function eraseNamed(
  writer: ConversationWriter,
  system: Context,
  { conversation, names }: { conversation: string; names: readonly string[] },
): Promise<void> {
  const { database: sql } = system
  await eraseFromJobs(sql, conversation, names)
  const run = async (change: WritingChange): Promise<void> => {
    await eraseFromMessages(change, names)
    await eraseFromReturned(change, names)
  }
  await ifThere(writer.runExclusive(system, conversation, run))
  await eraseFromEvents(sql, conversation, names)
  // Whatever holds the head of a mail: the addresses are found in nothing any more.
  await redactDeliveries(sql, { text: WEBHOOKS, values: [`conversation:${conversation}`] }, 'body = null')
  await sql.query(
    `update idempotency_key set response = null where about = $1 and response is not null and ${HOLDS_MAIL('response')}`,
    [conversation],
  )
  await sql.query(
    `update routing_decision set facts = null, workflows = null
     where conversation_id = $1 and facts is not null and (${HOLDS_MAIL('facts')} or ${NAMES_MAIL})`,
    [conversation],
  )
}

const HOLDS_MAIL = (json: string): string => `${json}::text ~ '"(_mail|_writtenBy|_sender|copies)"'`
/** Facts are kept by the path that was read: `message.meta._sender.email`. */
const NAMES_MAIL = `facts::text ~ '[.](_mail|_writtenBy|_sender)[".]'`
const WEBHOOKS = `
select w.id from webhook_event w join event e on e.stream = w.stream and e.number = w.number
where w.partition = $1 and ${HOLDS_MAIL('e.data')}`

async function eraseFromMessages(change: WritingChange, names: readonly string[]): Promise<void> {
  const { sql, conversation } = change
  const rows = await sql.query<Record<string, unknown>>(
    `select * from message where conversation_id = $1 and meta ? '_mail' order by position`,
    [conversation.id],
  )
  const messages = rows.map((row) => camelRow<MessageRow>(row))
  const sent = await sql.query<Record<string, unknown>>(
    `select d.*, m.is_backchannel from delivery d join message m on m.id = d.message_id
     where d.conversation_id = $1 and (d.copies <> '[]' or m.is_backchannel) order by d.id`,
    [conversation.id],
  )
  const deliveries = sent.map((row) => {
    const { isBackchannel, signature: _, ...delivery } = camelRow<DeliveryRow & ReadBeside>(row)
    return { delivery, isForwarded: isBackchannel }
  })
  const gone = await goneOf(sql, names, [...messages.flatMap(addressesOf), ...deliveries.flatMap(recipientsIn)])
  if (gone.size === 0) return
  for (const message of messages) {
    const meta = withoutGone(message.meta, gone)
    if (meta !== message.meta) change.changeMessage({ ...message, meta })
  }
  const changed = deliveries
    .filter((each) => recipientsIn(each).some((address) => gone.has(address)))
    .map((each) => deliveryWithout(each, gone))
  // Not as a change of the delivery: that may be under way, which is noted without the conversation's lock.
  for (const { id, copies, recipient } of changed)
    change.afterWrites('update delivery set copies = $2, recipient = $3 where id = $1', [
      id,
      JSON.stringify(copies),
      recipient,
    ])
  if (changed.length > 0) change.emit(conversationStream(conversation.id), 'message.delivery', { deliveries: changed })
}

/** Takes the addresses out of drafts that a message which was held has become since the contact was deleted. */
async function eraseFromReturned(change: WritingChange, names: readonly string[]): Promise<void> {
  const { sql, conversation } = change
  const drafts = await sql.query<{ user: string; mail: JsonObject }>(
    `select user_id as user, mail from conversation_draft where conversation_id = $1 and mail is not null
     order by user_id for update`,
    [conversation.id],
  )
  const typed = drafts.flatMap(({ mail }) => Object.values(mail).flatMap((field) => addressesTyped(String(field))))
  const gone = [...(await goneOf(sql, names, typed))]
  if (gone.length === 0) return
  const path = pathOf(conversation).filter((id) => id !== undefined)
  for (const { user, mail } of drafts) {
    const left = JSON.stringify(typedWithout(mail, gone))
    if (left === JSON.stringify(mail)) continue
    change.afterWrites(WRITE_DRAFT, [user, conversation.id, left])
    change.emit(userStream(user), 'draft.changed', { conversation: conversation.id, path })
  }
}

const addressesTyped = (field: string): string[] =>
  field
    .toLowerCase()
    .split(/[\s,;:<>()[\]"']+/u)
    .filter((word) => word.includes('@'))

/** Takes the addresses out of messages that wait to be sent, which then go to the others. */
async function eraseFromJobs(sql: Sql, conversation: string, names: readonly string[]): Promise<void> {
  const jobs = await sql.query<{ id: string; mail: JsonObject }>(
    `select id, payload #> '{newMessage,mail}' as mail from job
     where kind = 'message.process' and payload ->> 'conversation' = $1 and payload #>> '{newMessage,mail}' is not null`,
    [conversation],
  )
  for (const { id, mail } of jobs) {
    const gone = await goneOf(sql, names, addressesOf({ meta: { _mail: mail } }))
    const left = withoutGone({ _mail: mail }, gone)
    if (gone.size > 0)
      await sql.query(`update job set payload = jsonb_set(payload, '{newMessage,mail}', $2::jsonb) where id = $1`, [
        id,
        JSON.stringify(left!._mail),
      ])
  }
}

const PAGE = 500

async function eraseFromEvents(sql: Database, conversation: string, names: readonly string[]): Promise<void> {
  const stream = conversationStream(conversation)
  const forwards = new Set((await sql.query<{ id: string }>(FORWARDS, [conversation])).map(({ id }) => id))
  for (let after = 0; ;) {
    const events: LoggedEvent[] = await sql.query<LoggedEvent>(
      `select ${LOGGED} from event e where e.stream = $1 and e.number > $2 and ${HOLDS_MAIL('e.data')} order by e.number limit $3`,
      [stream, after, PAGE],
    )
    const gone = await goneOf(
      sql,
      names,
      events.flatMap(({ data }) => addressesOfEvent(data, forwards)),
    )
    await rewriteEvents(sql, events, ({ data }) => redactedEvent(data, gone, forwards))
    if (events.length < PAGE) return
    after = events.at(-1)!.number
  }
}

/** Deliveries that went to people outside. */
const FORWARDS = `
select d.id from delivery d join message m on m.id = d.message_id and m.is_backchannel where d.conversation_id = $1`

/** Those of the addresses that have one of the pseudonyms. */
async function goneOf(sql: Sql, names: readonly string[], addresses: readonly string[]): Promise<Set<string>> {
  const all = [...new Set(addresses)]
  if (all.length === 0) return new Set()
  const rows = await sql.query<{ address: string }>(
    'select address from unnest($1::text[]) address where erased_name(address) = any($2::text[])',
    [all, names],
  )
  return new Set(rows.map(({ address }) => address))
}

interface ReadBeside {
  isBackchannel: boolean
  /** Not for events. */
  signature: string | null
}

interface Addressed {
  delivery: DeliveryRow
  /** True if its recipient is somebody outside as well, and not the consumer. */
  isForwarded: boolean
}

const recipientsIn = ({ delivery: { copies, recipient }, isForwarded }: Addressed): string[] => [
  ...(isForwarded && recipient !== null ? [recipient] : []),
  ...(copies ?? []).map(({ address }) => address),
]

/** Returns the delivery without the addresses; who got a copy of what was forwarded takes the place of a recipient who is gone. */
function deliveryWithout({ delivery, isForwarded }: Addressed, gone: ReadonlySet<string>): DeliveryRow {
  const copies = delivery.copies && delivery.copies.filter(({ address }) => !gone.has(address))
  if (!isForwarded || delivery.recipient === null || !gone.has(delivery.recipient)) return { ...delivery, copies }
  const [next, ...others] = copies ?? []
  return { ...delivery, recipient: next?.address ?? null, copies: others }
}

const addressIn = (who: JsonValue | undefined): string | null => {
  const found = isPlainObject(who) ? (who.address ?? who.email) : who
  return typeof found === 'string' ? found : null
}

/** Members of a message's metadata that name who wrote it. */
const WRITERS = ['_sender', '_writtenBy'] as const

function addressesOf({ meta }: { meta: JsonObject | null }): string[] {
  const mail = meta?._mail
  const heads = isPlainObject(mail) ? Object.values(mail).flat() : []
  return [...heads, ...WRITERS.map((key) => meta?.[key])].flatMap((who) => addressIn(who as JsonValue) ?? [])
}

/** @returns the same object if it names none of them */
function withoutGone(meta: JsonObject | null, gone: ReadonlySet<string>): JsonObject | null {
  if (!meta || !addressesOf({ meta }).some((address) => gone.has(address))) return meta
  const isGone = (who: JsonValue | undefined): boolean => gone.has(addressIn(who) ?? '')
  const mail = Object.entries((meta._mail ?? {}) as JsonObject).map(([key, value]): [string, JsonValue | undefined] => {
    if (Array.isArray(value)) return [key, value.filter((who) => !isGone(who))]
    // Who wrote it is somebody, of whom no more is said.
    if (key === 'from') return [key, isGone(value) ? { address: '' } : value]
    return [key, isGone(value) ? null : value]
  })
  const writers = WRITERS.filter((key) => isGone(meta[key])).map((key): [string, JsonValue] => {
    const { name: _name, ...who } = meta[key] as JsonObject
    return [key, { ...who, email: '' } as JsonValue]
  })
  return { ...meta, ...Object.fromEntries(writers), _mail: Object.fromEntries(mail) as JsonObject }
}

type Told = { message?: Pick<MessageRow, 'meta'> & Partial<Pick<MessageRow, 'deliveries'>>; deliveries?: DeliveryRow[] }

function addressesOfEvent(data: JsonObject, forwards: ReadonlySet<string>): string[] {
  const { message, deliveries = [] } = data as unknown as Told
  return [
    ...(message ? addressesOf({ meta: message.meta ?? null }) : []),
    ...[...(message?.deliveries ?? []), ...deliveries].flatMap((each) => recipientsIn(addressed(each, forwards))),
  ]
}

const addressed = (delivery: DeliveryRow, forwards: ReadonlySet<string>): Addressed => ({
  delivery,
  isForwarded: forwards.has(delivery.id),
})

function redactedEvent(data: JsonObject, gone: ReadonlySet<string>, forwards: ReadonlySet<string>): JsonObject {
  if (!addressesOfEvent(data, forwards).some((address) => gone.has(address))) return data
  const { message, deliveries } = data as unknown as Told
  const kept = (each: DeliveryRow): DeliveryRow => deliveryWithout(addressed(each, forwards), gone)
  return {
    ...data,
    ...(message && {
      message: {
        ...message,
        meta: withoutGone(message.meta ?? null, gone),
        ...(message.deliveries && { deliveries: message.deliveries.map(kept) }),
      },
    }),
    ...(deliveries && { deliveries: deliveries.map(kept) }),
  } as unknown as JsonObject
}
