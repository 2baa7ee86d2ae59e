import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { duration } from '../../shared/i18n/format.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Composer } from '../composer/composer.js'
import { useCommand } from '../commands/use-command.js'
import type { AnyList } from '../route.js'
import { useStore } from '../store/console-store.js'
import { leave } from './leave.js'

interface ReplyPlaceProps {
  id: string
  /** Null until it has come: what is typed before is kept, and is sent afterwards. */
  thread: ThreadFrame | null
  isOwn: boolean
  list: AnyList
  box: { current: HTMLTextAreaElement | null }
}

/** So long after a click on Accept, a click on Send is taken for its second half. */
const DOUBLE_MS = 600

/** The composer; above it, while the conversation is not the agent's, the bar by which it becomes so. */
export function ReplyPlace({ id, thread, isOwn, list, box }: ReplyPlaceProps) {
  const store = useStore()
  const { acts } = store
  const words = t().thread
  const acceptedAt = useRef(-Infinity)
  // The second half of a double click falls on the bar, and takes the focus nowhere.
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => hold(false), DOUBLE_MS)
    return () => clearTimeout(timer)
  }, [isHeld])
  const isAccepting = acts.accepting.value.has(id)
  useEffect(() => {
    if (isOwn) acts.settle(id)
  }, [isOwn, isAccepting])
  const status = thread?.conversation.status
  const canAccept = thread !== null && !isOwn && !isAccepting && status !== 'ARCHIVED'
  const accept = (trigger: string): void => {
    if (!canAccept) return
    acceptedAt.current = performance.now()
    hold(true)
    box.current?.focus()
    void acts.accept(id, trigger, status === 'QUEUED')
  }
  const label = status === 'CLOSED' ? words.reopen : words.accept
  useCommand({ id: 'accept', label, icon: 'check', key: 'a', run: () => accept('shortkey') }, canAccept)
  return (
    <>
      {thread && (canAccept || isHeld) && (
        <div class="acceptbar" onMouseDown={(event) => isHeld && event.preventDefault()}>
          <div class="grow">
            <p class="b">
              <Standing thread={thread} />
            </p>
            {status !== 'CLOSED' && <p class="mute t2">{words.notAccepted(thread.name)}</p>}
          </div>
          <button
            class="btn primary big"
            data-command="accept"
            aria-disabled={!canAccept}
            onClick={() => accept(list === 'inbox' ? 'inbox' : 'channel')}
          >
            {label}
            <kbd aria-hidden="true">A</kbd>
          </button>
        </div>
      )}
      <Composer
        id={id}
        thread={thread}
        box={box}
        accepts={canAccept}
        mayClick={() => performance.now() - acceptedAt.current > DOUBLE_MS}
        close={() => leave(store, id, list, () => acts.close(id, thread?.name ?? ''))}
      />
    </>
  )
}

/** Words on a conversation that is not the agent's: since when it waits, whose it is, when it was closed. */
function Standing({ thread }: { thread: ThreadFrame }) {
  const store = useStore()
  const words = t().thread
  const { conversation, participants } = thread
  const now = store.now.value
  if (conversation.status === 'QUEUED') {
    const rows = [...(store.lists.queue.state.value?.values() ?? [])]
    const since = rows.find((row) => row.conversation === conversation.id)?.queuedAt ?? conversation.queuedAt
    const waitedMs = now - Date.parse(since ?? conversation.createdAt)
    return <>{waitedMs < 60_000 ? words.status.QUEUED : words.waitingFor(duration(waitedMs))}</>
  }
  if (conversation.status === 'CLOSED') return <>{words.isClosed}</>
  const names = participants.filter(({ accepted }) => accepted).map(({ name }) => name)
  return <bdi>{words.withColleagues(names.filter((name) => name !== null).join(', '))}</bdi>
}
