import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { dayName } from '../../shared/i18n/format.js'
import type { Thread, ThreadMessage } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { touchpointsOf } from '../composer/touchpoints.js'
import { Opened } from '../lazy.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { keyOf, partsOf, type Part } from './parts.js'
import { PendingList } from './pending.js'
import { Turn } from './turn.js'
import { bySentence } from './reads-aloud.js'
import { useDrawn } from './use-drawn.js'
import { useEarlier } from './use-earlier.js'

/** The messages, oldest first. It starts at its end and stays there by itself while more comes in. */
export function Log({ thread, name }: { thread: Thread; name: string }) {
  const store = useStore()
  const words = t().thread
  const earlier = useEarlier(store, thread)
  const ways = useMemo(() => touchpointsOf(thread.conversation), [thread.conversation])
  const messages = useMemo(() => [...earlier.messages, ...thread.messages], [earlier.messages, thread.messages])
  const newFrom = useNewFrom(store, thread, messages)
  const before = useRef<readonly Part[]>([])
  const parts = useMemo(() => (before.current = partsOf(messages, newFrom, before.current)), [messages, newFrom])
  const { log, first, unseen, back, scrolled, toEnd } = useDrawn(messages)
  const isMoreHere = parts.length > 0 && parts[0]!.position < first
  const load = (): void => {
    back()
    if (!isMoreHere) earlier.load()
  }
  const [isBySentence] = useState(bySentence.isOn)
  const more = useRef<HTMLButtonElement>(null)
  const hadFocus = more.current !== null && document.activeElement === more.current
  useLayoutEffect(() => {
    // With the last of the earlier messages the button has gone.
    if (hadFocus && !more.current) log.current!.focus()
  })
  return (
    <>
      <div
        ref={log}
        class="scroll log"
        role="log"
        aria-label={words.with(name)}
        tabIndex={0}
        data-zone="log"
        onScroll={scrolled}
        onKeyDown={(event) => event.key === 'Escape' && focusList()}
      >
        <div class="turns">
          {(isMoreHere || earlier.hasMore) && (
            <p class="sys back">
              <button ref={more} class="btn small" aria-disabled={earlier.isLoading} onClick={load}>
                {earlier.isLoading ? t().loading : words.loadEarlier}
              </button>
            </p>
          )}
          {earlier.fault && (
            <p class="sys bad" role="alert">
              {earlier.fault}
            </p>
          )}
          {parts
            .filter(({ position }) => position >= first)
            .map((part) =>
              part.kind === 'turn' ? (
                <Turn
                  key={keyOf(part)}
                  messages={part.messages}
                  contact={name}
                  contactKey={thread.conversation.id}
                  ways={ways}
                />
              ) : (
                <p class={`day ${part.kind}`} key={keyOf(part)}>
                  {part.kind === 'new' ? words.newMessages : dayName(part.at, store.now.value)}
                </p>
              ),
            )}
          <PendingList id={thread.conversation.id} messages={thread.messages} />
          <div role="status" class="typing-slot">
            {thread.typing.size + thread.written.size > 0 && <Opened dialog="Written" thread={thread} name={name} />}
          </div>
          {isBySentence && <Opened dialog="Aloud" thread={thread} />}
        </div>
      </div>
      {unseen !== null && (
        <p class="to-end">
          <button class="btn small" onClick={toEnd}>
            <Icon name="down" size="s" />
            {words.toEnd(unseen)}
          </button>
        </p>
      )}
    </>
  )
}

/**
 * Position of the first message of somebody else that was unread when the conversation was opened, or that came while the
 * window was left.
 */
function useNewFrom(store: ConsoleStore, thread: Thread, shown: readonly ThreadMessage[]): number {
  const [from, setFrom] = useState(() => {
    const unread = thread.participants.find(({ userId }) => userId === store.user)?.unreadCount ?? 0
    const others = thread.messages.filter(({ userId }) => userId !== store.user)
    return unread === 0 ? Infinity : (others.at(-unread)?.position ?? 0)
  })
  const last = useRef(0)
  last.current = thread.lastPosition
  // As soon as it is seen: the window may be left in the next moment.
  useLayoutEffect(() => {
    const leave = (): void => setFrom(last.current + 1)
    // What comes from now on is seen as it comes.
    const comeBack = (): void => setFrom((left) => (left > last.current ? Infinity : left))
    addEventListener('blur', leave)
    addEventListener('focus', comeBack)
    return () => {
      removeEventListener('blur', leave)
      removeEventListener('focus', comeBack)
    }
  }, [])
  return useMemo(
    () => shown.find(({ position, userId }) => position >= from && userId !== store.user)?.position ?? Infinity,
    [shown, from],
  )
}

/** Steps out of the conversation. */
function focusList(): void {
  const row =
    document.querySelector<HTMLElement>('.rows a[tabindex="0"]') ??
    document.querySelector<HTMLElement>('.list-col .scroll')
  row?.focus()
}
