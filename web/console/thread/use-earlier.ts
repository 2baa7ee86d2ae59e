import { useEffect, useState } from 'preact/hooks'
import { EarlierDocument } from '../../shared/graphql/live.js'
import type { Thread, ThreadMessage } from '../../shared/live/thread.js'
import type { Office } from '../office.js'

const PAGE = 50

export interface Earlier {
  /** Before those of the live thread, oldest first. */
  messages: readonly ThreadMessage[]
  /** Whether there is more to load. */
  hasMore: boolean
  isLoading: boolean
  fault: string | null
  load(): void
}

/** The pages before what the live thread holds, loaded when asked for, with their changes since. */
export function useEarlier(office: Office, thread: Thread): Earlier {
  const { id } = thread.conversation
  const [loaded, setLoaded] = useState<readonly ThreadMessage[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [state, setState] = useState<{ isLoading: boolean; fault: string | null }>({ isLoading: false, fault: null })
  // A fresh snapshot begins where it begins: what was loaded before goes on from there.
  const first = thread.messages[0]?.position ?? 1
  const before = loaded.filter(({ position }) => position < first)
  const messages = before.flatMap((message) => {
    const changed = thread.changedEarlier.get(message.id)
    return changed === null ? [] : [changed ?? message]
  })
  const oldest = before[0]?.position ?? first
  useEffect(() => setLoaded([]), [id])

  const load = (): void => {
    if (state.isLoading) return
    setState({ isLoading: true, fault: null })
    office.request(EarlierDocument, { id, last: PAGE, before: cursor ?? thread.startCursor }).then(
      ({ conversation }) => {
        const { edges, pageInfo } = conversation!.messages
        const page = edges.map(({ node }) => node)
        setCursor(pageInfo.startCursor)
        setLoaded((known) => {
          const all = new Map([...page, ...known].map((message) => [message.id, message]))
          return [...all.values()].toSorted((a, b) => a.position - b.position)
        })
        setState({ isLoading: false, fault: null })
      },
      (error: Error) => setState({ isLoading: false, fault: error.message }),
    )
  }
  return { messages, hasMore: oldest > 1 && (cursor ?? thread.startCursor) !== null, ...state, load }
}
