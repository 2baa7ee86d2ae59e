import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { freePort } from '../../../bench/chaos/free-port.js'
import { until } from '../../support/until.js'
import { rawMail, sendBySmtp } from './mails.js'

const SUPPORT = 'support@boats.example'
const SECRET = 'an inbound secret of the test'
const TLS = join('test', 'touchpoints', 'email', 'tls')

let app: TestServer
let port: number
let service: string

beforeAll(async () => {
  port = await freePort()
  app = await startTestServer({
    SMTP_LISTEN_PORT: String(port),
    SMTP_LISTEN_HOST: '127.0.0.1',
    SMTP_TLS_CERT: join(TLS, 'certificate.pem'),
    SMTP_TLS_KEY: join(TLS, 'key.pem'),
  })
  const organization = await app.makeOrganization()
  const admin = await app.makeUser({ organization, role: 'admin' })
  const made = await app.gql(admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
    input: { type: 'email', params: { address: SUPPORT, inboundSecret: SECRET } },
  })
  service = made.data.createService.id
})

afterAll(async () => {
  await app.close()
})

const post = async (raw: string | Buffer): Promise<number> => (await answerTo(raw)).status

async function answerTo(raw: string | Buffer): Promise<{ status: number; said: string }> {
  const response = await fetch(`${app.url}/inbound/email/${service}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
    body: raw,
  })
  return { status: response.status, said: await response.text() }
}

/** The answer when something failed that is not the mail's fault. */
const FAILED = 'temporarily unavailable: repeat the request'

/** Sends a mail as a mail server does: again, while the server has too much to do for it, or has cut it off in between. */
const deliver = (raw: string): Promise<{ status: number; said: string }> =>
  until(
    () => answerTo(raw).catch(({ message }: Error) => ({ status: 0, said: message })),
    ({ status, said }) => status !== 0 && (status !== 503 || said.includes(FAILED)),
  )

/** The server still takes mail in. */
async function expectAlive(): Promise<void> {
  const raw = rawMail({ from: `alive-${Math.random()}@example.com`, to: SUPPORT })
  expect(await sendBySmtp(port, { from: 'carl@example.com', to: [SUPPORT], raw })).toMatchObject({ code: 250 })
}

const HEADERS = [
  'From',
  'To',
  'Subject',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Content-Disposition',
  'Message-ID',
  'References',
  'Date',
]
const VALUES = [
  'multipart/mixed; boundary="x"',
  'multipart/alternative; boundary=""',
  'text/plain; charset=nonsense',
  'text/html; charset=utf-7',
  'message/rfc822',
  'multipart/report; report-type=delivery-status; boundary=x',
  'base64',
  'quoted-printable',
  '8bit',
  '<a@b>',
  '=?utf-8?B?////?=',
  '=?utf-8?Q?=00=FF?=',
  '"a\\"b" <c@d.example>',
  'undisclosed-recipients:;',
  '@',
  '<>',
  'a@b@c',
  '"',
  '(((((',
  'x'.repeat(2_000),
]
const BODIES = [
  '--x',
  '--x--',
  '',
  '=FF=00=',
  'AAAA',
  '<p>hi',
  '<!--',
  '\u0000',
  'On 10:00 a@b wrote:',
  '> ',
  'Content-Type: text/plain',
]

/** The same mails in each run. */
const SEED = 1

test('malformed mails, 300 of them: none is answered with 5xx, and the server continues', async () => {
  const header = fc.tuple(
    fc.constantFrom(...HEADERS),
    fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'binary', maxLength: 60 })),
  )
  const line = fc.oneof(fc.constantFrom(...BODIES), fc.string({ unit: 'binary', maxLength: 80 }))
  const mails = fc.sample(
    fc.tuple(fc.array(header, { maxLength: 12 }), fc.array(line, { maxLength: 30 }), fc.boolean()),
    { seed: SEED, numRuns: 300 },
  )
  const statuses = new Map<number, number>()
  for (const [headers, lines, hasSender] of mails) {
    const head = headers.map(([name, value]) => `${name}: ${value}`)
    if (hasSender) head.unshift(`From: fuzz-${Math.random()}@example.com`)
    const status = await post(Buffer.from([...head, '', ...lines].join('\r\n')))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(50)
  await expectAlive()
})

test('mail bombs: endless nesting, parts, headers, lines and HTML are refused or accepted, and delay no others', async () => {
  const head = `From: bomb@example.com\r\nTo: ${SUPPORT}\r\n`
  const deep = Array.from(
    { length: 3_000 },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
  ).join('')
  const wide = `Content-Type: multipart/mixed; boundary="b"\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(200_000)}--b--\r\n`
  const bombs: [string, string][] = [
    ['nesting', head + deep],
    ['parts', head + wide],
    ['headers', `${head}${'X-A: b\r\n'.repeat(200_000)}\r\nhello`],
    ['a header line', `${head}Subject: ${'a '.repeat(500_000)}\r\n\r\nhello`],
    ['addresses', `From: bomb@example.com\r\nTo: ${'a@b.example, '.repeat(100_000)}x@y.example\r\n\r\nhello`],
    ['comments', `From: ${'('.repeat(20_000)} bomb@example.com\r\n\r\nhello`],
    ['text', `${head}\r\n${'Op schreef a\r\n'.repeat(300_000)}`],
    ['HTML', `${head}Content-Type: text/html\r\n\r\n${'<div><table><tr><td>'.repeat(50_000)}`],
    ['entities', `${head}Content-Type: text/html\r\n\r\n${'&lt;&'.repeat(400_000)}`],
    ['encoded words', `${head}Subject: ${'=?utf-8?B?YQ==?= '.repeat(10_000)}\r\n\r\nhello`],
    ['a mail in a mail in a mail', head + 'Content-Type: message/rfc822\r\n\r\n'.repeat(5_000) + 'hello'],
  ]
  let isOver = false
  const all = Promise.all(bombs.map(async ([what, raw]) => ({ what, ...(await deliver(raw)) }))).finally(
    () => (isOver = true),
  )
  // Meanwhile the server answers others: not only between two bombs.
  let others = 0
  for (; !isOver; others += 1) {
    const { status } = await until(() => fetch(`${app.url}/healthz`).catch(() => null))
    expect(status).toBe(200)
  }
  expect((await all).filter(({ status }) => status >= 500)).toEqual([])
  process.stdout.write(`${others} answers to others during ${bombs.length} mail bombs\n`)
  expect(others).toBeGreaterThan(bombs.length)
  await expectAlive()
})

test('clients that speak no SMTP, hang up, or send too much affect no others', async () => {
  const says = async (text: string, cutAfterMs = 50): Promise<void> => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('error', () => resolve())
      socket.on('close', () => resolve())
      setTimeout(() => socket.destroy(), cutAfterMs)
    })
  }
  await says('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await says('\x00\xff\xfe'.repeat(50_000))
  await says(`EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${SUPPORT}>\r\nDATA\r\nhalf a mail`)
  await says(`EHLO x\r\nMAIL FROM:<a@b.example>\r\n${`RCPT TO:<${SUPPORT}>\r\n`.repeat(500)}`)
  await says(
    `EHLO x\r\nRCPT TO:<'; drop table message; --@boats.example>\r\nRCPT TO:<\0>\r\nMAIL FROM:<${'a'.repeat(10_000)}@b>\r\n`,
  )
  await Promise.all(Array.from({ length: 60 }, () => says('EHLO x\r\n', 200)))
  await expectAlive()
})

test('STARTTLS is used with a mail server that requires it, and optional with others', async () => {
  const certificate = readFileSync(join(TLS, 'certificate.pem'), 'utf8')
  for (const shown of [certificate, undefined]) {
    const raw = rawMail({
      from: 'tls@example.com',
      to: SUPPORT,
      text: `by TLS: ${shown !== undefined}`,
      messageId: `tls-${shown?.length}@x`,
    })
    expect(await sendBySmtp(port, { from: 'tls@example.com', to: [SUPPORT], raw }, shown)).toMatchObject({ code: 250 })
  }
})
