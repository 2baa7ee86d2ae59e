import {
  AcknowledgeEventsDocument,
  RetryEventsDocument,
  TakeEventsDocument,
  type TakeEventsMutation,
} from './generated/operations.js'
import { pause } from './pause.js'
import { passes, Refused, type Request } from './request.js'

type TakenEvent = TakeEventsMutation['takeEvents'][number]

export interface TakingOptions {
  request: Request
  /** A service of type `events`. */
  service: string
  /** Handles the envelope of one event; if it fails, the event comes again later, ahead of those of its conversation. */
  handle: (payload: Record<string, unknown>) => Promise<void>
  /** Told of an event that comes while one before it of its conversation is being handled, since that takes longer than its lease. */
  overtakes: (payload: Record<string, unknown>) => void
  failed: (error: unknown) => void
  signal: AbortSignal
}

/** Events that are handled at once; those of one conversation are handled in order. */
const IN_FLIGHT = 50
const WAIT_SECONDS = 25
/** A take that waits is answered within it. */
export const TAKE_ANSWER_MS = 40_000
const PAUSE_MS = 1_000
/** A bot that is paused looks again whether it may go on. */
const PAUSED_MS = 5_000

/**
 * Takes events and has each handled, until the signal aborts and those under way have ended. While the bot is paused, it waits.
 * @throws Refused for what does not pass by itself, such as a missing right
 */
export async function takeAll(options: TakingOptions): Promise<void> {
  const { request, service, signal } = options
  const running = new Set<Promise<void>>()
  /** Ids of events that are being handled: one whose lease ends meanwhile comes again, and is in good hands. */
  const inHand = new Set<string>()
  /** The last work of each conversation: when leases end meanwhile, what is taken behind them comes after that. */
  const lanes = new Map<string, Promise<boolean>>()
  let held = 0
  let waiting = 0
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
      const isPaused = error instanceof Refused && error.reason === 'BOT_PAUSED'
      if (!isPaused && !passes(error)) throw error
      pauseMs = isPaused
        ? PAUSED_MS
        : Math.max(PAUSE_MS, error instanceof Refused ? error.retryAfterSeconds * 1_000 : 0)
    }
    const others = taken.filter(({ id }) => !inHand.has(id))
    for (const [conversation, events] of Map.groupBy(others, conversationOf)) {
      const before = lanes.get(conversation)
      const count = events.length
      if (before) for (const { payload } of events) options.overtakes(payload as Record<string, unknown>)
      // One conversation that is stuck does not fill the memory.
      const isFull = before !== undefined && waiting + count > IN_FLIGHT
      for (const { id } of events) inHand.add(id)
      const handleAll = async (): Promise<boolean> => {
        held += count
        return handleInOrder(options, events).finally(() => (held -= count))
      }
      const follow = async (): Promise<boolean> => {
        waiting += count
        const isDone = await before!.finally(() => (waiting -= count))
        // What comes again later comes ahead of these.
        return isDone ? handleAll() : giveBack(options, events)
      }
      const work = isFull ? giveBack(options, events) : before ? follow() : handleAll()
      if (!isFull) lanes.set(conversation, work)
      const ended = work.then(() => {
        for (const { id } of events) inHand.delete(id)
        if (lanes.get(conversation) === work) lanes.delete(conversation)
        running.delete(ended)
      })
      running.add(ended)
    }
    await pause(pauseMs, signal)
  }
  await Promise.all(running)
}

/** Events of other records have no order that a bot could need. */
function conversationOf({ id, payload }: TakenEvent): string {
  return (payload as { data?: { conversation?: { id?: string } } }).data?.conversation?.id ?? id
}

/** Handles events of one conversation one after another. @returns false if one failed: it comes again with those behind it */
async function handleInOrder(options: TakingOptions, events: readonly TakenEvent[]): Promise<boolean> {
  const { request, service, handle, failed } = options
  for (const [index, { id, payload }] of events.entries()) {
    try {
      await handle(payload as Record<string, unknown>)
      await request(AcknowledgeEventsDocument, { service, ids: [id] })
    } catch (error) {
      failed(error)
      return giveBack(options, events.slice(index))
    }
  }
  return true
}

/** Has events come again later, in their order. If that is lost, they come when their time is over. */
async function giveBack({ request, service, failed }: TakingOptions, events: readonly TakenEvent[]): Promise<false> {
  const [ids, attempts] = [events.map(({ id }) => id), events.map(({ attempt }) => attempt)]
  await request(RetryEventsDocument, { service, ids, attempts }).catch(failed)
  return false
}
