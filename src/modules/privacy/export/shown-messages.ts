import type { Context } from '../../../platform/context.js'
import { attachmentKeyOf, messageAttachmentLoader } from '../../attachments/message-attachment.js'
import { forwardingAnsweredBy } from '../../messages/forwarding.js'
import { messageData, messageForGuest } from '../../messages/message-columns.js'
import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import { disclosed } from '../../touchpoints/disclosed.js'
import { plainText } from '../../touchpoints/plain-text.js'
import { userProfileLoader } from '../../users/user-profile.js'
import type { FoundConversation } from './contact-reader.js'
import type { Turn } from './export-pages.js'
import type { ExportWords } from './export-words.js'
import type { ExportedFile, ExportedFiles } from './exported-files.js'

interface ShownOptions {
  system: Context
  files: ExportedFiles
  words: ExportWords
  hasNotes: boolean
  /** Name of the contact. */
  consumer: string
  organization: string
  /** Name under which the team speaks in the conversation, if it has one. */
  alias: unknown
}

/** The author of a message, and its attachments. */
interface Surroundings {
  author: string
  file: ExportedFile | null
  isInternal: boolean
}

/** Shows the messages of a conversation as its consumer sees them, and others as the team does. */
export class ShownMessages {
  constructor(private readonly options: ShownOptions) {}

  async *asJson(rows: AsyncIterable<MessageRow>): AsyncGenerator<object> {
    for await (const row of rows) {
      const { author, file, isInternal } = await this.#around(row)
      // Whom a mail went to besides is hidden from all: it is of these others.
      const { meta, provenance, ...seen } = messageForGuest(messageData(row))
      const { id, type, role, createdAt, editedAt, touchpoint, contentType, text, actions, items, results } = seen
      yield {
        ...{ id, type, role, author, isAutomated: row.isAutomated ?? false, isInternal, at: createdAt, editedAt },
        ...{ touchpoint, contentType, text, disclosure: row.disclosure ?? null, actions, items, results, meta },
        sources: provenance?.sources ?? [],
        file: file?.path ?? null,
        ...(this.options.hasNotes && { comments: row.comments.map((comment) => comment.text) }),
      }
    }
  }

  async *asTurns(rows: AsyncIterable<MessageRow>): AsyncGenerator<Turn> {
    const { words } = this.options
    for await (const row of rows) {
      const around = await this.#around(row)
      // 2.10: a button that was pressed is said by its text.
      const pressed = row.type === 'postback' ? row.actions?.[0] : undefined
      const text = pressed?.text ?? plainText(disclosed(row))
      const author = row.isAutomated ? `${around.author} (${words.automated})` : around.author
      yield { ...around, at: row.createdAt, author, text, isOwn: row.role === 'contact' }
    }
  }

  async #around(row: MessageRow): Promise<Surroundings> {
    const { system, files, consumer, organization, alias, words } = this.options
    const key = attachmentKeyOf(row)
    const isOwn = row.role === 'contact'
    const [attachment, user] = await Promise.all([
      key === null ? null : system.loader(messageAttachmentLoader).load(key),
      row.userId === null || isOwn ? null : system.loader(userProfileLoader).load(row.userId),
    ])
    const name = typeof alias === 'string' && alias !== '' ? alias : (user?.displayName ?? organization)
    return {
      // Who that is, is that person's data.
      author: isOwn ? consumer : forwardingAnsweredBy(row) ? words.outside : name,
      file: attachment && files.of(attachment),
      isInternal: !isConsumerVisible(row),
    }
  }
}

/** Returns what is shown of a conversation beside its messages; of a deleted one nothing is left. */
export function shownConversation({ id, state }: FoundConversation): object {
  if (!state) return { id, isDeleted: true }
  const { name, status, touchpoint, language, createdAt, updatedAt, closedAt, forms, results, meta } = state
  return { id, name, status, touchpoint, language, createdAt, updatedAt, closedAt, forms, results, meta: ownKeys(meta) }
}

/** Leaves out keys of the system's. */
const ownKeys = (meta: object): object =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith('_')))
