import { connect, type Socket } from 'node:net'

/** Possessions of an attacker: one tenant's tokens and services, and the server's addresses. */
export interface Attacker {
  url: string
  smtpPort: number
  admin: string
  mailService: string
  mailSecret: string
  webService: string
  smsService: string
  messengerService: string
  workflow: string
  /** An agent and conversations of the organization in which the webhooks are. */
  listenedTo: { token: string; conversations: readonly string[] }
}

/** An attack: something done over and over, by so many workers at once. */
export interface Attack {
  workers: number
  /** @returns how it was answered, in a word */
  turn(attacker: Attacker): Promise<string>
}

/** Work that is under way, and ends with the attack. */
export const under = {
  ending: new AbortController(),
  open: new Set<{ destroy(): void }>(),
  count: 0,
}

/** An answer to GraphQL, in a word: its code, or its status. */
export async function ask(url: string, token: string | null, query: string, variables: object = {}): Promise<string> {
  return post(url, token, JSON.stringify({ query, variables }))
}

/** Sends a body as it is. */
export async function post(url: string, token: string | null, body: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: under.ending.signal,
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    body,
  })
  const { errors } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] }
  return errors?.[0]?.extensions?.code ?? String(response.status)
}

/** @param from its address, of the loopback network. It ends with the attack */
export function openSocket(to: string | number, from?: string): Socket {
  const port = typeof to === 'number' ? to : Number(new URL(to).port)
  const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) })
  under.open.add(socket)
  socket.on('error', () => undefined)
  socket.once('close', () => under.open.delete(socket))
  return socket
}

/** Resolves after this time, or with the end of the attack. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    under.ending.signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
