import { batchingOn } from '../../platform/db/batching.js'
import { inboundNamedSql } from '../../platform/db/erased-name.js'
import type { Logger } from 'pino'
import type { AttachmentParts } from '../attachments/attachments-module.js'
import { CONTACT_MATCHED } from '../contacts/contact-jobs.js'
import { ContactExists } from '../contacts/insert-contact.js'
import type { Context } from '../../platform/context.js'
import { isOfMerged } from '../conversations/state/merged-conversation.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import { askAhead, beginWithContact } from '../conversations/sending/begin-conversation.js'
import { newConversationAggregate } from '../conversations/sending/create-conversation.js'
import { suggestMerges } from '../conversations/messages/merge-suggestions.js'
import { processMessage } from '../conversations/sending/process-message.js'
import { tellWhoForwarded } from '../conversations/messages/forwarding-answered.js'
import type { SendDependencies } from '../conversations/sending/send-message.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { shareOf, type Share } from '../../platform/fairness/share.js'
import { BadUserInput, Forbidden, NotFound, OutcomeUnknown, Unavailable } from '../../platform/errors.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import type { NewMessage } from '../messages/message-content.js'
import type { MessageRow } from '../messages/message-row.js'
import type { ReplyWindow } from '../services/service-kinds.js'
import type { TouchpointService } from './adapter.js'
import { claimInbound, INSERT_THREADS, noteThreadServices, type Thread } from './claim-inbound.js'
import {
  findContact,
  identityOf,
  makeContact,
  noteContact,
  type Identity,
  type KnownContact,
} from './inbound-contact.js'
import { dropFiles, keepFiles, recordFiles, type InboundFiles } from './inbound-files.js'
import { newMessagesOf, type AlsoWrites, type InboundMessage } from './inbound-message.js'
import { conversationOf, threadOf } from './inbound-thread.js'
import { SenderTurns } from './sender-turns.js'

export interface InboxOptions extends Pick<SendDependencies, 'writer' | 'router'> {
  database: Database
  clock: Clock
  log: Logger
  attachments: Pick<AttachmentParts, 'spool' | 'store'>
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
  /** Providers' times for answers, by type of service. */
  windows: ReadonlyMap<string, ReplyWindow>
}

/** Result of receiving a consumer's message; null in place of the contact for a message of somebody else. */
export type Received =
  | { message: string; conversation: string; contact: string | null; isRepeat: boolean }
  | { ignored: string; isRepeat: boolean }

/** The reason for which a blocked contact's message is ignored. */
export const BLOCKED = 'the contact is blocked'
const NO_CONVERSATION = 'the conversation that it answers is gone'
const NO_THREAD = 'the organization wrote it elsewhere, to somebody who has not written here'
const PROVIDER_ID_CHARS_MAX = 500
const TRIES_MAX = 6
/** In sends. */
const COST = 3
const KIND = 'inbound'

/** A concurrent message of the same consumer was faster: retry. */
class ConcurrentInsertError extends Unavailable {}

/**
 * Adds consumers' messages from touchpoints to their conversations. One transaction records the provider's id and
 * creates the message, with its contact and conversation where they are new: a message that arrives several times, even
 * concurrently, is created once.
 */
export class InboundMessageReceiver {
  readonly #turns = new SenderTurns()

  constructor(private readonly options: InboxOptions) {}

  /** @throws BadUserInput for content that a message cannot hold */
  async receive(inbound: InboundMessage): Promise<Received> {
    const { attachments, clock, database } = this.options
    requireProviderId(inbound.providerId)
    const earlier = await this.#earlier(inbound)
    if (earlier) {
      for (const { content } of inbound.attachments ?? []) content.destroy()
      return earlier
    }
    const { service } = inbound
    const share = shareOfService(service)
    const files = await keepFiles(attachments, { sql: database, clock, share }, inbound.attachments ?? [])
    try {
      const { handle, email, telephone } = inbound.from
      const sender = [service.id, handle, email, telephone].join('\n')
      const received = await this.#turns.during(sender, (hasWaited) => this.#receive(inbound, files, hasWaited))
      if (!('message' in received) || received.isRepeat) await dropFiles(attachments, files.kept)
      return received
    } catch (error) {
      // The message may be committed; unused files are removed by maintenance.
      if (!(error instanceof OutcomeUnknown)) await dropFiles(attachments, files.kept)
      throw error
    }
  }

  /** Records that a message was ignored, so that its repeats are recognized. */
  async ignore(
    service: Pick<TouchpointService, 'id'>,
    providerId: string,
    reason: string,
    alsoWrites?: AlsoWrites,
  ): Promise<Received> {
    requireProviderId(providerId)
    const { clock, database } = this.options
    const values = [service.id, providerId, reason.slice(0, 500), clock.now()]
    const record = async (sql: Sql): Promise<boolean> => (await sql.query(IGNORE, values, 'ignore-inbound')).length > 0
    const isNew = alsoWrites
      ? await database.sqlTransaction(async (sql) => {
          const isNew = await record(sql)
          if (isNew) await alsoWrites(sql, { message: null, ignored: reason })
          return isNew
        })
      : await record(database)
    return { ignored: reason, isRepeat: !isNew }
  }

  /** @param hasWaited it may have been received meanwhile */
  async #receive(inbound: InboundMessage, files: InboundFiles, hasWaited: boolean): Promise<Received> {
    for (let tries = 1; ; tries += 1) {
      try {
        const earlier = hasWaited || tries > 1 ? await this.#earlier(inbound) : null
        return earlier ?? (await this.#receiveOnce(inbound, files, tries))
      } catch (error) {
        if (!isRace(error) || tries >= TRIES_MAX) throw error
      }
    }
  }

  async #receiveOnce(inbound: InboundMessage, files: InboundFiles, tries: number): Promise<Received> {
    const { clock, database } = this.options
    const { service } = inbound
    const newMessages = newMessagesOf(inbound, files.kept, [...files.refused, ...(inbound.notFetched ?? [])])
    const who = await identityOf(database, service, inbound.from)
    const proven = inbound.conversation ? await conversationOf(database, service, inbound.conversation) : null
    const contact = proven?.contact ?? (await findContact(database, service, who))
    if (inbound.answers && !proven) return this.ignore(service, inbound.providerId, NO_CONVERSATION, inbound.alsoWrites)
    // Somebody else's mail is not the consumer's.
    if (contact?.isBlocked && !inbound.answers)
      return this.ignore(service, inbound.providerId, BLOCKED, inbound.alsoWrites)
    const { isApart = false } = inbound
    const at = contact && { contact: contact.id, touchpoint: service.touchpoint, isApart, now: clock.now() }
    const thread = proven?.id ?? (at ? await threadOf(database, at) : null)
    if (inbound.isOwn && !thread) return this.ignore(service, inbound.providerId, NO_THREAD, inbound.alsoWrites)
    const found = { inbound, files, newMessages, who: proven ? null : who, contact, tries }
    try {
      return await (thread ? this.#continue(thread, found) : this.#begin(found))
    } catch (error) {
      // Blocked since the contact was looked up.
      if (error instanceof Forbidden) return this.ignore(service, inbound.providerId, error.message, inbound.alsoWrites)
      throw error
    }
  }

  #continue(conversation: string, found: Found): Promise<Received> {
    const { systemContext, writer } = this.options
    const run = (change: WritingChange) => this.#take(change, { ...found, contact: found.contact! })
    return writer.runWriting(systemContext(found.inbound.providerId), conversation, run, {
      tries: found.tries,
      cost: COST,
      kind: KIND,
      share: shareOfService(found.inbound.service),
    })
  }

  async #begin(found: Found): Promise<Received> {
    const { systemContext, writer } = this.options
    const { service, providerId, isApart = false } = found.inbound
    const ctx = systemContext(providerId)
    const { touchpoint } = service
    const newAggregate = newConversationAggregate(ctx, pathOf(service), { touchpoint })
    const run = async (change: WritingChange): Promise<Received> => {
      askAhead(change, true)
      const contact = found.contact ?? (await makeContact(change, service, found.who!))
      change.attachContact(contact.id, contact.name, contact.isBlocked)
      await beginWithContact(change, contact)
      if (found.contact && !isApart) await suggestMerges(change)
      const thread: Thread = { contact: contact.id, touchpoint, isApart, service: service.id }
      change.rowAfterWrites(INSERT_THREADS, { ...thread, conversation: change.conversation.id })
      return this.#take(change, { ...found, contact })
    }
    const share = shareOfService(service)
    const options = { tries: found.tries, cost: COST, kind: `${KIND} new`, share, newAggregate }
    return writer.runWriting(ctx, newAggregate.conversation.id, run, options)
  }

  /** Adds the message to the conversation. */
  async #take(
    change: WritingChange,
    { inbound, files, newMessages, who, contact }: Found & { contact: KnownContact },
  ): Promise<Received> {
    const { clock, router } = this.options
    const { service, providerId, alsoKnownAs = providerId, isApart = false } = inbound
    const ids = newMessages.map(() => clock.newId())
    const id = ids[0]!
    const isByContact = !inbound.isOwn && !inbound.answers
    const isClaimed = await change.together(claimInbound, {
      service: service.id,
      provider: providerId,
      alsoKnownAs,
      message: id,
      further: ids.slice(1),
      conversation: change.conversation.id,
      contact: contact.id,
      receivedAt: change.now,
      sentAt: inbound.sentAt ?? null,
      isOthers: inbound.answers !== undefined,
      isByContact,
    })
    if (!isClaimed) throw new ConcurrentInsertError('the message was received before')
    await inbound.alsoWrites?.(change.sql, { message: id, ignored: null })
    if (isByContact) await this.#noteSender(change, { inbound, who, contact })
    if (!inbound.answers && !change.isNew) {
      const { id: used, touchpoint } = service
      await change.together(noteThreadServices, { contact: contact.id, touchpoint, isApart, service: used })
    }
    await recordFiles(change, inbound.answers ? null : contact.id, files.kept)
    // Providers sign their requests: the payload of a click is that of a button which was sent to the consumer.
    const sender = { member: null, isBot: false, path: pathOf(service), mayNameForms: true }
    for (const [index, newMessage] of newMessages.entries()) {
      // Whoever forwards the message takes the files with it that came with it.
      if (index > 0 && newMessage.meta.fileId !== undefined) newMessage.meta = { ...newMessage.meta, _partOf: id }
      const message = await processMessage(change, {
        router,
        sender,
        newMessage,
        id: ids[index]!,
        isInCreate: change.isNew,
      })
      if (inbound.isOwn) noteSent(change, message, inbound)
    }
    if (inbound.answers) await tellWhoForwarded(change, { forwarding: inbound.answers, message: id })
    return {
      message: id,
      conversation: change.conversation.id,
      contact: inbound.answers ? null : contact.id,
      isRepeat: false,
    }
  }

  /** Notes where the consumer can be reached, and who else it may be. @throws ConcurrentInsertError */
  async #noteSender(
    change: WritingChange,
    { inbound: { from, sentAt, service }, who, contact }: Pick<Found, 'inbound' | 'who'> & { contact: KnownContact },
  ): Promise<void> {
    const window = this.options.windows.get(service.type)
    const { handle = null, alsoHandles = [] } = who ?? {}
    const seen = { contact: contact.id, handle, alsoHandles, email: from.email, sentAt, window }
    if (!(await noteContact(change, service, seen))) {
      throw new ConcurrentInsertError("the handle has become another contact's")
    }
    // The provider says that they are one person. An agent decides (4.8): numbers are given to other people.
    for (const other of contact.others ?? []) {
      change.addJob(CONTACT_MATCHED.create({ contact: contact.id, other }, { key: `contact:${contact.id}` }))
    }
  }

  async #earlier({ service, providerId, alsoKnownAs = providerId }: InboundMessage): Promise<Received | null> {
    const row = await readNamed(this.options.database, { service: service.id, providerId, alsoKnownAs })
    if (!row) return null
    const { message, conversation, contact, ignored } = row
    if (ignored !== null) return { ignored, isRepeat: true }
    return { message: message!, conversation: conversation!, contact, isRepeat: true }
  }
}

type Named = Record<'message' | 'conversation' | 'contact' | 'ignored', string | null>

/** Reads what became of messages that the provider has named so before. */
const readNamed = batchingOn<{ service: string; providerId: string; alsoKnownAs: string }, Named | undefined>(
  async (sql, names) => {
    const rows = await sql.query<Named & { place: number }>(
      `select x.place::int as place, i.message_id as message, i.conversation_id as conversation, i.contact_id as contact, i.ignored
       from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as x(service, name, other, place)
       cross join lateral (select * from ${inboundNamedSql('x.service', 'x.name', 'x.other')} i limit 1) i`,
      [
        names.map(({ service }) => service),
        names.map(({ providerId }) => providerId),
        names.map(({ alsoKnownAs }) => alsoKnownAs),
      ],
      'inbound-message',
    )
    return names.map((_name, index) => rows.find(({ place }) => place === index + 1))
  },
)

interface Found {
  inbound: InboundMessage
  files: InboundFiles
  newMessages: NewMessage[]
  /** Null where a token proved the conversation: the address may be another person's. */
  who: Identity | null
  /** Null for a new contact. */
  contact: KnownContact | null
  tries: number
}

/** Providers give whole seconds, by clocks of their own. */
const CLOCKS_APART_MS = 60_000

/** Notes that a message has gone to the consumer already, and that the consumer waits no more. */
function noteSent(
  change: WritingChange,
  message: MessageRow,
  { service: { id: serviceId, touchpoint }, providerId, from, sentAt }: InboundMessage,
): void {
  const recipient = from.handle ?? from.telephone ?? from.email ?? null
  const sent = { touchpoint, serviceId, recipient, status: 'sent', reason: null, code: null, providerId } as const
  change.addDelivery(message, sent)
  const { unansweredSince } = change.conversation
  const lateMs = sentAt && unansweredSince ? unansweredSince.getTime() - sentAt.getTime() : 0
  if (lateMs > CLOCKS_APART_MS) change.sentBefore.add(message.id)
  else change.conversation.awaitingReply = false
}

/** Returns the account of a service: its messages take turns with those who work at its organization. */
const shareOfService = (service: TouchpointService): Share => shareOf(pathOf(service), `service:${service.id}`)

/**
 * Tells whether something changed since it was looked up: the contact or the thread was created, the conversation
 * merged or deleted.
 */
function isRace(error: unknown): boolean {
  if (error instanceof ConcurrentInsertError || error instanceof ContactExists || error instanceof NotFound) return true
  return isOfMerged(error) || isUniqueViolation(error, 'touchpoint_thread_pkey')
}

function requireProviderId(id: string): void {
  if (id.length > 0 && id.length <= PROVIDER_ID_CHARS_MAX && !/\p{Cc}/u.test(id)) return
  throw new BadUserInput('providerId', `providerId must have 1 to ${PROVIDER_ID_CHARS_MAX} characters`)
}

/** As a pseudonym: an id may name its sender, whose erasure would not find it. */
const IGNORE = `
insert into inbound_message (service_id, provider_id, ignored, received_at)
select $1, erased_name($2), $3, $4
where not exists (select from inbound_message where service_id = $1::uuid and provider_id = $2::text)
on conflict do nothing returning 1`

/** Deletes old provider ids: providers repeat unanswered messages for a few days at most. */
export async function pruneInbound(sql: Sql, now: Date): Promise<void> {
  await sql.query("delete from inbound_message where received_at < $1::timestamptz - interval '30 days'", [now])
}
