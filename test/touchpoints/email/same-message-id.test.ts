import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { MadeUser } from '../../support/factories.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { rawMail, type MailParts } from './mails.js'

const SUPPORT = 'support@boats.example'
const SECRET = 'an inbound secret of the test'
/** More by `npm run mails:shared`. */
const MAILS = Number(process.env.SHARED_MAILS ?? 100)
const IDS = MAILS / 10
const DATE = 'Date: Sat, 21 Nov 2026 10:00:00 +0000'

/** Two nodes on one database, without Redis. */
let nodes: TestServer[]
let admin: MadeUser
let service: string

beforeAll(async () => {
  const one = await startTestServer({ MAIL_SENDERS: 'any' })
  nodes = [one, await startTestServer({ MAIL_SENDERS: 'any', DATABASE_URL: one.databaseUrl })]
  const organization = await one.makeOrganization({ name: 'Harbour Boats' })
  admin = await one.makeUser({ organization, role: 'admin' })
  const made = await one.gql(admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
    input: { type: 'email', name: 'Mail', params: { address: SUPPORT, inboundSecret: SECRET } },
  })
  service = made.data.createService.id
})

afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close()
})

async function post(raw: string, node = nodes[0]!): Promise<{ message: string; isRepeat: boolean }> {
  const response = await fetch(`${node.url}/inbound/email/${service}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
    body: raw,
  })
  const body = (await response.json()) as { message: string; isRepeat: boolean }
  expect({ status: response.status, body }).toMatchObject({ status: 200 })
  return body
}

const mail = (parts: Partial<MailParts>, date = DATE): string =>
  rawMail({ to: SUPPORT, ...parts }).replace(`${DATE}\r\n`, date && `${date}\r\n`)

async function countOf(prefix: string): Promise<number> {
  const { data } = await nodes[0]!.gql(
    admin,
    `query ($text: String!) { messages(filter: { text: { startsWith: $text } }) { totalCount } }`,
    { text: prefix },
  )
  return data.messages.totalCount
}

test(`${MAILS} mails that share ${IDS} Message-IDs make ${MAILS} messages, and their repeats none (4.7)`, async () => {
  const raws = Array.from({ length: MAILS }, (_, at) => {
    const second = String(at % IDS < IDS / 2 ? 0 : 1).padStart(2, '0')
    return mail(
      {
        from: `sender-${Math.floor(at / IDS)}-${at % 10}@example.com`,
        messageId: `shared-${at % IDS}@example.com`,
        text: `of ${at}`,
      },
      DATE.replace(':00 +', `:${second} +`),
    )
  })
  const received: { message: string; isRepeat: boolean }[] = []
  for (let from = 0; from < raws.length; from += 20) {
    // Each at both nodes at once, as by a provider that did not wait for the answer.
    const slice = raws.slice(from, from + 20).flatMap((raw) => nodes.map((node) => post(raw, node)))
    received.push(...(await Promise.all(slice)))
  }
  expect(received.filter(({ isRepeat }) => !isRepeat)).toHaveLength(MAILS)
  expect(new Set(received.map(({ message }) => message)).size).toBe(MAILS)
  expect(await countOf('of ')).toBe(MAILS)
})

test('Message-ID, From and Date identify a mail; headers that its way adds do not', async () => {
  const base = { from: 'Carl <carl@example.com>', messageId: 'same@example.com', text: 'identity one' }
  const first = await post(mail(base))
  const others = [
    mail({ ...base, from: 'eve@example.com' }),
    mail(base, DATE.replace(':00 +', ':01 +')),
    mail({ ...base, messageId: 'another@example.com' }),
  ]
  for (const raw of others) expect(await post(raw)).toMatchObject({ isRepeat: false })
  const headers = { Received: 'from mx.example.com by mx2.example.com; Sat, 21 Nov 2026 10:00:02 +0000' }
  for (const raw of [mail(base), mail({ ...base, headers, from: 'Carl C. <CARL@example.com>' })]) {
    expect(await post(raw, nodes[1])).toEqual({ ...first, isRepeat: true })
  }
  expect(await countOf('identity one')).toBe(4)
})

test('what was said stands for a missing Message-ID or Date, the bytes for both', async () => {
  const from = 'nameless@example.com'
  const headers = { Received: 'by another way' }
  const withoutDate = { from, messageId: 'undated@example.com', text: 'nameless one' }
  const cases: [first: string, repeat: string, other: string][] = [
    [mail(withoutDate, ''), mail({ ...withoutDate, headers }, ''), mail({ ...withoutDate, text: 'nameless two' }, '')],
    [
      mail({ from, text: 'nameless three' }),
      mail({ from, text: 'nameless three', headers }),
      mail({ from, text: 'nameless four' }),
    ],
    [
      mail({ from, text: 'nameless' }, ''),
      mail({ from, text: 'nameless' }, ''),
      mail({ from, text: 'nameless', headers }, ''),
    ],
  ]
  for (const [first, repeat, other] of cases) {
    const received = await post(first)
    expect(received.isRepeat).toBe(false)
    expect(await post(repeat, nodes[1])).toEqual({ ...received, isRepeat: true })
    expect(await post(other)).toMatchObject({ isRepeat: false })
  }
  expect(await countOf('nameless')).toBe(6)
})
