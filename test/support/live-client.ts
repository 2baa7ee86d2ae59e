import { createClient, type Client } from 'graphql-ws'
import WebSocket from 'ws'
import { PATIENCE_MS } from './until.js'

export interface LiveSubscription<Event> {
  /** Everything received, in order. */
  events: Event[]
  errors: unknown[]
  isComplete: boolean
  /** The next event that fits, from where the last call ended. */
  next(fits?: (event: Event) => boolean): Promise<Event>
  stop(): void
}

/** A real client over a real socket. */
export function liveClient(url: string, token: string | null): Client {
  return createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: true,
    retryAttempts: 0,
    connectionParams: token ? { authorization: `Bearer ${token}` } : {},
  })
}

/** Resolves with the code with which the server closes the client's socket. */
export const closeCodeOf = (client: Client): Promise<number> =>
  new Promise((resolve) => void client.on('closed', (event) => resolve((event as { code: number }).code)))

export function subscribe<Event>(
  client: Client,
  field: string,
  query: string,
  variables?: Record<string, unknown>,
): LiveSubscription<Event> {
  const events: Event[] = []
  const errors: unknown[] = []
  let seen = 0
  let notify = (): void => undefined
  const subscription: LiveSubscription<Event> = {
    events,
    errors,
    isComplete: false,
    stop: () => undefined,
    async next(fits = () => true) {
      const deadline = Date.now() + PATIENCE_MS
      for (;;) {
        while (seen < events.length) {
          const event = events[seen++]!
          if (fits(event)) return event
        }
        if (errors.length > 0) throw new Error(`the subscription failed: ${JSON.stringify(errors)}`)
        const leftMs = deadline - Date.now()
        if (leftMs <= 0) throw new Error(`no such event within ${PATIENCE_MS} ms; received ${JSON.stringify(events)}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs)
          notify = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },
  }
  subscription.stop = client.subscribe<Record<string, Event>>(
    { query, variables },
    {
      next(result) {
        if (result.errors) errors.push(...result.errors)
        if (result.data) events.push(result.data[field]!)
        notify()
      },
      error(error) {
        errors.push(error)
        notify()
      },
      complete() {
        subscription.isComplete = true
        notify()
      },
    },
  )
  return subscription
}
