import type { Socket } from 'node:net'
import { openSocket, pause, under, type Attack, type Attacker } from './attacker.js'

/** Attacks by connections that are used as no honest client does. Most of them need no credentials. */
export const CONNECTION_ATTACKS = {
  bodies: { workers: 30, turn: holdBody },
  pipelines: { workers: 50, turn: (attacker) => pipeline(attacker) },
  floods: { workers: 20, turn: (attacker) => pipeline(attacker, true) },
  'half-sent': { workers: 254, turn: halfSend },
  mails: { workers: 80, turn: sendMailSlowly },
  signatures: { workers: 64, turn: callWithWrongSignature },
} satisfies Record<string, Attack>

const MEBIBYTE = 1_048_576

/** Resolves with the status of the first answer once the connection has ended; `held` without one. */
function outcomeOf(socket: Socket, pattern = /^HTTP\/1\.1 (\d+)/): Promise<string> {
  return new Promise((resolve) => {
    let answer = 'held'
    socket.on('data', (data) => (answer = pattern.exec(String(data))?.[1] ?? answer))
    socket.once('close', () => resolve(answer))
  })
}

/** Twenty of twenty-five announced mebibytes, and then nothing. */
function holdBody({ url, mailService, mailSecret }: Attacker): Promise<string> {
  const socket = openSocket(url)
  const head = `POST /inbound/email/${mailService} HTTP/1.1\r\nhost: x\r\nx-inbound-secret: ${mailSecret}\r\n`
  socket.write(`${head}content-type: message/rfc822\r\ncontent-length: ${25 * MEBIBYTE}\r\n\r\n`)
  for (let sent = 0; sent < 20; sent += 1) socket.write(Buffer.alloc(MEBIBYTE, 'x'))
  return outcomeOf(socket)
}

const PIPELINED = 2_000
const PIPELINE_MS = 1_000
const PATHS = ['/healthz', '/console', '/v2/openapi.json', '/']

/** Thousands of requests at once, of which nothing is read, or everything. Then the same again. */
async function pipeline({ url }: Attacker, isRead = false): Promise<string> {
  const turn = ++under.count
  const socket = openSocket(url, `127.0.1.${1 + (turn % 10)}`)
  if (isRead) socket.resume()
  socket.write(`GET ${PATHS[turn % PATHS.length]!} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(PIPELINED))
  await pause(PIPELINE_MS)
  socket.destroy()
  return 'left'
}

const FILLING = Buffer.alloc(MEBIBYTE - 1, 'x')

/** A mebibyte without its last byte, with a token that is none, from three networks. */
function halfSend({ url }: Attacker): Promise<string> {
  const socket = openSocket(url, `127.0.2.${1 + (++under.count % 3)}`)
  const head = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer wrong\r\n'
  socket.write(`${head}content-length: ${MEBIBYTE}\r\n\r\n`)
  socket.write(FILLING)
  return outcomeOf(socket)
}

/** Just above the rate below which connections are ended. */
const DRIP = `${'x'.repeat(510)}\r\n`.repeat(3)
const DRIP_MS = 1_000

/** A megabyte of a mail, and then as little as keeps the connection, without an end. */
async function sendMailSlowly({ smtpPort }: Attacker): Promise<string> {
  const socket = openSocket(smtpPort, `127.0.3.${1 + (++under.count % 2)}`)
  const outcome = outcomeOf(socket, /^(4\d\d|5\d\d)/m)
  const lines = ['EHLO attacker.example', 'MAIL FROM:<a@attacker.example>', 'RCPT TO:<help@attacker.example>', 'DATA']
  for (const line of lines) {
    await new Promise((resolve) => void socket.once('data', resolve).once('close', resolve))
    if (socket.destroyed) return outcome
    socket.write(`${line}\r\n`)
  }
  socket.write(DRIP.repeat(700))
  while (!socket.destroyed && !under.ending.signal.aborted) {
    await pause(DRIP_MS)
    socket.write(DRIP)
  }
  socket.destroy()
  return outcome
}

const FORM = 'a=1&'.repeat(15_000)
const EVENTS = JSON.stringify({
  object: 'page',
  entry: Array.from({ length: 3_000 }, (_, id) => ({ id, messaging: [] })),
})

/** A provider's call, as large as one may be, with a signature that looks like one. */
async function callWithWrongSignature({ url, smsService, messengerService }: Attacker): Promise<string> {
  const isText = ++under.count % 2 === 0
  const response = await fetch(`${url}/inbound/${isText ? `sms/${smsService}` : `messenger/${messengerService}`}`, {
    method: 'POST',
    signal: under.ending.signal,
    headers: {
      'x-forwarded-for': `203.0.113.${under.count % 250}`,
      ...(isText
        ? { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'bm90IHJpZ2h0' }
        : { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
    },
    body: isText ? FORM : EVENTS,
  })
  await response.arrayBuffer()
  return String(response.status)
}
