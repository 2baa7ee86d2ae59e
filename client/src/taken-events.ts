import {
  AcknowledgeEventsDocument,
  RetryEventsDocument,
  TakeEventsDocument,
  type TakeEventsMutation,
} from './generated/operations.js'
import { passes, Refused, type Request } from './request.js'

type TakenEvent = TakeEventsMutation['takeEvents'][number]

export interface TakingOptions {
  request: Request
  /** A service of type `events`. */
  service: string
  /** Handles the envelope of one event; if it fails, the event comes again later, ahead of those of its conversation. */
  handle: (payload: Record<string, unknown>) => Promise<void>
  failed: (error: unknown) => void
  signal: AbortSignal
}

/** Events that are handled at once; those of one conversation are handled in order. */
const IN_FLIGHT = 50
const WAIT_SECONDS = 25
/** A take that waits is answered within it. */
export const TAKE_ANSWER_MS = 40_000
const PAUSE_MS = 1_000

/**
 * Takes events and has each handled, until the signal aborts and those under way have ended.
 * @throws Refused for what does not pass by itself, such as a missing right
 */
export async function takeAll(options: TakingOptions): Promise<void> {
  const { request, service, signal } = options
  const running = new Set<Promise<void>>()
  let held = 0
  while (!signal.aborted) {
    if (held >= IN_FLIGHT) {
      await Promise.race(running)
      continue
    }
    const since = Date.now()
    const variables = { service, max: IN_FLIGHT - held, waitSeconds: WAIT_SECONDS }
    let pauseMs = 0
    let taken: TakenEvent[] = []
    try {
      taken = (await request(TakeEventsDocument, variables, signal)).takeEvents ?? []
      // A server that stops does not let it wait.
      if (taken.length === 0 && Date.now() - since < PAUSE_MS) pauseMs = PAUSE_MS
    } catch (error) {
      if (signal.aborted) break
      if (!passes(error)) throw error
      pauseMs = Math.max(PAUSE_MS, error instanceof Refused ? error.retryAfterSeconds * 1_000 : 0)
    }
    for (const events of Map.groupBy(taken, conversationOf).values()) {
      held += events.length
      const work = handleInOrder(options, events).finally(() => {
        held -= events.length
        running.delete(work)
      })
      running.add(work)
    }
    if (pauseMs > 0) await pause(pauseMs, signal)
  }
  await Promise.all(running)
}

/** Events of other records have no order that a bot could need. */
function conversationOf({ id, payload }: TakenEvent): string {
  return (payload as { data?: { conversation?: { id?: string } } }).data?.conversation?.id ?? id
}

async function handleInOrder(
  { request, service, handle, failed }: TakingOptions,
  events: readonly TakenEvent[],
): Promise<void> {
  for (const [index, { id, payload }] of events.entries()) {
    try {
      await handle(payload as Record<string, unknown>)
      await request(AcknowledgeEventsDocument, { service, ids: [id] })
    } catch (error) {
      failed(error)
      const left = events.slice(index)
      const ids = left.map((each) => each.id)
      const attempts = left.map((each) => each.attempt)
      // If this is lost, they come again when their time is over.
      return void (await request(RetryEventsDocument, { service, ids, attempts }).catch(failed))
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}
