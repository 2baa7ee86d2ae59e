import { useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Content } from '../../shared/ui/content.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { Opened } from '../lazy.js'

interface MessageProps {
  message: ThreadMessage
  isNote?: boolean
}

/** A message as everyone sees it; its author may edit and delete it, as far as section 5 allows: an administrator. */
export function EditableMessage({ message, isNote }: MessageProps) {
  const store = useStore()
  const isOwn = store.isAdmin && message.userId === store.user && message.role === 'AGENT'
  return (
    <>
      {isOwn ? <OwnMessage message={message} isNote={isNote} /> : <Content message={message} isNote={isNote} />}
      <Recipients message={message} />
      <MaybeNotFrom message={message} />
      {message.editedAt && <p class="sent">{t().ownMessage.edited}</p>}
    </>
  )
}

/** Addresses in the head of a mail: with names in one that came, without in one of ours. */
type Addresses = readonly (string | { address: string })[]

/** Says who else a mail is to. */
function Recipients({ message: { meta, role } }: MessageProps) {
  const mail = meta?._mail as Partial<Record<'to' | 'cc' | 'bcc', Addresses>> | undefined
  if (!mail) return null
  const { to = [], cc = [], bcc = [] } = mail
  // Of one that came, the only recipient is the service itself.
  const shown = { to: role === 'CONTACT' && to.length < 2 ? [] : to, cc, bcc }
  const words = t().thread.mail
  const lists = (['to', 'cc', 'bcc'] as const).filter((list) => shown[list].length > 0)
  if (lists.length === 0) return null
  return (
    <p class="sent">
      <Icon name="mail" size="s" />
      <bdi>
        {lists
          .map((list) => {
            const addresses = shown[list].map((each) => (typeof each === 'string' ? each : each.address))
            return `${words[list]}: ${addresses.join(', ')}`
          })
          .join(' · ')}
      </bdi>
    </p>
  )
}

/** Says of a mail that nothing proves its sender. */
function MaybeNotFrom({ message: { meta } }: MessageProps) {
  const sender = meta?._sender as { email?: unknown; proof?: unknown } | undefined
  if (typeof sender?.email !== 'string') return null
  const words = t().thread
  return (
    <p class="sent bad" role="note">
      <Icon name="alert" size="s" />
      <bdi>{words.maybeNotFrom(sender.email)}</bdi>
      {sender.proof === 'failed' && ` ${words.againstPolicy}`}
    </p>
  )
}

function OwnMessage({ message, isNote }: MessageProps) {
  const store = useStore()
  const words = t().ownMessage
  const root = useRef<HTMLDivElement>(null)
  const [isAsked, setAsked] = useState(false)
  const edited = store.writing.edits.value.get(message.id)
  const stop = (): void => {
    write(store, message.id, null)
    // The button is drawn again when the box is gone.
    requestAnimationFrame(() => root.current?.querySelector('button')?.focus())
  }
  if (edited !== undefined) {
    return (
      <div class="own" ref={root}>
        <Opened
          dialog="EditBox"
          message={message}
          text={edited}
          write={(text) => write(store, message.id, text)}
          stop={stop}
        />
      </div>
    )
  }
  return (
    <div class="own" ref={root}>
      <span class="tools">
        {isText(message) && (
          <button
            class="btn ghost icon small"
            aria-label={words.edit}
            title={words.edit}
            onClick={() => write(store, message.id, message.text ?? '')}
          >
            <Icon name="edit" size="s" />
          </button>
        )}
        <button
          class="btn ghost icon small"
          aria-label={words.remove}
          title={words.remove}
          onClick={() => setAsked(true)}
        >
          <Icon name="trash" size="s" />
        </button>
      </span>
      <div class="shown">
        <Content message={message} isNote={isNote} />
      </div>
      {isAsked && <Opened dialog="DeleteMessage" message={message} close={() => setAsked(false)} />}
    </div>
  )
}

/** Tells whether its text is shown, and nothing else has to fit it. */
function isText({ type, contentType, text, attachment }: ThreadMessage): boolean {
  return (type === 'CHAT' || type === 'MENTION') && contentType === 'TEXT_PLAIN' && text !== null && attachment === null
}

/** @param text null when it is edited no longer */
function write({ writing: { edits } }: ConsoleStore, id: string, text: string | null): void {
  const next = new Map(edits.peek())
  if (text === null) next.delete(id)
  else next.set(id, text)
  edits.value = next
}
