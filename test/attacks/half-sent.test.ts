import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { pino } from 'pino'
import { atLeastRate } from '../../src/platform/limits/least-rate.js'
import type { MadeUser } from '../support/factories.js'
import { sampleOf } from '../support/metrics.js'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { freePort } from '../../bench/chaos/free-port.js'
import { rawMail, sendBySmtp } from '../touchpoints/email/mails.js'

const MEBIBYTE = 1024 * 1024
const FILLING = Buffer.alloc(MEBIBYTE - 1, 'x')
const SUPPORT = 'support@boats.example'
const sockets = new RawSockets()
/** The lines of the log. */
const lines: string[] = []

let server: TestServer
let admin: MadeUser
let smtpPort: number

beforeAll(async () => {
  smtpPort = await freePort()
  const env = { SMTP_LISTEN_PORT: String(smtpPort), SMTP_LISTEN_HOST: '127.0.0.1' }
  server = await startTestServer(env, { log: pino({ level: 'debug' }, { write: (line) => void lines.push(line) }) })
  admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  await server.rest(admin, 'POST', '/v2/services', { name: 'E', type: 'email', params: { address: SUPPORT } })
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

const held = (): Promise<number> => sampleOf(server.url, 'bodies_bytes')

/** A request that lacks the last byte of its body. */
function halfSend(from: string, token: string): () => string {
  const socket = sockets.open(server.url, from)
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\n`
  socket.write(`${head}content-length: ${MEBIBYTE}\r\n\r\n`)
  socket.write(FILLING)
  return RawSockets.textOf(socket)
}

/** Opens a connection up to the text of a mail, once its recipient was accepted. */
async function beginMail(from: string): Promise<Socket> {
  const socket = sockets.open(smtpPort, from)
  const text = RawSockets.textOf(socket)
  for (const [line, answer] of [
    [null, '220'],
    ['EHLO attacker.example', '250'],
    ['MAIL FROM:<a@attacker.example>', '250'],
    [`RCPT TO:<${SUPPORT}>`, '250'],
    ['DATA', '354'],
  ]) {
    const before = text().length
    if (line !== null) socket.write(`${line}\r\n`)
    await until(() => text().slice(before).includes(`${answer} `))
  }
  return socket
}

describe('half-sent bodies', () => {
  it('with invalid tokens are refused before they are read', async () => {
    const answers = [127, 127, 20].flatMap((count, at) =>
      Array.from({ length: count }, () => halfSend(`127.0.0.${at + 2}`, 'wrong')),
    )
    await until(() => answers.every((answer) => answer() !== ''))
    expect(answers.filter((answer) => !/^HTTP\/1.1 4(?:01|13) /.test(answer()))).toEqual([])
    await until(async () => (await held()) === 0)
    sockets.close()
  })

  it('of three networks with the token of another contact center leave room for who is signed in', async () => {
    const token = await server.tokenFor(
      await server.makeUser({ organization: await server.makeContactCenter(), role: 'agent' }),
    )
    const answers = [127, 127, 20].flatMap((count, at) =>
      Array.from({ length: count }, () => halfSend(`127.0.0.${at + 2}`, token)),
    )
    await until(() => answers.some((answer) => answer().startsWith('HTTP/1.1 503 ')))
    expect(await held()).toBeLessThanOrEqual(33 * MEBIBYTE)
    const large = JSON.stringify({ query: '{ me { id } }', variables: { unused: 'x'.repeat(900_000) } })
    const { status } = await server.rest(admin, 'POST', '/graphql', large, { 'content-type': 'application/json' })
    expect(status).toBe(200)
    sockets.close()
    await until(async () => (await held()) === 0)
  })

  it('of guests of one widget from many networks leave room for sign-ins', async () => {
    const owner = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
    const { body } = await server.rest(owner, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })
    const start = 'mutation ($service: ID!) { startGuestSession(service: $service) { tokens { token } } }'
    const guests = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { data } = await server.gql(null, start, { service: body.id })
        return data.startGuestSession.tokens.token as string
      }),
    )
    const answers = guests.flatMap((token, at) =>
      Array.from({ length: 4 }, () => halfSend(`127.0.0.${20 + (at % 8)}`, token)),
    )
    // Their contact center's guests hold half of what unknown senders may hold.
    await until(() => answers.some((answer) => answer().startsWith('HTTP/1.1 503 ')))
    expect(await held()).toBeLessThanOrEqual(64 * MEBIBYTE)
    const wrong = { grantType: 'password', email: 'nobody@example.com', password: 'x'.repeat(10_000) }
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await server.rest(null, 'POST', '/v2/auth/token', wrong)).status),
    )
    expect(statuses).not.toContain(503)
    sockets.close()
    await until(async () => (await held()) === 0)
  })

  it('and mails are cut off when nothing more comes', async () => {
    const token = await server.tokenFor(admin)
    const socket = sockets.open(server.url)
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: 1000\r\n\r\n{ "query":`,
    )
    // Before the mail is begun, which may take as long.
    const closed = once(socket, 'close')
    const mail = await beginMail('127.0.0.8')
    const ended = once(mail, 'end')
    mail.resume().write('Subject: x\r\n')
    await Promise.all([closed, ended])
    expect(socket.destroyed).toBe(true)
    await until(async () => (await held()) === 0)
  })
})

describe('mails without an end', () => {
  it('whose clients hang up are no errors', async () => {
    const hungUp = (): string[] => lines.filter((line) => line.includes('hung up in the middle of a mail'))
    const mails = await Promise.all(Array.from({ length: 10 }, () => beginMail('127.0.0.5')))
    lines.length = 0
    for (const [at, mail] of mails.entries()) {
      mail.write(`Subject: x\r\n\r\n${'x'.repeat(100_000)}`)
      if (at % 2) mail.destroy()
      else mail.resetAndDestroy()
    }
    await until(() => hungUp().length === mails.length)
    expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([])
  })

  it("of one network leave room for others' mails", async () => {
    const line = Buffer.from(`${'x'.repeat(510)}\r\n`)
    const bytes = Buffer.concat(Array<Buffer>((12 * MEBIBYTE) / line.length).fill(line))
    const mails = await Promise.all(Array.from({ length: 22 }, () => beginMail('127.0.0.2')))
    await Promise.all(mails.map((mail) => new Promise((resolve) => mail.write(bytes, resolve))))
    const raw = rawMail({ from: 'carl@example.com', to: SUPPORT })
    expect(await sendBySmtp(smtpPort, { from: 'carl@example.com', to: [SUPPORT], raw })).toMatchObject({ code: 250 })
    sockets.close()
  })

  it("of five networks give way to others' mails", async () => {
    const line = Buffer.from(`${'x'.repeat(510)}\r\n`)
    const bytes = Buffer.concat(Array<Buffer>((15 * MEBIBYTE) / line.length).fill(line))
    const from = [10, 11, 12, 13, 14].flatMap((at) => Array<string>(4).fill(`127.0.0.${at}`))
    const mails = await Promise.all(from.map(beginMail))
    for (const mail of mails) mail.resume().write(bytes)
    const raw = rawMail({ from: 'carl@example.com', to: SUPPORT, text: 'x'.repeat(400_000) })
    // Each takes the room of the largest, while those that were refused send on.
    for (let count = 0; count < 6; count += 1) {
      expect(await sendBySmtp(smtpPort, { from: 'carl@example.com', to: [SUPPORT], raw })).toMatchObject({ code: 250 })
    }
    sockets.close()
  })

  it('are counted by connections of their network, and others get theirs', async () => {
    const texts = Array.from({ length: 60 }, () => RawSockets.textOf(sockets.open(smtpPort, '127.0.0.3')))
    await until(() => texts.every((text) => text() !== ''))
    expect(texts.filter((text) => text().startsWith('421 '))).toHaveLength(20)
    const other = RawSockets.textOf(sockets.open(smtpPort, '127.0.0.4'))
    await until(() => other().startsWith('220 '))
    sockets.close()
  })
})

describe('the least rate', () => {
  const LIMITS = { waitMs: 100, bytes: 10 }
  const PATIENT = { ...LIMITS, waitMs: 50_000 }
  const never = new Promise<never>(() => undefined)

  async function* pieces(count: number, isEnded: boolean): AsyncGenerator<Buffer> {
    for (let at = 0; at < count; at += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      yield Buffer.from('x')
    }
    if (!isEnded) await never
  }

  it('passes on everything that comes in time', async () => {
    const received: Buffer[] = []
    for await (const piece of atLeastRate(pieces(50, true), () => expect(true).toBe(false), PATIENT))
      received.push(piece)
    expect(received).toHaveLength(50)
  })

  it('cuts off who sends nothing more', async () => {
    const isCut = new Promise<string>((resolve) => {
      void (async () => {
        for await (const piece of atLeastRate(pieces(3, false), () => resolve('cut'), LIMITS))
          expect(piece).toHaveLength(1)
      })()
    })
    expect(await isCut).toBe('cut')
  })
})
