import type { Touchpoint } from '../../generated/live.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage, ThreadProposal } from '../../shared/live/thread.js'
import { words } from './words.js'

/** An act of a bot as it is shown to whoever decides on it. */
export interface Proposed {
  /** In words, such as "an answer to the consumer". */
  does: string
  /** The command as it would be sent, which the words may simplify; null for a message that is shown. */
  command: string | null
  /** The message as the log would show it; null for a command. */
  message: ThreadMessage | null
  isNote: boolean
  /** Its text alone, where a person could send that as it is; else null. */
  text: string | null
  /** Model, tools and sources, as the bot names them. */
  provenance: ThreadMessage['provenance']
  /** All else that would be sent and is in none of these: nobody approves what was not shown. */
  rest: string
}

/** Fields of the input in the terms of `/v2`. */
interface Input {
  type?: string
  role?: string
  isBackchannel?: boolean
  contentType?: string
  text?: string
  touchpoint?: string
  actions?: { type?: string }[]
  items?: { actions?: { type?: string }[] }[]
  meta?: Record<string, unknown>
  provenance?: NonNullable<ThreadMessage['provenance']>
}

/** Fields that the words and the message show. */
const SHOWN = new Set([
  ...['type', 'role', 'isBackchannel', 'contentType', 'text', 'touchpoint', 'actions', 'items', 'meta', 'provenance'],
])
const NOTHING = { command: null, message: null, isNote: false, text: null, provenance: null, rest: '' }
/** A text that begins so would be a command, or words for a bot, once it is in the box. */
const NOT_FOR_THE_BOX = /^\s*[/>]/

export function proposedOf({ id, kind, action, input: given, text, createdAt }: ThreadProposal): Proposed {
  if (kind === 'ARTICLE') return { ...NOTHING, does: words.does.article }
  const input = given as Input
  const isCommand = input.type === 'command'
  const isNote = !isCommand && action !== 'REPLY'
  const { title, ...untitled } = input.meta ?? {}
  // A command sets what its metadata has.
  const meta = isCommand ? (input.meta ?? {}) : untitled
  const rest = {
    ...Object.fromEntries(Object.entries(input).filter(([name]) => !SHOWN.has(name))),
    ...(Object.keys(meta).length > 0 && { meta }),
  }
  const isPlain =
    input.type === 'chat' && (input.contentType ?? 'text/plain') === 'text/plain' && !input.actions && !input.items
  return {
    does: isCommand ? commandIn(text ?? '') : messageIn(input, isNote),
    command: isCommand ? text : null,
    message: isCommand ? null : messageOf(id, createdAt, input, title),
    isNote,
    text: isPlain && text && !NOT_FOR_THE_BOX.test(text) ? text : null,
    provenance: input.provenance ?? null,
    rest: Object.keys(rest).length > 0 ? JSON.stringify(rest) : '',
  }
}

function messageIn({ type, text = '', touchpoint }: Input, isNote: boolean): string {
  const { does } = words
  if (type === 'field') return does.field
  if (type === 'form') {
    const [, sign, name = ''] = /^([+.-]?)\s*(.*)$/s.exec(text) ?? []
    return sign === '-' ? does.removeForm(name) : does.askForm(name)
  }
  if (isNote) return type === 'chat' || type === 'mention' ? does.note : does.other
  return touchpoint ? does.replyBy(wayOf(touchpoint)) : does.reply
}

function commandIn(text: string): string {
  const [, name = '', rest = ''] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? []
  const [, attribute = '', value = ''] = /^@(\w+)\s*(.*)$/s.exec(rest) ?? []
  if (name === 'set' && attribute in words.sets) {
    const known = attribute as keyof typeof words.sets
    return value === '' ? words.clears[known] : words.sets[known](known === 'touchpoint' ? wayOf(value) : value)
  }
  return words.commands[name] ?? words.does.command
}

function wayOf(touchpoint: string): string {
  return t().touchpoint[touchpoint.toUpperCase() as Touchpoint] ?? touchpoint
}

/** A message that has not been sent: of what the log reads of one, as far as a bot can propose it. */
function messageOf(id: string, createdAt: string, input: Input, title: unknown): ThreadMessage {
  const inCapitals = (name: string): string => name.replaceAll(/[/-]|(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
  const buttons = (given: { type?: string }[] = []) => given.map((each) => ({ ...each, type: inCapitals(each.type!) }))
  const shown = {
    id,
    createdAt,
    type: inCapitals(input.type ?? 'chat'),
    contentType: inCapitals(input.contentType ?? 'text/plain'),
    text: input.text ?? null,
    meta: title === undefined ? null : { title },
    attachment: null,
    results: null,
    actions: buttons(input.actions),
    items: (input.items ?? []).map((item) => ({ ...item, actions: buttons(item.actions) })),
  }
  return shown as unknown as ThreadMessage
}
