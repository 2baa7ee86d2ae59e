import type { Client } from 'graphql-ws'
import { isRepeated } from './live-view.js'

/** Fields of each event of a stream; a document has to select them. */
interface StreamEvent {
  cursor?: string
  isStored?: boolean
  resync?: boolean
}

export interface ResumableOptions {
  /**
   * Events were missed and cannot be had any more: the snapshot that comes now stands in their place. What a screen has
   * beside the snapshot (older pages, counts) is to be fetched again.
   */
  onResync?: (field: string) => void
}

/**
 * A graphql-ws client whose subscriptions go on after their last event when the socket comes back: nothing is missed, and
 * nothing is delivered twice. For clients that keep the variables of a subscription for themselves (Apollo, urql). Documents
 * take `$after: String` and select `__typename ... on StreamEvent { cursor isStored }`; others pass unchanged.
 */
export function resumable(client: Client, { onResync }: ResumableOptions = {}): Client {
  const subscribe: Client['subscribe'] = (payload, sink) => {
    if (!/^\s*subscription\b/m.test(payload.query) || !payload.query.includes('$after'))
      return client.subscribe(payload, sink)
    // Read again by graphql-ws at each reconnect.
    const variables: Record<string, unknown> = { ...payload.variables }
    return client.subscribe(
      { ...payload, variables },
      {
        ...sink,
        next(result) {
          const [field, event] = Object.entries(result.data ?? {})[0] ?? []
          const { cursor, isStored, resync } = (event ?? {}) as StreamEvent
          if (typeof cursor === 'string') {
            if (isRepeated({ cursor, isStored }, variables.after)) return
            variables.after = cursor
          }
          if (resync) onResync?.(field!)
          sink.next(result as Parameters<typeof sink.next>[0])
        },
      },
    )
  }
  return { ...client, subscribe, iterate: client.iterate.bind(client) }
}
