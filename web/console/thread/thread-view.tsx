import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { MarkReadDocument } from '../../generated/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { Thread, ThreadFrame } from '../../shared/live/thread.js'
import { listPath, type AnyList } from '../route.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { Icon } from '../../shared/ui/icon.js'
import { dialogs, Opened } from '../lazy.js'
import { leave } from './leave.js'
import { Log } from './log.js'
import { OfflineBand } from './offline-band.js'
import { PendingList } from './pending.js'
import { ReplyPlace } from './reply-place.js'
import { ThreadHead } from './thread-head.js'

interface ThreadViewProps {
  /** Null until an address has been looked up. */
  id: string | null
  /** Null until it has come: the box to answer in is there before. */
  thread: Thread | null
  frame: ThreadFrame | null
  list: AnyList
  showPanel(): void
}

/** The head, what was said, and the box to answer in. */
export function ThreadView({ id, thread, frame, list, showPanel }: ThreadViewProps) {
  const store = useStore()
  const main = useRef<HTMLElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const own = frame?.participants.find(({ userId }) => userId === store.user)
  const isOwn = frame
    ? own?.accepted === true && frame.conversation.status === 'ACTIVE'
    : id !== null && store.lists.mine.state.value?.has(id) === true
  const isTaken = id !== null && store.acts.accepting.value.has(id)
  const isReady = thread !== null && frame !== null
  const focus = (): void => {
    if (isOwn || isTaken) focusBox(box.current)
    else (main.current?.querySelector<HTMLElement>('[role="log"]') ?? main.current)?.focus()
  }
  store.focusOpened = focus
  useLayoutEffect(focus, [])
  useLayoutEffect(() => {
    if (isReady && isNowhere(main.current)) focus()
  }, [isReady])
  return (
    <main ref={main} class="col thread" id="main" tabIndex={-1} aria-busy={!isReady}>
      {frame ? <ThreadHead thread={frame} isOwn={isOwn} list={list} showPanel={showPanel} /> : <Opening list={list} />}
      <OfflineBand />
      {thread?.conversation.handOverNoteId && <Opened dialog="HandOverNote" key={`note ${id}`} thread={thread} />}
      {thread && frame ? (
        <Log key={thread.conversation.id} thread={thread} name={frame.name} />
      ) : (
        <div key="log" class="scroll log">
          <div class="turns">{id && <PendingList id={id} messages={[]} />}</div>
        </div>
      )}
      {thread && (dialogs.value || thread.proposals.length > 0) && (
        <Opened dialog="Proposals" key={`proposals ${id}`} thread={thread} box={box} />
      )}
      {id && <ReplyPlace key={`reply ${id}`} id={id} thread={frame} isOwn={isOwn} list={list} box={box} />}
      {thread && <MarkRead thread={thread} />}
      {thread && frame && store.macro.value !== null && (
        <Opened
          dialog="MacroDialog"
          thread={frame}
          last={thread.messages.at(-1)?.id ?? null}
          given={store.macro.value}
          leaveBy={(run) => leave(store, frame.conversation.id, list, run)}
          close={() => (store.macro.value = null)}
        />
      )}
    </main>
  )
}

/** Nothing that somebody chose has the focus: it may be moved. */
function isNowhere(main: HTMLElement | null): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement === main
}

/** On a touch screen the keyboard would cover what is to be read. */
function focusBox(box: HTMLTextAreaElement | null): void {
  if (box && !matchMedia('(pointer: coarse)').matches) box.focus()
  else document.querySelector<HTMLElement>('#main')?.focus()
}

/** The head before the conversation has come. */
function Opening({ list }: { list: AnyList }) {
  return (
    <div class="head">
      <a class="btn ghost icon phone" href={listPath(list)} aria-label={t().back}>
        <Icon name="left" flip />
      </a>
      <span class="skel av" />
      <span class="skel w1" />
      <p class="vh" role="status">
        {t().loading}
      </p>
    </div>
  )
}

function MarkRead({ thread }: { thread: Thread }) {
  useMarkRead(useStore(), thread)
  return null
}
/** Marks messages as read on the server, only while they are visible. */
function useMarkRead(store: ConsoleStore, { conversation, messages, participants }: Thread): void {
  const last = messages.at(-1)?.id
  const unread = participants.find(({ userId }) => userId === store.user)?.unreadCount ?? 0
  useEffect(() => {
    if (!last || unread === 0) return
    const mark = (): void => {
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      void store.request(MarkReadDocument, { conversation: conversation.id, message: last }).catch(() => undefined)
    }
    const timer = setTimeout(mark, 300)
    addEventListener('focus', mark)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', mark)
    }
  }, [store, conversation.id, last, unread])
}
