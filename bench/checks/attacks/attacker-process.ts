import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { serve } from '../../harness/processes.js'

/** What an attacker holds: one tenant's tokens and services, and the server's address. */
export interface Attacker {
  url: string
  admin: string
  mailService: string
  mailSecret: string
  webService: string
}

export type AttackName = 'reads' | 'rules' | 'bodies' | 'subscriptions' | 'documents' | 'guests'

// Attackers have machines of their own: this one's processors are the server's first.
setPriority(19)
// Where Linux groups processes by session, the priority counts within the session only; this is the session's.
if (existsSync('/proc/self/autogroup')) writeFileSync('/proc/self/autogroup', '19')

let isOver = true
let ending = new AbortController()
let under: Promise<unknown> = Promise.resolve()
const open = new Set<{ destroy(): void }>()
const outcomes = new Map<string, number>()
let count = 0

serve({
  async start({ name, attacker }: { name: AttackName; attacker: Attacker }): Promise<void> {
    isOver = false
    ending = new AbortController()
    outcomes.clear()
    const { workers, turn } = ATTACKS[name]
    under = Promise.all(Array.from({ length: workers }, () => repeat(() => turn(attacker))))
  },

  /** @returns how often it was answered how */
  async stop(): Promise<Record<string, number>> {
    isOver = true
    ending.abort()
    for (const each of open) each.destroy()
    await under
    return Object.fromEntries(outcomes)
  },
})

async function repeat(turn: () => Promise<string>): Promise<void> {
  while (!isOver) {
    const outcome = await turn().catch(() => 'cut')
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    // What is refused at once is asked again at once, but for a moment in which the others of this process go on.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Points 9 to 14 of the list of attacks, one after the other. */
const ATTACKS: Readonly<Record<AttackName, { workers: number; turn(attacker: Attacker): Promise<string> }>> = {
  reads: { workers: 18, turn: readSlowly },
  rules: { workers: 4, turn: sendToRules },
  bodies: { workers: 30, turn: holdBody },
  subscriptions: { workers: 20, turn: subscribe },
  documents: { workers: 64, turn: sendDocument },
  guests: { workers: 24, turn: writeAsGuest },
}

async function ask(url: string, token: string | null, query: string, variables: object = {}): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: ending.signal,
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  })
  const { errors } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] }
  return errors?.[0]?.extensions?.code ?? String(response.status)
}

function readSlowly({ url, admin }: Attacker): Promise<string> {
  const filter = { meta: [{ path: 'a', contains: `${'a'.repeat(199)}b` }] }
  const query = 'query ($filter: ContactFilter) { contacts(first: 1, filter: $filter) { totalCount } }'
  return ask(url, admin, query, { filter })
}

function sendToRules({ url, admin }: Attacker): Promise<string> {
  const contact = { profile: { name: 'C', email: `rules-${process.pid}-${++count}@example.com` } }
  const input = { touchpoint: 'WEB', contact, messages: [{ role: 'CONTACT', text: 'a'.repeat(8_000) }] }
  return ask(url, admin, 'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }', {
    input,
  })
}

const MEBIBYTE = 1_048_576

/** Twenty of twenty-five announced mebibytes, and then nothing. */
function holdBody({ url, mailService, mailSecret }: Attacker): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  open.add(socket)
  return new Promise((resolve) => {
    let answer = 'held'
    socket.on('data', (data) => (answer = /^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1] ?? answer))
    socket.on('error', () => undefined)
    socket.once('close', () => {
      open.delete(socket)
      resolve(answer)
    })
    const head = `POST /inbound/email/${mailService} HTTP/1.1\r\nhost: x\r\nx-inbound-secret: ${mailSecret}\r\n`
    socket.write(`${head}content-type: message/rfc822\r\ncontent-length: ${25 * MEBIBYTE}\r\n\r\n`)
    for (let sent = 0; sent < 20; sent += 1) socket.write(Buffer.alloc(MEBIBYTE, 'x'))
  })
}

/** A hundred subscriptions on a socket, each by a document of its own, and then all over. */
function subscribe({ url, admin }: Attacker): Promise<string> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const closing = { destroy: () => socket.terminate() }
  open.add(closing)
  return new Promise((resolve) => {
    let answered = 0
    socket.on('error', () => undefined)
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${admin}` } })),
    )
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { type: string }
      if (type === 'connection_ack') {
        for (let id = 0; id < 100; id += 1) {
          const payload = { query: `subscription S${id} { inbox { __typename } }` }
          socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload }))
        }
      } else if ((answered += 1) >= 100) socket.terminate()
    })
    socket.once('close', () => {
      open.delete(closing)
      resolve(`${answered} answers`)
    })
  })
}

const USER_FIELDS = 'id email avatar createdAt displayName familyName givenName lastLogin role name'
const FRAGMENTS = Array.from({ length: 63 }, (_, index) => `F${index}`)
const FRAGMENTS_OF_USER = FRAGMENTS.map((name) => `fragment ${name} on User { ${USER_FIELDS} }`).join(' ')

/**
 * Never the same twice, and as costly as one may be: validation compares the fields of all pairs of fragments. Each is
 * sent from another one of 400 networks.
 */
async function sendDocument({ url }: Attacker): Promise<string> {
  count += 1
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: ending.signal,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `203.0.${count % 200}.${(count >> 3) % 2}`,
    },
    body: JSON.stringify({ query: `query Q${count} { me { ...${FRAGMENTS.join(' ...')} } } ${FRAGMENTS_OF_USER}` }),
  })
  const { errors } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] }
  return errors?.[0]?.extensions?.code ?? String(response.status)
}

const guests = new Map<number, { token: string; conversation: string }>()

async function writeAsGuest({ url, webService }: Attacker): Promise<string> {
  const key = ++count % 40
  const guest = guests.get(key) ?? (await startGuest(url, webService))
  guests.set(key, guest)
  if (count % 10 === 0) return upload(url, guest.token)
  const query = 'mutation ($c: ID!) { sendMessage(conversation: $c, message: { role: CONTACT, text: "hello" }) { id } }'
  return ask(url, guest.token, query, { c: guest.conversation })
}

async function startGuest(url: string, service: string): Promise<{ token: string; conversation: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: ending.signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } conversationId } }',
      variables: { s: service },
    }),
  })
  const { data } = (await response.json()) as {
    data: { startGuestSession: { tokens: { token: string }; conversationId: string } }
  }
  const { tokens, conversationId } = data.startGuestSession
  return { token: tokens.token, conversation: conversationId }
}

async function upload(url: string, token: string): Promise<string> {
  const body = new FormData()
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(5 * MEBIBYTE, 7)])
  body.append('file', new Blob([png], { type: 'image/png' }), 'a.png')
  const response = await fetch(`${url}/v2/attachments`, {
    method: 'POST',
    signal: ending.signal,
    body,
    headers: { authorization: `Bearer ${token}` },
  })
  await response.arrayBuffer()
  return `upload ${response.status}`
}
