import { resumable } from '@switchboard/client'
import { createClient, type Client } from 'graphql-ws'
import WebSocket from 'ws'

/** A socket that comes back at once after each cut, whose subscriptions go on where they were. */
export function openSocket(url: string, token: string): { client: Client; resyncs: string[] } {
  const resyncs: string[] = []
  const plain = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    shouldRetry: () => true,
    retryAttempts: Infinity,
    retryWait: () => pause(Math.random() * 40),
  })
  return { client: resumable(plain, { onResync: (field) => void resyncs.push(field) }), resyncs }
}

/** Sends until an answer comes: every send has its message's id, so that it is done once. */
export const retryingFetch: typeof fetch = async (input, init) => {
  for (;;) {
    try {
      const response = await fetch(input, init)
      // The answer may be cut short as well.
      const body = await response.text()
      if (!body.includes('"UNAVAILABLE"')) return new Response(body, response)
      await pause(500)
    } catch (error) {
      if (init?.signal?.aborted) throw error
      await pause(Math.random() * 40)
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
