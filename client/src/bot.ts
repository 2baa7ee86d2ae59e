import { BotConversation, MovedOn, type BotConversationData } from './bot-conversation.js'
import { HeldRuns } from './held-runs.js'
import { StreamEnded, type MessageStream } from './message-stream.js'
import { pause } from './pause.js'
import { createRequest, isSpent } from './request.js'
import { TAKE_ANSWER_MS, takeAll } from './taken-events.js'
import { challengeOf, isGenuine, type WebhookEvent } from './webhooks.js'

export { BotConversation, MovedOn, type BotConversationData, type Saying } from './bot-conversation.js'

/** A message as webhooks contain it, with REST's case and names. */
export interface BotMessage {
  id: string
  type: string
  role: string
  text?: string
  user?: string
  meta?: Record<string, unknown>
  /** Number of automations that answered each other up to it. */
  depth?: number
}

export interface BotEvent extends WebhookEvent<{ message?: BotMessage; conversation?: BotConversationData }> {}

type Handler = (message: BotMessage, conversation: BotConversation) => Promise<void> | void

export interface BotOptions {
  serverUrl: string
  /** API token of a user with the role bot. */
  token: string
  /** `params.secret` of the webhook: choose it at the registration, since the address has to answer before that. */
  secret?: string
  /** Id of a service of type `events`, in place of a webhook: `run` takes its events, and no address is needed. */
  service?: string
  /** A consumer wrote, and no question of `ask` waits for the answer. */
  onMessage: Handler
  /** Handlers of answers, by the name that `ask` was given. */
  answers?: Readonly<Record<string, Handler>>
  /** Every event, of whatever name, beside what the others do. */
  onEvent?: (event: BotEvent) => Promise<void> | void
  /**
   * Time to wait for more of what a consumer writes in pieces, in ms; 1,500 by default. The last piece alone is handled:
   * `conversation.unanswered()` has them all. 0: each message is handled at once.
   */
  burstMs?: number
  /** Called with what a handler threw while the bot runs: the event comes again. By default, it is printed. */
  onError?: (error: unknown) => void
  fetch?: typeof fetch
}

export interface Bot {
  /** Answers a request of the server; an error that a handler throws makes the event come again. */
  fetch(request: Request): Promise<Response>
  /** The same for `createServer` of `node:http`. */
  listener(request: NodeRequest, response: NodeResponse): void
  /**
   * Takes the events of the service until the signal aborts and those under way are handled. Several processes may share a
   * service. @throws Refused, such as for a missing right
   */
  run(signal?: AbortSignal): Promise<void>
}

/**
 * The part of `node:http` that a bot needs, which this module does not import: it runs at the edge and in browsers too.
 */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string
  url?: string
  headers: Record<string, string | string[] | undefined>
}
interface NodeResponse {
  writeHead(status: number): { end(body?: string): unknown }
}

const MESSAGE_OF_CONSUMER = /^message\.create\.contact\.chat$/

/**
 * A bot behind a webhook, or one that takes its events. What it knows of a conversation is kept in the conversation, and
 * all that it sends while it handles an event has ids made of the event's: restarts and events that come twice do nothing
 * twice. It answers nothing that it has not read: a run in which others write or act meanwhile ends, and after three in a row people take over.
 */
export function createBot(options: BotOptions): Bot {
  const { burstMs = 1_500, secret, service, onError = printError } = options
  // No request could be distinguished from a forgery.
  if (!secret && !service) throw new Error('a bot needs the secret of its webhook, or its service of type events')
  const request = createRequest(options)
  const heldRuns = new HeldRuns()
  /** Messages that are being written, by conversation: a consumer who writes again stops them. */
  const written = new Map<string, Set<MessageStream>>()
  /**
   * A run that was held is over: what came meanwhile has an event of its own, or people took over. So is one whose answer somebody
   * has stopped: begun anew, it would be shown after all; and one whose budget is spent: the conversation waits for people.
   */
  const run = async (conversation: BotConversation, work: () => Promise<void> | void): Promise<void> => {
    try {
      await work()
      heldRuns.forget(conversation.id)
    } catch (error) {
      if (isSpent(error) || (error instanceof StreamEnded && error.ending !== 'LOST')) return
      if (!(error instanceof MovedOn)) throw error
      if (heldRuns.isTooMany(conversation.id)) await conversation.handOver()
    }
  }
  const stopOvertaken = (conversation: string): void => {
    for (const stream of written.get(conversation) ?? [])
      if (!stream.isOver) void stream.stop(new MovedOn('the consumer has written again')).catch(() => undefined)
  }
  const handle = async (event: BotEvent): Promise<void> => {
    await options.onEvent?.(event)
    const said = saidIn(event)
    if (!said) return
    const { message, data } = said
    stopOvertaken(data.id)
    const streams = new Set<MessageStream>()
    written.set(data.id, streams)
    const conversation = new BotConversation(request, data, event.id, message.depth ?? 0, streams)
    if (burstMs > 0) {
      // No longer, whatever the clocks say.
      await pause(Math.min(burstMs, Date.parse(event.timestamp) + burstMs - Date.now()))
      if (await conversation.isOvertaken(message.id)) return
    }
    const asked = conversation.asked
    const answer = asked === null ? undefined : options.answers?.[asked]
    try {
      await run(conversation, () =>
        answer ? conversation.answer(() => answer(message, conversation)) : options.onMessage(message, conversation),
      )
    } finally {
      // What its handler has left would look as if it went on.
      for (const stream of streams) if (!stream.isOver) await stream.stop().catch(() => undefined)
      if (written.get(data.id) === streams) written.delete(data.id)
    }
  }
  const respond = async (url: string, method: string, headers: Headers, body: string): Promise<[number, string?]> => {
    if (method === 'GET') return [200, challengeOf(url) ?? '']
    if (!secret || !(await isGenuine(body, headers, secret))) return [401]
    await handle(JSON.parse(body) as BotEvent)
    return [204]
  }
  return {
    async fetch(incoming) {
      const { url, method, headers } = incoming
      const [status, body] = await respond(url, method, headers, await incoming.text()).catch(failed)
      return new Response(body ?? null, { status })
    },
    listener(incoming, response) {
      void readNode(incoming)
        .then((body) => respond(incoming.url ?? '/', incoming.method ?? 'GET', nodeHeaders(incoming), body))
        .catch(failed)
        .then(([status, body]) => response.writeHead(status).end(body))
    },
    async run(signal = new AbortController().signal) {
      if (!service) throw new Error('a bot that takes its events needs its service')
      await takeAll({
        request: createRequest({ ...options, answerMs: TAKE_ANSWER_MS }),
        service,
        handle: (payload) => handle(payload as unknown as BotEvent),
        overtakes(payload) {
          const said = saidIn(payload as unknown as BotEvent)
          if (said) stopOvertaken(said.data.id)
        },
        failed: onError,
        signal,
      })
    },
  }
}

/** Returns what a consumer has said, and where; null for all other events. */
function saidIn({ event, data: { message, conversation } }: BotEvent): {
  message: BotMessage
  data: BotConversationData
} | null {
  if (!MESSAGE_OF_CONSUMER.test(event) || message?.role !== 'contact' || !conversation) return null
  return { message, data: conversation }
}

/** A bot that runs has nobody who could be told otherwise. */
function printError(error: unknown): void {
  // oxlint-disable-next-line no-console
  console.error(error)
}

/** Anything but 2xx: the event comes again. */
function failed(error: unknown): [number, string] {
  return [500, error instanceof Error ? error.message : String(error)]
}

async function readNode(incoming: NodeRequest): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of incoming) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

function nodeHeaders({ headers }: NodeRequest): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return new Headers(pairs as [string, string][])
}
