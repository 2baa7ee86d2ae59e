import { useMemo, useState } from 'preact/hooks'
import { EarlierDocument } from '../../generated/live.js'
import { t } from '../../shared/i18n/messages.js'
import type { Thread, ThreadMessage } from '../../shared/live/thread.js'
import type { ConsoleStore } from '../store/console-store.js'

const PAGE = 50

export interface Earlier {
  /** Before those of the live thread, oldest first. */
  messages: readonly ThreadMessage[]
  /** True if there is more to load. */
  hasMore: boolean
  isLoading: boolean
  fault: string | null
  load(): void
}

interface Pages {
  /** The snapshot that they lead on from. */
  snapshot: string
  loaded: readonly ThreadMessage[]
  /** Leads to the messages before them; null when there are none. */
  cursor: string | null
  isLoading: boolean
  fault: string | null
}

/** The pages before what the live thread holds, loaded when asked for, with their changes since. */
export function useEarlier(
  store: ConsoleStore,
  { conversation, snapshot, startCursor, messages, changedEarlier }: Thread,
): Earlier {
  const none: Pages = { snapshot, loaded: [], cursor: startCursor, isLoading: false, fault: null }
  const [known, setPages] = useState(none)
  // Those before an earlier snapshot end where that began, and what came between it and this one is in neither.
  const pages = known.snapshot === snapshot ? known : none
  const { loaded, cursor, isLoading, fault } = pages
  const withChanges = useMemo(
    () =>
      loaded.flatMap((message) => {
        const changed = changedEarlier.get(message.id)
        return changed === null ? [] : [changed ?? message]
      }),
    [loaded, changedEarlier],
  )

  const load = (): void => {
    if (isLoading) return
    setPages({ ...pages, isLoading: true, fault: null })
    const answered = (more: Partial<Pages>): void =>
      setPages((now) => (now.snapshot === snapshot ? { ...now, isLoading: false, ...more } : now))
    store.request(EarlierDocument, { id: conversation.id, last: PAGE, before: cursor }).then(
      (answer) => {
        if (!answer.conversation) return answered({ fault: t().thread.notFound })
        const { edges, pageInfo } = answer.conversation.messages
        answered({ loaded: [...edges.map(({ node }) => node), ...loaded], cursor: pageInfo.startCursor })
      },
      (error: Error) => answered({ fault: error.message }),
    )
  }
  const oldest = loaded[0]?.position ?? messages[0]?.position ?? 1
  return { messages: withChanges, hasMore: oldest > 1 && cursor !== null, isLoading, fault, load }
}
