import type { Viewer } from '@switchboard/client'
import { useEffect, useState } from 'preact/hooks'
import { ViewersDocument } from '../../generated/beside.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'

/** Interval of refetching viewers: a node that dies does not publish that its viewers are gone. */
const ASK_MS = 30_000
const SHOWN_MAX = 2

/** Colleagues who have it open at this moment. */
export function Viewers({ thread }: { thread: ThreadFrame }) {
  useActWords()
  const store = useStore()
  const others = useViewers(store, thread).filter(({ userId }) => userId !== store.user)
  if (others.length === 0) return null
  const names = others.map(({ user }) => user?.displayName ?? '?')
  return (
    <span class="line tight wide-cell" role="status">
      {others.slice(0, SHOWN_MAX).map(({ userId, user }) => (
        <Avatar key={userId} name={user?.displayName ?? '?'} of={userId} size="s" />
      ))}
      <bdi class="cut">{catalogue.beside.reading(names)}</bdi>
    </span>
  )
}

/** By the stream's word as it comes, and by asking now and then. */
function useViewers(store: ConsoleStore, { conversation: { id }, viewers }: ThreadFrame): readonly Viewer[] {
  const [known, setKnown] = useState<readonly Viewer[]>([])
  useEffect(() => {
    if (viewers) setKnown(viewers)
  }, [viewers])
  useEffect(() => {
    const stop = new AbortController()
    const ask = (): void => {
      if (document.visibilityState !== 'visible') return
      store.request(ViewersDocument, { conversation: id }, stop.signal).then(
        ({ conversation }) => setKnown(conversation?.viewers ?? []),
        () => undefined,
      )
    }
    ask()
    const timer = setInterval(ask, ASK_MS)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [store, id])
  return known
}
