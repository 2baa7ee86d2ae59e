import { WebSocket } from 'ws'
import { ask, under, type Attack, type Attacker } from './attacker.js'

const MEBIBYTE = 1_048_576

/** Attacks by operations: of one tenant, of its guests, and of nobody. */
export const OPERATION_ATTACKS = {
  reads: { workers: 18, turn: readSlowly },
  rules: { workers: 4, turn: sendToRules },
  subscriptions: { workers: 20, turn: subscribe },
  documents: { workers: 64, turn: sendDocument },
  guests: { workers: 24, turn: writeAsGuest },
} satisfies Record<string, Attack>

function readSlowly({ url, admin }: Attacker): Promise<string> {
  const filter = { meta: [{ path: 'a', contains: `${'a'.repeat(199)}b` }] }
  const query = 'query ($filter: ContactFilter) { contacts(first: 1, filter: $filter) { totalCount } }'
  return ask(url, admin, query, { filter })
}

function sendToRules({ url, admin }: Attacker): Promise<string> {
  const contact = { profile: { name: 'C', email: `rules-${process.pid}-${++under.count}@example.com` } }
  const input = { touchpoint: 'WEB', contact, messages: [{ role: 'CONTACT', text: 'a'.repeat(8_000) }] }
  return ask(url, admin, 'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }', {
    input,
  })
}

/** A hundred subscriptions on a socket, each by a document of its own, and then all over. */
function subscribe({ url, admin }: Attacker): Promise<string> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const closing = { destroy: () => socket.terminate() }
  under.open.add(closing)
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
      under.open.delete(closing)
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
  under.count += 1
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: under.ending.signal,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `203.0.${under.count % 200}.${(under.count >> 3) % 2}`,
    },
    body: JSON.stringify({
      query: `query Q${under.count} { me { ...${FRAGMENTS.join(' ...')} } } ${FRAGMENTS_OF_USER}`,
    }),
  })
  const { errors } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] }
  return errors?.[0]?.extensions?.code ?? String(response.status)
}

/** By the server and a number. */
const guests = new Map<string, { token: string; conversation: string }>()

async function writeAsGuest({ url, webService }: Attacker): Promise<string> {
  const number = ++under.count % 40
  const key = `${url} ${number}`
  const guest = guests.get(key) ?? (await startGuest(url, webService))
  guests.set(key, guest)
  if (under.count % 10 === 0) return upload(url, guest.token, `198.51.100.${number}`)
  const query = 'mutation ($c: ID!) { sendMessage(conversation: $c, message: { role: CONTACT, text: "hello" }) { id } }'
  return ask(url, guest.token, query, { c: guest.conversation })
}

async function startGuest(url: string, service: string): Promise<{ token: string; conversation: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: under.ending.signal,
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

async function upload(url: string, token: string, from: string): Promise<string> {
  const body = new FormData()
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(5 * MEBIBYTE, 7)])
  body.append('file', new Blob([png], { type: 'image/png' }), 'a.png')
  const response = await fetch(`${url}/v2/attachments`, {
    method: 'POST',
    signal: under.ending.signal,
    body,
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
  })
  await response.arrayBuffer()
  return `upload ${response.status}`
}
