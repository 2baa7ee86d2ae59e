import type { Readable } from 'node:stream'
import { messagesOfPostback } from '../conversations/sending/postback.js'
import type { JsonObject } from '../json.js'
import { parseMessage, type MessageDraft, type Touchpoint } from '../messages/message-content.js'
import type { TouchpointService } from './adapter.js'
import type { KeptFile, RefusedFile } from './inbound-files.js'

/** A consumer's message as an adapter hands it over, its origin proven by the adapter. */
export interface InboundMessage {
  /** Its type is the touchpoint. */
  service: TouchpointService
  /** The far side's name for it, at most 500 characters: the same one is the same message. */
  providerId: string
  from: Consumer
  /** A conversation that the consumer proved to write to, by a token: then `from` decides nothing. */
  conversation?: string
  /**
   * What was said, as clients say it (2.9): text, contentType, type `chat` or `postback`, actions, meta. Role, service
   * and touchpoint are set here. May say nothing when there are attachments.
   */
  message: Record<string, unknown>
  /** Meta beginning with `_`, which is the system's. */
  systemMeta?: JsonObject
  attachments?: InboundAttachment[]
}

export interface InboundAttachment {
  fileName: string
  content: Readable
}

/** Who wrote. At least one of handle, email and telephone. */
export interface Consumer {
  /** How the service names the consumer, where that is neither an email address nor a telephone number. */
  handle?: string
  email?: string
  telephone?: string
  name?: string
}

/**
 * The drafts of a message and its files: the first file goes with a message that says nothing else, the others follow as
 * messages of their own (2.12). What a postback's payload represents comes last (2.10).
 * @throws BadUserInput for what no message can hold; Forbidden for a payload that a consumer may not send
 */
export function draftsOf(
  inbound: InboundMessage,
  kept: readonly KeptFile[],
  refused: readonly RefusedFile[],
): MessageDraft[] {
  const { message: said, service, systemMeta } = inbound
  const isSilent = !['text', 'actions', 'items'].some((key) => said[key] != null && said[key] !== '')
  const [first, ...others] = kept
  const meta = (said.meta ?? {}) as JsonObject
  const own = isSilent
    ? { ...said, ...(first ? { meta: { ...meta, fileId: first.id } } : { text: refusedText(refused) }) }
    : said
  const drafts = [own, ...(isSilent ? others : kept).map(({ id }) => ({ meta: { fileId: id } }))].map((each) => {
    const messageDraft = parseMessage({ ...each, role: 'contact' })
    return { ...messageDraft, service: service.id, touchpoint: service.type as Touchpoint }
  })
  const [main] = drafts
  main!.meta = {
    ...main!.meta,
    ...systemMeta,
    ...(refused.length > 0 && { _refusedAttachments: refused }),
  } as JsonObject
  return [...drafts, ...messagesOfPostback(main!)]
}

function refusedText(refused: readonly RefusedFile[]): string {
  return refused.map(({ fileName }) => `[${fileName}]`).join(' ')
}
