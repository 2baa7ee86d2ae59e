import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connect, type Socket } from 'node:net'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const MESSAGES = 20
const ORGANIZATION_MESSAGES = 70

interface Guest {
  token: string
  conversation: string
}

let server: TestServer
let service: string

beforeAll(async () => {
  server = await startTestServer({
    GUEST_MESSAGES_PER_MINUTE: String(MESSAGES),
    ORGANIZATION_GUEST_MESSAGES_PER_MINUTE: String(ORGANIZATION_MESSAGES),
    GUEST_UPLOAD_BYTES_PER_DAY: '102400',
    ORGANIZATION_GUEST_UPLOAD_BYTES_PER_DAY: '204800',
    TRUST_PROXY: 'true',
  })
  service = await makeService()
})
afterAll(() => server.close())

async function makeService(): Promise<string> {
  const admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  return (await server.rest(admin, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })).body.id as string
}

async function startGuest(of = service): Promise<Guest> {
  const start = 'mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } conversationId } }'
  const { tokens, conversationId } = (await server.gql(null, start, { s: of })).data.startGuestSession
  return { token: tokens.token, conversation: conversationId }
}

function send({ token, conversation }: Guest, times = 1): Promise<GraphqlAnswer<unknown>> {
  const fields = Array.from(
    { length: times },
    (_, index) => `m${index}: sendMessage(conversation: $c, message: { role: CONTACT, text: "hello" }) { id }`,
  )
  return server.gql(token, `mutation ($c: ID!) { ${fields.join(' ')} }`, { c: conversation })
}

const codes = (answers: GraphqlAnswer<unknown>[]): string[] =>
  answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code))

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`switchboard_${name}`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

describe('a guest', () => {
  it('sends a limited number of messages per minute, however they are batched, and gets Retry-After', async () => {
    const guest = await startGuest()
    const packed = await send(guest, 15)
    expect(packed.errors).toBeUndefined()
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(guest)))
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(MESSAGES - 15)
    expect(codes(answers)).toEqual(Array(100 - MESSAGES + 15).fill('RATE_LIMITED'))
    const refused = await server.rest(guest.token, 'POST', `/v2/conversations/${guest.conversation}/messages`, {
      role: 'contact',
      text: 'x',
    })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('shares a limit with all guests of its contact center, and with no others', async () => {
    // With none of it spent.
    const of = await makeService()
    const sentBefore = await metric('guest_messages_total')
    const guests = await Promise.all(Array.from({ length: 6 }, () => startGuest(of)))
    const answers = await Promise.all(guests.flatMap((guest) => Array.from({ length: MESSAGES }, () => send(guest))))
    const sent = answers.filter(({ errors }) => !errors).length
    expect(sent).toBe(ORGANIZATION_MESSAGES)
    const neighbour = await startGuest(await makeService())
    expect((await send(neighbour)).errors).toBeUndefined()
    expect((await metric('guest_messages_total')) - sentBefore).toBe(ORGANIZATION_MESSAGES + 1)
    expect(await metric('guest_refusals_total{what="messages",whose="organization"}')).toBeGreaterThan(0)
  })

  it('uploads a limited number of bytes per day, as do all guests of a contact center together', async () => {
    const of = await makeService()
    const upload = async ({ token }: Guest): Promise<Response> => {
      const body = new FormData()
      const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(40_000, 7)])
      body.append('file', new Blob([png], { type: 'image/png' }), 'a.png')
      return fetch(`${server.url}/v2/attachments`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}` },
      })
    }
    const statuses: number[][] = []
    for (let count = 0; count < 3; count += 1) {
      const guest = await startGuest(of)
      const answers = [await upload(guest), await upload(guest), await upload(guest)]
      statuses.push(answers.map(({ status }) => status))
      expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect(statuses).toEqual([
      [201, 201, 429],
      [201, 201, 429],
      [201, 429, 429],
    ])
  })

  it("has a fraction of a user's GraphQL budget", async () => {
    const guest = await startGuest(await makeService())
    const typing = Array.from(
      { length: 30 },
      (_, index) => `t${index}: setTyping(conversation: $c, typing: true)`,
    ).join(' ')
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        server.gql(guest.token, `mutation ($c: ID!) { ${typing} }`, { c: guest.conversation }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(35)
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(20)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })

  it('holds a limited number of uploads open, and none of those of an agent', async () => {
    const of = await makeService()
    const [guest, second] = [await startGuest(of), await startGuest(of)]
    const sockets: Socket[] = []
    /** Without an answer it is being received. */
    interface Upload {
      status: string
    }
    const hold = (address: string, { token }: Guest = guest): Upload => {
      const upload = { status: 'open' }
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      sockets.push(socket)
      socket.once('data', (data) => (upload.status = /^HTTP\/1\.1 (\d+)/.exec(String(data))![1]!))
      socket.on('error', () => undefined)
      socket.write(
        `POST /v2/attachments HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n` +
          `authorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
          `content-length: 1000\r\n\r\n--b\r\n`,
      )
      return upload
    }
    const refused = (uploads: Upload[]) => uploads.filter(({ status }) => status === '503').length
    const fourOfFourteen = [...Array(4).fill('503'), ...Array(10).fill('open')]
    const fromOne = Array.from({ length: 14 }, () => hold('192.0.2.50'))
    await until(() => refused(fromOne) >= 4)
    // One guest has half of its organization's places, from however many addresses.
    const fromElsewhere = hold('192.0.2.51')
    expect(await until(() => fromElsewhere.status !== 'open' && fromElsewhere.status)).toBe('503')
    const fromMany = Array.from({ length: 14 }, (_, index) => hold(`192.0.2.${60 + index}`, second))
    await until(() => refused(fromMany) >= 4)
    const agent = await server.makeUser({ organization: await server.makeContactCenter() })
    const body = new FormData()
    body.append('file', new Blob([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')]), 'a.png')
    const headers = { authorization: `Bearer ${await server.tokenFor(agent)}`, 'x-forwarded-for': '192.0.2.50' }
    const uploaded = await fetch(`${server.url}/v2/attachments`, { method: 'POST', body, headers })
    for (const uploads of [fromOne, fromMany])
      expect(uploads.map(({ status }) => status).toSorted()).toEqual(fourOfFourteen)
    for (const socket of sockets) socket.destroy()
    expect(uploaded.status).toBe(201)
  })
})
