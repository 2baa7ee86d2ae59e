import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Refused } from '@switchboard/client'
import { UpdateMessageDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Content } from '../../shared/ui/content.js'
import { Icon } from '../../shared/ui/icon.js'
import { useOffice, type Office } from '../office.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Opened } from '../lazy.js'
import { Elsewhere } from './elsewhere.js'

interface MessageProps {
  message: ThreadMessage
  isNote?: boolean
}

/** A message as everyone sees it; its author may edit and delete it, as far as section 5 allows: an administrator. */
export function EditableMessage({ message, isNote }: MessageProps) {
  const office = useOffice()
  const isOwn = office.isAdmin && message.userId === office.user && message.role === 'AGENT'
  return (
    <>
      {isOwn ? <OwnMessage message={message} isNote={isNote} /> : <Content message={message} isNote={isNote} />}
      {message.editedAt && <p class="sent">{t().ownMessage.edited}</p>}
    </>
  )
}

function OwnMessage({ message, isNote }: MessageProps) {
  const office = useOffice()
  const words = t().ownMessage
  const root = useRef<HTMLDivElement>(null)
  const [isAsked, setAsked] = useState(false)
  const edited = office.edits.value.get(message.id)
  const stop = (): void => {
    write(office, message.id, null)
    // The button is drawn again when the box is gone.
    requestAnimationFrame(() => root.current?.querySelector('button')?.focus())
  }
  if (edited !== undefined) {
    return (
      <div class="own" ref={root}>
        <EditBox message={message} text={edited} stop={stop} />
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
            onClick={() => write(office, message.id, message.text ?? '')}
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

interface EditBoxProps {
  message: ThreadMessage
  text: string
  /** Leaves the box, and forgets what was typed. */
  stop(): void
}

/** The text in a box: Escape leaves it as it was. What was typed stays there until the server has it. */
function EditBox({ message, text, stop }: EditBoxProps) {
  const office = useOffice()
  const words = t()
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => box.current?.focus(), [])
  const [fault, setFault] = useState<{ message: string; isOfText: boolean } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const save = (): void => {
    if (isBusy) return
    if (text === message.text) return stop()
    setBusy(true)
    setFault(null)
    office.request(UpdateMessageDocument, { id: message.id, text }).then(stop, (error: Error) => {
      setFault({ message: error.message, isOfText: error instanceof Refused && error.field !== null })
      setBusy(false)
    })
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') stop()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form
      class="edit-box"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <textarea
        class="in"
        aria-label={words.ownMessage.text}
        aria-invalid={fault?.isOfText ?? false}
        aria-describedby={fault ? id : undefined}
        dir="auto"
        rows={Math.min(12, text.split('\n').length + 1)}
        value={text}
        ref={box}
        onInput={(event) => write(office, message.id, event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <Elsewhere message={message} />
      <ErrorHint text={fault?.message} id={id} />
      <p class="line">
        <button class="btn small primary" aria-disabled={isBusy}>
          {words.save}
        </button>
        <button type="button" class="btn small" onClick={stop}>
          {words.cancel}
        </button>
      </p>
    </form>
  )
}

/** Whether its text is what is shown, and nothing else has to fit it. */
function isText({ type, contentType, text, attachment }: ThreadMessage): boolean {
  return (type === 'CHAT' || type === 'MENTION') && contentType === 'TEXT_PLAIN' && text !== null && attachment === null
}

/** @param text null when it is edited no longer */
function write({ edits }: Office, id: string, text: string | null): void {
  const next = new Map(edits.peek())
  if (text === null) next.delete(id)
  else next.set(id, text)
  edits.value = next
}
