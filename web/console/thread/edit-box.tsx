import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Refused } from '@switchboard/client'
import { UpdateMessageDocument } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { useStore } from '../store/console-store.js'
import { Elsewhere } from './elsewhere.js'

interface EditBoxProps {
  message: ThreadMessage
  text: string
  write(text: string): void
  /** Leaves the box, and forgets what was typed. */
  stop(): void
}

/** The text in a box: Escape leaves it as it was. What was typed stays there until the server has it. */
export function EditBox({ message, text, write, stop }: EditBoxProps) {
  const store = useStore()
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
    store.request(UpdateMessageDocument, { id: message.id, text }).then(stop, (error: Error) => {
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
        onInput={(event) => write(event.currentTarget.value)}
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
