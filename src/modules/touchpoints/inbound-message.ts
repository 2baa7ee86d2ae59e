import { messagesOfPostback } from '../conversations/sending/postback.js'
import type { Sql } from '../../platform/db/database.js'
import type { JsonObject } from '../../platform/json.js'
import { parseMessage, type NewMessage } from '../messages/message-content.js'
import type { TouchpointService } from './adapter.js'
import type { InboundAttachment, KeptFile, RefusedFile } from './inbound-files.js'

/** A consumer's message from an adapter, which has verified its origin. */
export interface InboundMessage {
  /** Its type is the touchpoint. */
  service: TouchpointService
  /** The provider's id, at most 500 characters; messages with the same id are the same message. */
  providerId: string
  /** Another id of the same message; a message is also known by it. */
  alsoKnownAs?: string
  /** True if it joins no conversation but one that such a message began: somebody else may have written it. */
  isApart?: boolean
  /** The consumer; of the organization's own message, the one whom it went to. */
  from: Consumer
  /** True for a message that the organization has sent by another way than this server. */
  isOwn?: boolean
  /** The note whose forwarded mail somebody outside answers: it becomes a note in `conversation`, whoever wrote it. */
  answers?: string
  /** Time at which the provider took it from the sender, as it says; the time for answers counts from there. */
  sentAt?: Date
  /** The conversation that a token proves; then `from` is not used to find one. */
  conversation?: string
  /**
   * Content as clients send it (2.9): text, contentType, type `chat` or `postback`, actions, meta. Role, service and
   * touchpoint are set here. May be empty when there are attachments.
   */
  message: Record<string, unknown>
  /** Meta with keys that begin with `_`, which only the system sets. */
  systemMeta?: JsonObject
  attachments?: InboundAttachment[]
  /** Files that were not fetched, and why; shown in the message. */
  notFetched?: readonly RefusedFile[]
  /** Writes in the transaction that records the message, or that it is ignored; not called for a repeat. */
  alsoWrites?: AlsoWrites
}

/** The fate of a message: its id, or why none was made of it. */
export type Settled = { message: string; ignored: null } | { message: null; ignored: string }

/** Statements of an adapter that hold if and only if the message does. A throw rolls everything back. */
export type AlsoWrites = (sql: Sql, settled: Settled) => Promise<void>

/** Sender: at least one of handle, email and telephone. */
export interface Consumer {
  /** The service's identifier of the consumer, where that is neither an email address nor a phone number. */
  handle?: string
  /** Further ones, by which the consumer may be known already. */
  alsoHandles?: readonly string[]
  email?: string
  telephone?: string
  name?: string
}

/** Nobody of the conversation wrote it. */
const NOTE = { role: 'system', isBackchannel: true }

/**
 * Builds the messages of a message and its files: the first file is attached to a message without text, the others follow
 * as separate messages (2.12). The messages that a postback's payload represents come last (2.10).
 * @throws BadUserInput for content that a message cannot hold; Forbidden for a payload that a consumer may not send
 */
export function newMessagesOf(
  inbound: InboundMessage,
  kept: readonly KeptFile[],
  refused: readonly RefusedFile[],
): NewMessage[] {
  const { answers, message: said, service, systemMeta, isOwn } = inbound
  const isSilent = !['text', 'actions', 'items'].some((key) => said[key] != null && said[key] !== '')
  const [first, ...others] = kept
  const meta = (said.meta ?? {}) as JsonObject
  const own = isSilent
    ? { ...said, ...(first ? { meta: { ...meta, fileId: first.id } } : { text: refusedText(refused) }) }
    : said
  const newMessages = [own, ...(isSilent ? others : kept).map(({ id }) => ({ meta: { fileId: id } }))].map((each) => {
    const voice = answers ? NOTE : { role: isOwn ? 'agent' : 'contact' }
    const newMessage = parseMessage({ ...each, ...voice })
    return { ...newMessage, service: service.id, touchpoint: service.touchpoint }
  })
  const [main] = newMessages
  main!.meta = {
    ...main!.meta,
    ...systemMeta,
    ...(answers && { _answersForwarding: answers }),
    ...(refused.length > 0 && { _refusedAttachments: refused }),
  } as JsonObject
  // A file of somebody outside is theirs as well, and not the consumer's.
  if (answers) for (const file of newMessages.slice(1)) Object.assign(file.meta, headOf(main!.meta))
  return [...newMessages, ...messagesOfPostback(main!)]
}

const HEAD = ['_mail', '_sender', '_answersForwarding']

const headOf = (meta: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => HEAD.includes(key)))

function refusedText(refused: readonly RefusedFile[]): string {
  return refused.map(({ fileName }) => `[${fileName}]`).join(' ')
}
