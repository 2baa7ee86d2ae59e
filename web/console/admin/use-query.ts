import { useCallback, useEffect, useState } from 'preact/hooks'
import type { TypedDocument } from '@switchboard/client'
import { useOffice } from '../office.js'

const POLL_MS = 15_000

export interface Answer<Data, Variables = unknown> {
  data: Data | null
  /** What the data answers: other variables than those given now, until their answer is there. */
  of: Variables | null
  /** Why it could not be asked: what is shown may be old. */
  error: Error | null
  refresh(): void
}

/** Asks, and asks again while the page is visible. */
export function useQuery<Data, Variables, Given extends Variables = Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Given,
): Answer<Data, Given> {
  const office = useOffice()
  const key = JSON.stringify(variables)
  const [answer, set] = useState<Omit<Answer<Data, Given>, 'refresh'>>({ data: null, of: null, error: null })
  const [round, turn] = useState(0)
  const refresh = useCallback(() => turn((last) => last + 1), [])
  useEffect(() => {
    const stop = new AbortController()
    office.request(document, variables, stop.signal).then(
      (data) => set({ data, of: variables, error: null }),
      (error: Error) => stop.signal.aborted || set((last) => ({ ...last, error })),
    )
    return () => stop.abort()
  }, [document, key, round])
  useEffect(() => {
    const timer = setInterval(() => globalThis.document.visibilityState === 'visible' && refresh(), POLL_MS)
    return () => clearInterval(timer)
  }, [refresh])
  return { ...answer, refresh }
}
