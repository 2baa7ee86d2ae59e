import { useRef, useState } from 'preact/hooks'
import { AddContactNoteDocument } from '../../generated/contacts.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { words } from './words.js'

export const NOTE_CHARS_MAX = 5_000

/** Takes a new note. What was typed outlives a reload in this tab, and a failure. */
export function NoteBox({ contact, added }: { contact: string; added(): void }) {
  const store = useStore()
  const at = `contact-note:${store.user}:${contact}`
  const [text, type] = useState(() => kept(at))
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // A repeat of the same text is the same note: an answer may have been lost.
  const attempt = useRef({ text: '', key: '' })
  const box = useRef<HTMLTextAreaElement>(null)
  const typed = useRef(text)
  const write = (value: string): void => {
    typed.current = value
    type(value)
    keep(at, value)
  }
  const add = (): void => {
    if (isBusy || text.trim() === '') return
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() }
    setBusy(true)
    setFault(null)
    store.request(AddContactNoteDocument, { contact, text, key: attempt.current.key }).then(
      () => {
        attempt.current = { text: '', key: '' }
        setBusy(false)
        // What was typed on meanwhile is another note.
        const now = typed.current
        write(now.startsWith(text) ? now.slice(text.length).trimStart() : now)
        added()
        box.current?.focus()
      },
      (error: Error) => {
        setBusy(false)
        setFault(error.message)
      },
    )
  }
  return (
    <form
      class="notebox note-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <label>
        <span class="who">
          <Icon name="lock" size="s" /> <b>{words.note}</b> <span class="mute">{words.noteSeen}</span>
        </span>
        <textarea
          ref={box}
          class="in"
          aria-label={words.note}
          dir="auto"
          maxLength={NOTE_CHARS_MAX}
          rows={Math.min(10, Math.max(2, text.split('\n').length))}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return
            event.preventDefault()
            add()
          }}
        />
      </label>
      <ErrorHint text={fault} />
      <p class="line">
        <button class="btn small" aria-disabled={isBusy || text.trim() === ''}>
          {words.addNote}
        </button>
      </p>
    </form>
  )
}

function kept(at: string): string {
  try {
    return sessionStorage.getItem(at) ?? ''
  } catch {
    return ''
  }
}

/** Without a store, or with a full one, it is kept until the page is left. */
function keep(at: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(at)
    else sessionStorage.setItem(at, text)
  } catch {
    return
  }
}
