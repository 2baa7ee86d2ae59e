import { useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Content } from '../../shared/ui/content.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { DeleteMessage } from './delete-message.js'
import { EditBox } from './edit-box.js'

interface OwnMessageProps {
  message: ThreadMessage
  isNote?: boolean | undefined
}

/** A message that the agent may edit and delete. */
export function OwnMessage({ message, isNote }: OwnMessageProps) {
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
        <EditBox message={message} text={edited} write={(text) => write(store, message.id, text)} stop={stop} />
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
      {isAsked && <DeleteMessage message={message} close={() => setAsked(false)} />}
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
