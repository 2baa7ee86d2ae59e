import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useEffect, useReducer } from 'preact/hooks'
import { RoutesDocument } from '../../generated/beside.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import type { Route } from './way.js'
import { useStore } from '../store/console-store.js'

/** Messages come in bursts. */
const ASK_MS = 200
/** Longer than this a page need not wait for the end of a window: it is looked at again before. */
const END_MS_MAX = 24 * 3_600_000

/**
 * Reads the ways to the consumer, and again with whatever may have changed them: a message, which opens a window; a delivery that
 * failed; a chosen touchpoint; the end of a window; a page that was not looked at.
 */
export function useRoutes({ conversation }: ThreadFrame): ReadonlySignal<readonly Route[] | null> {
  const store = useStore()
  const routes = useSignal<readonly Route[] | null>(null)
  const { id, mark, touchpoint, contactId } = conversation
  const undelivered = store.lists.mine.state.value?.get(id)?.undelivered ?? 0
  const [asked, ask] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const stop = new AbortController()
    const read = (): void =>
      void store.request(RoutesDocument, { conversation: id }, stop.signal).then(
        (found) => (routes.value = found.conversation?.routes ?? []),
        // What is known stays, and the server decides in any case.
        () => undefined,
      )
    const timer = setTimeout(read, routes.peek() ? ASK_MS : 0)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [id, mark, touchpoint, contactId, undelivered, asked])
  useEffect(() => {
    const now = store.session.now()
    const ends = (routes.value ?? []).map(({ openUntil }) => Date.parse(openUntil ?? '') - now)
    const timer = setTimeout(() => ask(undefined), Math.min(END_MS_MAX, ...ends.filter((left) => left > 0)))
    const looked = (): void => void (document.visibilityState === 'visible' && ask(undefined))
    document.addEventListener('visibilitychange', looked)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', looked)
    }
  }, [routes.value])
  return routes
}
