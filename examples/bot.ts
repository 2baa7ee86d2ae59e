import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

/**
 * A bot over webhooks and `/v2` alone: it greets who writes in, asks what it is about, keeps the answer in a form, and
 * hands the conversation to the agents. Its address is registered as a service of type webhook, by an administrator.
 */
export interface BotOptions {
  /** Base of the addresses of Switchboard. */
  server: string
  /** API token of a user with the role bot. */
  token: string
  /** `params.secret` of the webhook, as its registration showed it. */
  secret: string
  /** Id of a static form with a field `topic`. */
  form: string
}

interface Told {
  id: string
  event: string
  data: { message: { role: string; text?: string }; conversation: { id: string; meta: { bot?: string } } }
}

export function createBot(options: BotOptions): Server {
  return createServer((request, response) => {
    receive(options, request).then(
      ({ status, body }) => response.writeHead(status).end(body),
      // Anything but 2xx: the event comes again.
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
}

async function receive(options: BotOptions, request: IncomingMessage): Promise<{ status: number; body?: string }> {
  const { searchParams } = new URL(request.url!, 'http://bot')
  if (request.method === 'GET') return { status: 200, body: searchParams.get('challenge') ?? '' }
  const body = await readText(request)
  const signature = Buffer.from(`sha1=${createHmac('sha1', options.secret).update(body).digest('hex')}`)
  const given = Buffer.from(String(request.headers['x-hub-signature']))
  if (signature.length !== given.length || !timingSafeEqual(signature, given)) return { status: 401 }
  const told = JSON.parse(body) as Told
  if (told.event === 'message.create.contact.chat' && told.data.message.role === 'contact') await answer(options, told)
  return { status: 204 }
}

async function answer(options: BotOptions, { id, data }: Told): Promise<void> {
  const { message, conversation } = data
  // What it knows of a conversation is kept there.
  if (conversation.meta.bot === undefined) {
    await send(options, conversation.id, `greet ${conversation.id}`, [
      { type: 'command', text: '/set bot asked' },
      { role: 'agent', text: 'Welcome! I am a bot. What is it about?' },
    ])
  } else if (conversation.meta.bot === 'asked') {
    await send(options, conversation.id, `hand over ${id}`, [
      { type: 'field', text: `.topic ${message.text ?? ''}`, meta: { form: options.form } },
      { role: 'agent', text: 'Thank you. One of my colleagues will be with you in a moment.' },
      { type: 'command', text: '/set bot done' },
      { type: 'command', text: '/enqueue' },
      { type: 'command', text: '/leave' },
    ])
  }
}

/** All or none; the key makes it once, however often the event comes. */
async function send({ server, token }: BotOptions, conversation: string, key: string, messages: object[]) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
  const url = `${server}/v2/conversations/${conversation}/messages`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(messages) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { SERVER = 'http://localhost:4000', BOT_TOKEN, WEBHOOK_SECRET, FORM, PORT = '4100' } = process.env
  createBot({ server: SERVER, token: BOT_TOKEN!, secret: WEBHOOK_SECRET!, form: FORM! }).listen(Number(PORT))
}
