import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { MadeUser } from '../support/factories.js'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { freePort } from '../../bench/chaos/free-port.js'
import { rawMail, sendBySmtp } from '../touchpoints/email/mails.js'

const SUPPORT = 'support@boats.example'
const RELAY = '127.0.0.9'
const sockets = new RawSockets()

let server: TestServer
let admin: MadeUser
let smtpPort: number

beforeAll(async () => {
  smtpPort = await freePort()
  server = await startTestServer({
    SMTP_LISTEN_PORT: String(smtpPort),
    SMTP_LISTEN_HOST: '127.0.0.1',
    MAIL_RELAYS: RELAY,
  })
  admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  await server.rest(admin, 'POST', '/v2/services', { name: 'E', type: 'email', params: { address: SUPPORT } })
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

/** Connects, and waits for the greeting. */
async function greeted(from: string): Promise<{ socket: Socket; text: () => string }> {
  const socket = sockets.open(smtpPort, from)
  const text = RawSockets.textOf(socket)
  await until(() => text().startsWith('220 '))
  return { socket, text }
}

/** Sends all these at once. @returns the answers' codes, once the server has ended the connection */
async function pipeline(from: string, ...lines: readonly string[]): Promise<string[]> {
  const { socket, text } = await greeted(from)
  const ended = once(socket, 'end')
  socket.write(lines.join(''))
  await ended
  return answersIn(text())
}

const answersIn = (text: string): string[] => text.match(/^\d{3} .*$/gm) ?? []

describe('commands by SMTP without a mail', () => {
  it.each([
    ['NOOP\r\n', '127.0.0.11'],
    ['RSET\r\n', '127.0.0.12'],
    ['EHLO again\r\n', '127.0.0.13'],
    ['HELP\r\n', '127.0.0.14'],
    ['RCPT TO:<nobody@boats.example>\r\n', '127.0.0.15'],
  ])('end their connection after 200: %j', async (line, from) => {
    const answers = await pipeline(from, 'EHLO x\r\nMAIL FROM:<a@b.example>\r\n', line.repeat(1_000))
    // The greeting answers the connection, which counts as one.
    expect(answers).toHaveLength(201)
    expect(answers.at(-1)).toBe('421 too many commands without a mail')
  })

  it('are counted by network, and others hand over their mail', async () => {
    const from = '127.0.0.2'
    const flooding = Array.from({ length: 38 }, () => pipeline(from, 'EHLO x\r\n', 'NOOP\r\n'.repeat(1_000)))
    const raw = rawMail({ from: 'carl@example.com', to: SUPPORT })
    expect(await sendBySmtp(smtpPort, { from: 'carl@example.com', to: [SUPPORT], raw })).toMatchObject({ code: 250 })
    const ends = (await Promise.all(flooding)).map((answers) => answers.at(-1))
    expect(ends).toHaveLength(38)
    expect(new Set(ends)).toContain('421 too many commands from your network')
    expect(ends.filter((end) => !end?.startsWith('421 too many commands'))).toEqual([])
  })

  it('leave the places of their network when they are refused', async () => {
    const from = '127.0.0.3'
    const first = await Promise.all(Array.from({ length: 40 }, () => pipeline(from, 'NOOP\r\n'.repeat(400))))
    expect(first.filter((answers) => !answers.at(-1)?.startsWith('421 too many commands'))).toEqual([])
    await until(async () => {
      const socket = sockets.open(smtpPort, from)
      const text = RawSockets.textOf(socket)
      await until(() => text() !== '')
      socket.destroy()
      return text().startsWith('220 ')
    })
  })
})

describe('commands by SMTP with mails', () => {
  it('are counted anew after each mail that is taken', async () => {
    const { socket, text } = await greeted('127.0.0.21')
    socket.write('EHLO x\r\n')
    for (let count = 0; count < 55; count += 1) {
      const before = text().length
      const from = `c${count}@example.com`
      socket.write(`MAIL FROM:<${from}>\r\nRCPT TO:<${SUPPORT}>\r\nNOOP\r\nDATA\r\n`)
      await until(() => text().slice(before).includes('354 '))
      const mail = rawMail({ from, to: SUPPORT, messageId: `${count}@counted.example` })
      socket.write(`${mail}\r\n.\r\n`)
      await until(() => /^354 .*\r\n250 /m.test(text().slice(before)))
    }
    expect(answersIn(text()).filter((answer) => answer.startsWith('4'))).toEqual([])
    socket.destroy()
  })

  it("are not counted of the installation's own mail servers", async () => {
    const { socket, text } = await greeted(RELAY)
    socket.write(`EHLO x\r\n${'NOOP\r\n'.repeat(1_000)}`)
    await until(() => answersIn(text()).length >= 1_002)
    expect(answersIn(text()).filter((answer) => answer.startsWith('4'))).toEqual([])
    socket.destroy()
  })
})
