import { useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { RichContent } from './rich-content.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { DeleteMessage } from './delete-message.js'
import { ForwardTool } from './forward-tool.js'
import { EditBox } from './edit-box.js'

interface OwnMessageProps {
  message: ThreadMessage
  isNote?: boolean | undefined
}

/** A message, with what the agent may do with it: forward it; and of one's own, an administrator edits and deletes it (section 5). */
export function OwnMessage({ message, isNote }: OwnMessageProps) {
  const store = useStore()
  const words = t().ownMessage
  const root = useRef<HTMLDivElement>(null)
  const [isAsked, setAsked] = useState(false)
  const isOwn = store.isAdmin && message.userId === store.user && message.role === 'AGENT'
  const isForwarded =
    FORWARDED.has(message.type) && (message.role !== 'SYSTEM' || Boolean(message.meta?._answersForwarding))
  const edited = store.writing.edits.value.get(message.id)
  const stop = (): void => {
    write(store, message.id, null)
    // The button is drawn again when the box is gone.
    requestAnimationFrame(() => root.current?.querySelector('button')?.focus())
  }
  if (!isOwn && !isForwarded) return <RichContent message={message} isNote={isNote} />
  if (edited !== undefined) {
    return (
      <div class="own" ref={root}>
        <EditBox message={message} text={edited} write={(text) => write(store, message.id, text)} stop={stop} />
      </div>
    )
  }
  return (
    <div class="own" ref={root}>
      <span class="tools">
        {isOwn && isText(message) && (
          <button
            class="btn ghost icon small"
            aria-label={words.edit}
            title={words.edit}
            onClick={() => write(store, message.id, message.text ?? '')}
          >
            <Icon name="edit" size="s" />
          </button>
        )}
        {isOwn && (
          <button
            class="btn ghost icon small"
            aria-label={words.remove}
            title={words.remove}
            onClick={() => setAsked(true)}
          >
            <Icon name="trash" size="s" />
          </button>
        )}
        {/* After the button to which the focus returns from an edit. */}
        {isForwarded && <ForwardTool message={message} />}
      </span>
      <div class="shown">
        <RichContent message={message} isNote={isNote} />
      </div>
      {isAsked && <DeleteMessage message={message} close={() => setAsked(false)} />}
    </div>
  )
}

/** Types of messages that say something by themselves. */
const FORWARDED: ReadonlySet<ThreadMessage['type']> = new Set(['CHAT', 'CARD', 'POSTBACK'])

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
