import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { ConversationBySlugDocument, JoinDocument } from '../../generated/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { Shown } from '../../shared/live/live.js'
import { THREAD, type Thread, type ThreadFrame } from '../../shared/live/thread.js'
import { navigate } from '../../shared/router.js'
import { Icon } from '../../shared/ui/icon.js'
import { isId } from '@switchboard/client'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { listPath, threadPath, type AnyList, type Route } from '../route.js'
import { contactName } from './contact-name.js'
import { PendingList } from './pending.js'
import { ThreadView } from './thread-view.js'

type ThreadRoute = Extract<Route, { page: 'thread' }>

/** The open conversation and its contact. It is listened to only while this is shown: open means no inbox (3.2). */
export function ThreadColumns({ route, list }: { route: ThreadRoute; list: AnyList }) {
  const store = useStore()
  const [isPanelDrawn, setPanel] = useState(false)
  const [panel, setPanelPart] = useState<typeof import('../panel/contact-panel.js') | null>(null)
  useEffect(() => {
    // The next conversation asks again for what did not come.
    import('../panel/contact-panel.js').then(setPanelPart, () => undefined)
  }, [])
  const { id, isMissing } = useConversationId(store, route.key)
  const shown = useThread(store, id)
  useJoin(store, id, route)
  const thread = shown?.state.value ?? null
  const error = shown?.error.value ?? null
  const frame = useFrame(thread)
  const showPanel = useCallback(() => setPanel(true), [])
  const hidePanel = useCallback(() => setPanel(false), [])
  useEffect(() => {
    if (!thread) return
    const { slug, id: conversation } = thread.conversation
    store.opened.value = { id: conversation, key: slug }
    if (route.key !== slug) navigate(threadPath(slug), { replace: true })
  }, [thread?.conversation.slug])
  useEffect(() => () => void (store.opened.value = null), [store])
  if (isMissing || error)
    return (
      <Missing id={id} list={list} words={isMissing ? t().thread.notFound : `${t().thread.gone}: ${error!.message}`} />
    )
  return (
    <>
      <ThreadView id={id} thread={thread} frame={frame} list={list} showPanel={showPanel} />
      {frame && panel && <panel.ContactPanel thread={frame} isDrawn={isPanelDrawn} close={hidePanel} />}
    </>
  )
}

/** By the key of the address: an id, or a slug that is looked up. */
function useConversationId(store: ConsoleStore, key: string): { id: string | null; isMissing: boolean } {
  const known = store.opened.peek()
  const given = isId(key) ? key : known?.key === key ? known.id : null
  const [found, setFound] = useState<{ id: string | null; isMissing: boolean }>({ id: given, isMissing: false })
  useEffect(() => {
    if (given) return
    const stop = new AbortController()
    const ask = (): void => {
      store.request(ConversationBySlugDocument, { slug: key }, stop.signal).then(
        ({ conversations: { edges } }) => setFound({ id: edges[0]?.node.id ?? null, isMissing: edges.length === 0 }),
        () => stop.signal.aborted || setTimeout(ask, 2_000),
      )
    }
    ask()
    return () => stop.abort()
  }, [store, key])
  return given ? { id: given, isMissing: false } : found
}

function useThread(store: ConsoleStore, id: string | null): Shown<Thread> | null {
  const [shown, setShown] = useState<Shown<Thread> | null>(null)
  useEffect(() => {
    if (!id) return
    const opened = store.live.open(THREAD, { id })
    setShown(opened)
    return () => opened.close()
  }, [store, id])
  return shown
}

/** The same object while only messages come, so that what is drawn of it is left as it is. */
function useFrame(thread: Thread | null): ThreadFrame | null {
  const { conversation, participants, clocks, viewers } = thread ?? {}
  const name = thread && contactName(thread)
  const fieldCount = thread?.messages.filter(({ type }) => type === 'FIELD').length ?? 0
  return useMemo(
    () => thread && { ...thread, name: name!, fieldCount },
    [conversation, participants, clocks, viewers, name, fieldCount],
  )
}

/** A conversation's own address joins without accepting (3.1); to look at one from a list does not. */
function useJoin(store: ConsoleStore, id: string | null, { joins, key }: ThreadRoute): void {
  useEffect(() => {
    if (!id || !joins) return
    navigate(threadPath(key), { replace: true })
    void store.request(JoinDocument, { conversation: id }).catch(() => undefined)
  }, [store, id, joins])
}

/** The words, and what was sent to the conversation before: it can be copied, or taken back. */
function Missing({ id, list, words }: { id: string | null; list: AnyList; words: string }) {
  return (
    <main class="col thread empty" id="main" tabIndex={-1}>
      <div class="nothing">
        <Icon name="alert" size="l" />
        <h2>{words}</h2>
        <p>
          <a href={listPath(list)}>{t().back}</a>
        </p>
        {id && <PendingList id={id} messages={[]} />}
      </div>
    </main>
  )
}
