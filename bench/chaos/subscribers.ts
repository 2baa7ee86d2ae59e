import WebSocket from 'ws'
import { LiveClient, type LiveDocument, type LiveView } from '@switchboard/client'
import { CONVERSATION, INBOX, QUEUE } from '@switchboard/client/documents'
import type { Stage } from './stage.js'

/** Events in the order in which they came. */
export interface Seen {
  type: string
  cursor: string
}

export interface Subscriber {
  name: string
  /** The id of its agent. */
  user: string
  field: keyof typeof DOCUMENTS
  view: LiveView<unknown>
  seen: Seen[]
  /** Closes of its socket. */
  closes: { at: number; code: number }[]
  /** The view has ended, and why: it must not. */
  ended: string | null
  /** Reads what a screen that is opened now shows, once all pages of its snapshot have come. */
  stateNow(url: string): Promise<{ state: unknown; cursor: string }>
  close(): Promise<void>
}

const DOCUMENTS = { queue: QUEUE, inbox: INBOX, conversation: CONVERSATION } as const
const OPEN_MS_MAX = 20_000

/** Four of each subscription, each on a socket of its own, as the example's client keeps them. */
export function openSubscribers(url: string, { agents, conversations }: Stage): Subscriber[] {
  const fields = ['queue', 'inbox', 'conversation'] as const
  return fields.flatMap((field) =>
    agents.map(({ id: user, api: { token } }, index) => {
      const variables = field === 'conversation' ? { id: conversations[index] } : {}
      return openSubscriber(`${field} ${index + 1}`, field, { url, user, token, variables })
    }),
  )
}

function openSubscriber(
  name: string,
  field: Subscriber['field'],
  { url, user, token, variables }: { url: string; user: string; token: string; variables: Record<string, unknown> },
): Subscriber {
  const open = (at: string, onConnection?: (isOpen: boolean) => void) =>
    new LiveClient({
      ...(onConnection && { onConnection }),
      serverUrl: at,
      token: () => token,
      webSocketImpl: WebSocket,
      pauseMs: { first: 50, longest: 1_000 },
    })
  const document = DOCUMENTS[field] as LiveDocument<unknown>
  const closes: Subscriber['closes'] = []
  const live = open(url, (isOpen) => {
    if (!isOpen) closes.push({ at: performance.now(), code: live.closes.at(-1) ?? 0 })
  })
  const seen: Seen[] = []
  const subscriber: Subscriber = {
    name,
    user,
    field,
    seen,
    closes,
    ended: null,
    view: live.open(document, {
      variables,
      onChange: (_state, event) => {
        if (isPartial(event)) return
        seen.push({ type: event.__typename.replace(/Page$/, ''), cursor: event.cursor })
      },
      onEnd: (error) => void (subscriber.ended = error.message),
    }),
    async stateNow(at) {
      const other = open(at)
      try {
        return await new Promise((resolve, reject) => {
          setTimeout(() => reject(new Error(`${name}: no snapshot`)), OPEN_MS_MAX).unref()
          other.open(document, {
            variables,
            onChange: (state, event) => isPartial(event) || resolve({ state, cursor: event.cursor }),
            onEnd: reject,
          })
        })
      } finally {
        await other.close()
      }
    },
    close: () => live.close(),
  }
  return subscriber
}

/** A page of a snapshot that is not the last one: its cursor leads nowhere, and the state is not yet what it will be. */
function isPartial(event: object): boolean {
  const { isComplete, isLast } = event as { isComplete?: boolean; isLast?: boolean }
  return isComplete === false || isLast === false
}
