import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { ConversationBySlugDocument, JoinDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { Shown } from '../../shared/live/live.js'
import { THREAD, type Thread, type ThreadFrame } from '../../shared/live/thread.js'
import { navigate } from '../../shared/router.js'
import { Icon } from '../../shared/ui/icon.js'
import { isId } from '@switchboard/client'
import { useOffice, type Office } from '../office.js'
import { ContactPanel } from '../panel/contact-panel.js'
import { listPath, threadPath, type ListName, type Route } from '../route.js'
import { contactName } from './contact-name.js'
import { ThreadView } from './thread-view.js'

type ThreadRoute = Extract<Route, { page: 'thread' }>

/** The open conversation and its contact. It is listened to only while this is shown: open means no inbox (3.2). */
export function ThreadColumns({ route, list }: { route: ThreadRoute; list: ListName }) {
  const office = useOffice()
  const [isPanelDrawn, setPanel] = useState(false)
  const { id, isMissing } = useConversationId(office, route.key)
  const shown = useThread(office, id)
  useJoin(office, id, route)
  const thread = shown?.state.value ?? null
  const error = shown?.error.value ?? null
  const frame = useFrame(thread)
  const showPanel = useCallback(() => setPanel(true), [])
  const hidePanel = useCallback(() => setPanel(false), [])
  useEffect(() => {
    if (!thread) return
    const { slug, id: conversation } = thread.conversation
    office.opened.value = { id: conversation, key: slug }
    if (route.key !== slug) navigate(threadPath(slug), { replace: true })
  }, [thread?.conversation.slug])
  useEffect(() => () => void (office.opened.value = null), [office])
  if (isMissing || error)
    return <Missing list={list} words={isMissing ? t().thread.notFound : `${t().thread.gone}: ${error!.message}`} />
  if (!thread || !frame) return <Loading />
  return (
    <>
      <ThreadView thread={thread} frame={frame} list={list} showPanel={showPanel} />
      <ContactPanel thread={frame} isDrawn={isPanelDrawn} close={hidePanel} />
    </>
  )
}

/** By the key of the address: an id, or a slug that is looked up. */
function useConversationId(office: Office, key: string): { id: string | null; isMissing: boolean } {
  const known = office.opened.peek()
  const given = isId(key) ? key : known?.key === key ? known.id : null
  const [found, setFound] = useState<{ id: string | null; isMissing: boolean }>({ id: given, isMissing: false })
  useEffect(() => {
    if (given) return
    const stop = new AbortController()
    const ask = (): void => {
      office.request(ConversationBySlugDocument, { slug: key }, stop.signal).then(
        ({ conversations: { edges } }) => setFound({ id: edges[0]?.node.id ?? null, isMissing: edges.length === 0 }),
        () => stop.signal.aborted || setTimeout(ask, 2_000),
      )
    }
    ask()
    return () => stop.abort()
  }, [office, key])
  return given ? { id: given, isMissing: false } : found
}

function useThread(office: Office, id: string | null): Shown<Thread> | null {
  const [shown, setShown] = useState<Shown<Thread> | null>(null)
  useEffect(() => {
    if (!id) return
    const opened = office.live.open(THREAD, { id })
    setShown(opened)
    return () => opened.close()
  }, [office, id])
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
function useJoin(office: Office, id: string | null, { joins, key }: ThreadRoute): void {
  useEffect(() => {
    if (!id || !joins) return
    navigate(threadPath(key), { replace: true })
    void office.request(JoinDocument, { conversation: id }).catch(() => undefined)
  }, [office, id, joins])
}

function Loading() {
  return (
    <main class="col thread" id="main" tabIndex={-1} aria-busy="true">
      <div class="head">
        <span class="skel av" />
        <span class="skel w1" />
      </div>
      <p class="vh" role="status">
        {t().loading}
      </p>
    </main>
  )
}

function Missing({ list, words }: { list: ListName; words: string }) {
  return (
    <main class="col thread empty" id="main" tabIndex={-1}>
      <div class="nothing">
        <Icon name="alert" size="l" />
        <h2>{words}</h2>
        <p>
          <a href={listPath(list)}>{t().back}</a>
        </p>
      </div>
    </main>
  )
}
