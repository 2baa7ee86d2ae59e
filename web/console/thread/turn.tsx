import type { VNode } from 'preact'
import type { Touchpoint } from '../../generated/live.js'
import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon } from '../../shared/ui/icon.js'
import { DeliveryLine } from './delivery-line.js'
import { Opened } from '../lazy.js'
import { originOf } from './merge-origin.js'
import { EditableMessage } from './editable-message.js'
import { isSpoken } from './parts.js'
import { readAloud } from './reads-aloud.js'

interface TurnProps {
  /** Messages of one speaker, following each other. */
  messages: readonly ThreadMessage[]
  contact: string
  contactKey: string
  /** The ways to the consumer. */
  ways: readonly Touchpoint[]
}

interface Mail {
  from: { name?: string; address: string }
}

const rows = new WeakMap<ThreadMessage, VNode>()

/** The same element while the message is the same, which is then not compared again: a long thread stays quick. */
function rowOf(message: ThreadMessage): VNode {
  const known = rows.get(message)
  if (known) return known
  const made = <EditableMessage key={message.id} message={message} />
  rows.set(message, made)
  return made
}

/** Messages of one speaker: the consumer at the start, agents and bots at the end, notes and the system apart. */
export function Turn({ messages, contact, contactKey, ways }: TurnProps) {
  const first = messages[0]!
  const words = t().thread
  if (first.meta?._rating) return <Opened dialog="RatingLine" message={first} />
  // Somebody outside, who answers what was forwarded.
  const writer = first.meta?._answersForwarding ? (first.meta._mail as Mail).from : null
  if (!isSpoken(first) || (first.role === 'SYSTEM' && first.type === 'CHAT' && !writer))
    return <SystemLine message={first} contact={contact} />
  const origin = originOf(first)
  if (origin) return <Opened dialog="MergeOffer" message={first} conversation={contactKey} origin={origin} />
  const who = writer
    ? writer.name || writer.address || words.system
    : first.role === 'CONTACT'
      ? contact
      : (first.user?.displayName ?? (first.role === 'BOT' ? words.bot : words.system))
  const live = readAloud.has(messages.at(-1)!.id) ? 'off' : undefined
  if (first.isBackchannel) {
    return (
      <div class="notebox" aria-live={live}>
        <p class="who">
          <Icon name="lock" size="s" />
          <b>
            <bdi>{who}</bdi>
          </b>
          <span>
            {timeOfDay(first.createdAt)} · {writer ? words.mail.answer : words.note}
          </span>
        </p>
        <EditableMessage message={first} isNote />
        <DeliveryLine message={first} isLast ways={[]} />
        <Approved message={first} />
      </div>
    )
  }
  const isContact = first.role === 'CONTACT'
  const side = isContact ? 'turn' : first.role === 'BOT' ? 'turn bot us' : 'turn us'
  return (
    <div class={side} aria-live={live}>
      {isContact && <Avatar name={contact} of={contactKey} />}
      <div class="body">
        <p class="who">
          <b>
            <bdi>{who}</bdi>
          </b>
          {first.isAutomated && <span class="tag">{words.bot}</span>}
          <time dateTime={first.createdAt}>{timeOfDay(first.createdAt)}</time>
        </p>
        {messages.map((message) => [
          message.disclosure && (
            <p class="sent" dir="auto">
              {message.disclosure}
            </p>
          ),
          rowOf(message),
          message.provenance && <Opened dialog="ProvenanceLine" message={message} />,
          <Approved message={message} />,
          message.meta?._reactions && <Opened dialog="ReactionLine" message={message} />,
          message.crossedAnswer && <p class="sent">{words.crossed}</p>,
          !isContact && <DeliveryLine message={message} isLast={message === messages.at(-1)} ways={ways} />,
        ])}
      </div>
    </div>
  )
}

/** Says who let the bot do it. */
function Approved({ message: { approvedBy } }: { message: ThreadMessage }) {
  return approvedBy && <Opened dialog="ApprovedLine" name={approvedBy.displayName} />
}

/** An event in a line: who came and went, what was set, which button was pressed. */
function SystemLine({ message, contact }: { message: ThreadMessage; contact: string }) {
  // A bot may pass on what the consumer pressed.
  const who = message.type === 'POSTBACK' ? contact : message.user?.displayName
  return (
    <p class="sys">
      <Icon name={ICONS[message.type] ?? 'info'} size="s" />
      <span>
        {who && <bdi>{who} </bdi>}
        <bdi>{wordsOf(message)}</bdi>
        {' · '}
        <time dateTime={message.createdAt}>{timeOfDay(message.createdAt)}</time>
      </span>
      <Approved message={message} />
    </p>
  )
}

const ICONS: Partial<Record<ThreadMessage['type'], string>> = { COMMAND: 'slash', FIELD: 'form', FORM: 'form' }

function wordsOf({ type, text, actions }: ThreadMessage): string {
  const words = t().thread
  if (type === 'COMMAND') return commandWords(text ?? '')
  if (type === 'POSTBACK') return words.didPress(actions?.[0]?.text ?? text ?? '')
  const [, sign = '', name = ''] = /^([+.-])\s*(.*)$/s.exec(text ?? '') ?? []
  if (type === 'FIELD') return words.didSet(name.replace(' ', ': '))
  if (type === 'FORM') return sign === '-' ? words.didRemoveForm(name) : words.didAskForm(name)
  return text ?? ''
}

/** A command in words; one that is unknown here, or for a bot, as it was typed. */
function commandWords(text: string): string {
  const [, name = '', rest = ''] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? []
  const words = t().thread
  if (name === 'set') return words.didSet(rest.replace(/^@/, '').replace(' ', ': ') || text)
  return words.did[name] ?? text
}
