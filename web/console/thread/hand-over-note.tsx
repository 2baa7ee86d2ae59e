import { useEffect, useState } from 'preact/hooks'
import { HandOverNoteDocument, type HandOverNoteQuery } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import type { Thread } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { useActWords, words } from '../acts/words.js'
import { useStore } from '../store/console-store.js'

type Note = NonNullable<NonNullable<HandOverNoteQuery['conversation']>['handOverNote']>

/** The note with which the conversation was handed over, above what was said since. */
export function HandOverNote({ thread }: { thread: Thread }) {
  const store = useStore()
  useActWords()
  const { id, handOverNoteId } = thread.conversation
  const [asked, set] = useState<Note | null>(null)
  const [isOpen, open] = useState(false)
  // Undefined where the page does not have it, null if it was deleted.
  const shown =
    thread.messages.find((message) => message.id === handOverNoteId) ?? thread.changedEarlier.get(handOverNoteId ?? '')
  const isAsked = shown === undefined
  useEffect(() => {
    const stop = new AbortController()
    if (isAsked)
      store.request(HandOverNoteDocument, { id }, stop.signal).then(
        ({ conversation }) => set(conversation?.handOverNote ?? null),
        // Then it is only in the thread.
        () => undefined,
      )
    return () => stop.abort()
  }, [id, handOverNoteId, isAsked])
  const note = isAsked ? (asked?.id === handOverNoteId ? asked : null) : shown
  if (!note?.text) return null
  const isLong = note.text.length > LONG || note.text.includes('\n')
  return (
    <section class="band pinned" aria-label={words.pinned.title}>
      <Icon name="hand" />
      <div class="grow">
        <p class="who">
          <b>
            <bdi>{note.user?.displayName ?? t().thread.bot}</bdi>
          </b>
          <span class="mute">
            {words.pinned.title} · <time dateTime={note.createdAt}>{timeOfDay(note.createdAt)}</time>
          </span>
        </p>
        <p class={isOpen ? 'text' : 'text cut'} dir="auto">
          {note.text}
        </p>
      </div>
      {isLong && (
        <button class="btn small ghost" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? words.pinned.less : words.pinned.more}
        </button>
      )}
    </section>
  )
}

/** Units of a text that may not fit into two lines. */
const LONG = 120
