import { effect } from '@preact/signals'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { LiveEvent, TypedDocument } from '@switchboard/client'
import { RECORD_CHANGES } from '../../shared/live/record-changes.js'
import { useStore } from '../store/console-store.js'

const POLL_MS = 15_000
/** A list that follows live changes may show something that none of them tells. */
const FOLLOWED_POLL_MS = 120_000
/** Many changes at once, such as those of an import, are read together. */
const TOGETHER_MS = 300

/** A kind of record, as live changes name it. */
export type RecordKind =
  | 'article'
  | 'cannedResponse'
  | 'channel'
  | 'domain'
  | 'form'
  | 'fourEyes'
  | 'holidayCalendar'
  | 'label'
  | 'organization'
  | 'organizationGroup'
  | 'pendingChange'
  | 'reasonCode'
  | 'retentionPolicy'
  | 'retentionRun'
  | 'schedule'
  | 'service'
  | 'signInPolicy'
  | 'skill'
  | 'slaPolicy'
  | 'user'
  | 'workflow'
  | 'workflowDraft'

export interface Answer<Data, Variables = unknown> {
  data: Data | null
  /** Variables that the data answers: other variables than those given now, until their answer is there. */
  of: Variables | null
  /** Reason why it could not be asked: the data may be old. */
  error: Error | null
  refresh(): void
}

/**
 * Asks, and asks again while the page is visible.
 * @param kind of the records that it lists: then it asks when one of them changes, wherever that was
 */
export function useQuery<Data, Variables, Given extends Variables = Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Given,
  kind: RecordKind | null = null,
): Answer<Data, Given> {
  const store = useStore()
  const key = JSON.stringify(variables)
  const [answer, set] = useState<Omit<Answer<Data, Given>, 'refresh'>>({ data: null, of: null, error: null })
  const [round, turn] = useState(0)
  const refresh = useCallback(() => turn((last) => last + 1), [])
  useEffect(() => {
    const stop = new AbortController()
    store.request(document, variables, stop.signal).then(
      (data) => set({ data, of: variables, error: null }),
      (error: Error) => stop.signal.aborted || set((last) => ({ ...last, error })),
    )
    return () => stop.abort()
  }, [document, key, round])
  const isFollowed = kind !== null && store.isAdmin
  useEffect(() => {
    const pollMs = isFollowed ? FOLLOWED_POLL_MS : POLL_MS
    const timer = setInterval(() => globalThis.document.visibilityState === 'visible' && refresh(), pollMs)
    return () => clearInterval(timer)
  }, [refresh, isFollowed])
  useEffect(() => {
    if (!isFollowed) return undefined
    let timer: ReturnType<typeof setTimeout> | null = null
    const refreshSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = null
        refresh()
      }, TOGETHER_MS)
    }
    const changes = store.live.open(RECORD_CHANGES, {}, (event: LiveEvent) => {
      if ('record' in event && event.record === kind) refreshSoon()
    })
    let beginnings = changes.state.peek()
    const stop = effect(() => {
      if (changes.state.value === beginnings) return
      beginnings = changes.state.value
      refreshSoon()
    })
    return () => {
      if (timer) clearTimeout(timer)
      stop()
      changes.close()
    }
  }, [refresh, isFollowed, kind])
  return { ...answer, refresh }
}
