import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connect, type Socket } from 'node:net'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const FORM_END = '\r\n--b--\r\n'
/** Bytes of an upload that goes on, in pieces that are above the least rate asked of a client. */
const FILE_BYTES = 24_000
const PIECE_BYTES = 1_000
const PIECE_MS = 250
/** Networks of the attack, and the places that each tries to have. */
const NETWORKS = 6
const EACH = 10
/** Guests' places of one contact center. */
const PLACES = 20
/** Sooner than an upload counts as one that lasts. */
const REOPEN_MS = 1_500

let server: TestServer
const sockets: Socket[] = []
const timers: NodeJS.Timeout[] = []

beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: 'true', GUEST_UPLOAD_BYTES_PER_DAY: '10000000000' })
})
afterAll(async () => {
  for (const timer of timers) clearInterval(timer)
  for (const socket of sockets) socket.destroy()
  await server.close()
})

async function makeService(): Promise<string> {
  const admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  return (await server.rest(admin, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })).body.id as string
}

async function startGuest(service: string): Promise<string> {
  const start = 'mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } } }'
  return (await server.gql(null, start, { s: service })).data.startGuestSession.tokens.token as string
}

/** Begins an upload. */
function open(token: string, address: string): Socket {
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  const length = part.length + PNG.length + FILE_BYTES + FORM_END.length
  socket.write(
    `POST /v2/attachments HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n${part}`,
  )
  socket.write(PNG)
  return socket
}

/** Uploads slowly to the end. @returns the status, null when the connection was cut */
async function uploadSlowly(token: string, address: string): Promise<number | null> {
  const socket = open(token, address)
  const since = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    // What a stall has kept back comes after it: else it would be slower than is asked of a client.
    const due = Math.min(FILE_BYTES, Math.floor((performance.now() - since) / PIECE_MS) * PIECE_BYTES)
    if (due > sent) socket.write(Buffer.alloc(due - sent, 7))
    if (due === FILE_BYTES && sent < FILE_BYTES) socket.write(FORM_END)
    sent = due
  }, PIECE_MS)
  timers.push(timer)
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(data.toString('latin1')))
    socket.once('close', () => resolve(''))
  })
  clearInterval(timer)
  return answer === '' ? null : Number(answer.slice(9, 12))
}

/** Keeps a place, by an upload that is begun anew again and again. @returns how often */
function reopen(token: string, address: string): () => number {
  let count = 0
  let socket: Socket | undefined
  const again = (): void => {
    count += 1
    socket?.destroy()
    socket = open(token, address)
  }
  again()
  timers.push(setInterval(again, REOPEN_MS))
  return () => count
}

it('networks that take places again and again end nobody who has one, and keep nobody out', async () => {
  const attacked = await makeService()
  const services = [attacked, await makeService(), await makeService(), await makeService()]
  const slow = await Promise.all(services.map(startGuest))
  const statuses = slow.map((token, at) => uploadSlowly(token, `198.51.100.${at}`))
  const counts: (() => number)[] = []
  for (let network = 0; network < NETWORKS; network += 1) {
    // Two of them take the places of one contact center.
    const token = await startGuest(services[network < 3 ? 0 : network - 2]!)
    for (let held = 0; held < EACH; held += 1) counts.push(reopen(token, `2001:db8:0:${network}::${held}`))
  }
  await until(() => counts.every((count) => count() > 1))
  // Of the contact center that is attacked, of another, and of one that nobody attacks.
  for (const service of [services[0]!, services[1]!, await makeService()]) {
    expect(await uploadSlowly(await startGuest(service), `203.0.113.${services.indexOf(service) + 1}`)).toBe(201)
  }
  expect(await Promise.all(statuses)).toEqual([201, 201, 201, 201])
})

it('networks of one customer keep nobody out by an upload each', async () => {
  const service = await makeService()
  const attack = async (network: number): Promise<number | null> =>
    uploadSlowly(await startGuest(service), `2001:db8:1:${network.toString(16)}::1`)
  const slow = uploadSlowly(await startGuest(service), '198.51.100.9')
  let refused = 0
  for (let network = 1; network <= PLACES; network += 1) {
    void attack(network).then((status) => (refused += status === 503 ? 1 : 0))
  }
  await until(() => refused > 0)
  expect(await uploadSlowly(await startGuest(service), '203.0.113.9')).toBe(201)
  expect(await slow).toBe(201)
})
