import { BotConversation, type BotConversationData } from './bot-conversation.js'
import { createRequest } from './request.js'
import { challengeOf, isGenuine, type WebhookEvent } from './webhooks.js'

export { BotConversation, type BotConversationData, type Saying } from './bot-conversation.js'

/** A message as webhooks contain it, with REST's case and names. */
export interface BotMessage {
  id: string
  type: string
  role: string
  text?: string
  user?: string
  meta?: Record<string, unknown>
}

export interface BotEvent extends WebhookEvent<{ message?: BotMessage; conversation?: BotConversationData }> {}

type Handler = (message: BotMessage, conversation: BotConversation) => Promise<void> | void

export interface BotOptions {
  serverUrl: string
  /** API token of a user with the role bot. */
  token: string
  /** `params.secret` of the webhook: choose it at the registration, since the address has to answer before that. */
  secret: string
  /** A consumer wrote, and no question of `ask` waits for the answer. */
  onMessage: Handler
  /** What is done with answers, by the name that `ask` was given. */
  answers?: Readonly<Record<string, Handler>>
  /** Every event, of whatever name, beside what the others do. */
  onEvent?: (event: BotEvent) => Promise<void> | void
  fetch?: typeof fetch
}

export interface Bot {
  /** Answers a request of the server; an error that a handler throws makes the event come again. */
  fetch(request: Request): Promise<Response>
  /** The same for `createServer` of `node:http`. */
  listener(request: NodeRequest, response: NodeResponse): void
}

/** What a bot needs of `node:http`, which this module does not import: it runs at the edge and in browsers too. */
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
 * A bot behind a webhook. What it knows of a conversation is kept in the conversation, and all that it sends while it
 * handles an event has ids made of the event's: restarts and events that come twice do nothing twice.
 */
export function createBot(options: BotOptions): Bot {
  // No request could be distinguished from a forgery.
  if (!options.secret) throw new Error('a bot needs the secret of its webhook')
  const request = createRequest(options)
  const handle = async (event: BotEvent): Promise<void> => {
    await options.onEvent?.(event)
    const { message, conversation: data } = event.data
    if (!MESSAGE_OF_CONSUMER.test(event.event) || message?.role !== 'contact' || !data) return
    const conversation = new BotConversation(request, data, event.id)
    const asked = conversation.asked
    const answer = asked === null ? undefined : options.answers?.[asked]
    if (answer) await conversation.answer(() => answer(message, conversation))
    else await options.onMessage(message, conversation)
  }
  const respond = async (url: string, method: string, headers: Headers, body: string): Promise<[number, string?]> => {
    if (method === 'GET') return [200, challengeOf(url) ?? '']
    if (!(await isGenuine(body, headers, options.secret))) return [401]
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
  }
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
