import type { StoredEvent } from '../../platform/events/event.js'
import { tracing, type OpenSpan } from '../../platform/tracing/tracing.js'

/** The span of an event that is being executed, for the groups that receive it in one turn. */
interface FanOut {
  span: OpenSpan
  running: number
  groups: number
  subscribers: number
}

const open = new WeakMap<StoredEvent, FanOut>()

/**
 * Runs the execution of an event for a group in the trace of the request that caused it: in one span for all groups of the node,
 * which all begin in the turn in which the event arrives.
 */
export function inFanOutSpan<T>(event: StoredEvent, subscribers: number, work: () => Promise<T>): Promise<T> {
  const fanOut = open.get(event) ?? begin(event)
  if (!fanOut) return tracing().detached(work)
  fanOut.running += 1
  fanOut.groups += 1
  fanOut.subscribers += subscribers
  return fanOut.span.run(work).then(
    (result) => {
      ended(event, fanOut)
      return result
    },
    (error: unknown) => {
      ended(event, fanOut, error)
      throw error
    },
  )
}

function begin(event: StoredEvent): FanOut | null {
  if (event.traceparent === undefined) return null
  const span = tracing().caused('fan-out', { 'switchboard.event': event.type }, event.traceparent)
  if (!span) return null
  const fanOut = { span, running: 0, groups: 0, subscribers: 0 }
  open.set(event, fanOut)
  return fanOut
}

function ended(event: StoredEvent, fanOut: FanOut, error?: unknown): void {
  fanOut.running -= 1
  if (fanOut.running > 0) return
  open.delete(event)
  fanOut.span.set({ 'switchboard.groups': fanOut.groups, 'switchboard.subscribers': fanOut.subscribers })
  fanOut.span.end(error)
}
