import { Refused } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ContactNoteDocument, DeleteContactNoteDocument, UpdateContactNoteDocument } from '../../generated/contacts.js'
import { t } from '../../shared/i18n/messages.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { RequestDialog } from '../request-dialog.js'
import { useStore } from '../store/console-store.js'
import { NOTE_CHARS_MAX } from './note-box.js'
import type { Entry } from './use-timeline.js'
import { words } from './words.js'

type Shown = NonNullable<Entry['note']>

/** A note; its author, and whoever administers, changes and deletes it. */
export function Note({ note, changed }: { note: Shown; changed(): void }) {
  const store = useStore()
  const [act, setAct] = useState<'edit' | 'remove' | null>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const mayChange = note.authorId === store.user || store.isAdmin
  const stop = (): void => {
    setAct(null)
    requestAnimationFrame(() => edit.current?.focus())
  }
  if (act === 'edit')
    return (
      <EditNote
        note={note}
        stop={(isSaved) => {
          if (isSaved) changed()
          stop()
        }}
      />
    )
  return (
    <div class="notebox">
      <p class="pre" dir="auto">
        {note.text}
      </p>
      <p class="line tight t2">
        <bdi class="mute">{note.authorName}</bdi>
        {note.version > 1 && <span class="mute">{words.edited}</span>}
        {mayChange && (
          <>
            <button class="link push" ref={edit} onClick={() => setAct('edit')}>
              {words.editNote}
            </button>
            <button class="link" onClick={() => setAct('remove')}>
              {words.deleteNote}
            </button>
          </>
        )}
      </p>
      {act === 'remove' && (
        <RequestDialog
          title={words.deleteNote}
          icon="trash"
          tone="danger"
          submit={() => store.request(DeleteContactNoteDocument, { id: note.id })}
          close={(isDone) => {
            setAct(null)
            if (!isDone) return
            changed()
            // The button that had the focus disappears with the note.
            requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-timeline]')?.focus())
          }}
        >
          <p>{words.deleteNoteAsk}</p>
        </RequestDialog>
      )}
    </div>
  )
}

/** The text in a box. If it was changed elsewhere meanwhile, that is shown, and replaced only by whoever has seen it. */
function EditNote({ note, stop }: { note: Shown; stop(isSaved: boolean): void }) {
  const store = useStore()
  const [text, write] = useState(note.text)
  // Changes that come while it is edited do not replace what is typed.
  const [seen, see] = useState(note)
  const [there, setThere] = useState<Shown | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => box.current?.focus(), [])
  const save = async (): Promise<void> => {
    if (isBusy || text.trim() === '') return
    setBusy(true)
    setFault(null)
    try {
      await store.request(UpdateContactNoteDocument, { id: note.id, text, version: seen.version })
      return stop(true)
    } catch (error) {
      if (error instanceof Refused && error.code === 'PRECONDITION_FAILED') await showThere()
      else setFault((error as Error).message)
    }
    setBusy(false)
  }
  const showThere = async (): Promise<void> => {
    try {
      const { contactNote } = await store.request(ContactNoteDocument, { id: note.id })
      if (!contactNote) return setFault(words.noteGone)
      setThere(contactNote)
      see(contactNote)
    } catch (error) {
      setFault((error as Error).message)
    }
  }
  return (
    <form
      class="notebox note-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') stop(false)
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <textarea
        ref={box}
        class="in"
        aria-label={words.note}
        dir="auto"
        maxLength={NOTE_CHARS_MAX}
        rows={Math.min(10, Math.max(2, text.split('\n').length))}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
      />
      {there && (
        <div role="alert">
          <p class="hint bad">
            <Icon name="alert" size="s" />
            {words.changedMeanwhile}
          </p>
          <p class="pre" dir="auto">
            {there.text}
          </p>
        </div>
      )}
      <ErrorHint text={fault} />
      <p class="line">
        <button class="btn small" aria-disabled={isBusy || text.trim() === ''}>
          {there ? words.replaceNote : t().save}
        </button>
        <button type="button" class="btn small ghost" onClick={() => stop(there !== null)}>
          {t().cancel}
        </button>
      </p>
    </form>
  )
}
