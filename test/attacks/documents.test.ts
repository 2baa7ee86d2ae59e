import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sampleOf } from '../support/metrics.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { SignInDocument } from '../../client/src/generated/operations.js'
import { EarlierTalkDocument, StartTalkDocument } from '../../web/generated/widget.js'

const USER_FIELDS = 'id email avatar createdAt displayName familyName givenName lastLogin role name'

/** As many fragments as are allowed: validation compares the fields of all pairs of them. */
function costly(index: number | string, more = ''): string {
  const names = Array.from({ length: 63 }, (_, at) => `F${at}`)
  const fragments = names.map((name) => `fragment ${name} on User { ${USER_FIELDS} }`).join(' ')
  return `query Q${index} { me { ...${names.join(' ...')} ${more} } } ${fragments}`
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const kept = async (): Promise<{ documents: number; bytes: number }> => ({
  documents: await sampleOf(server.url, 'documents'),
  bytes: await sampleOf(server.url, 'documents_bytes'),
})

it('does not cache documents of callers without credentials', async () => {
  const large = (index: number): string => `{ me { ${'id '.repeat(60)} } } #${index}${'x'.repeat(60_000)}`
  for (let index = 0; index < 50; index += 1) {
    await server.gql(index % 2 ? null : 'nonsense', large(index))
    await server.gql(null, `mutation M${index} { createToken(email: "x", password: "y") { token } }`)
  }
  expect(await kept()).toEqual({ documents: 0, bytes: 0 })
})

it('shows the bounded cache of documents of authenticated callers', async () => {
  const agent = await server.makeUser({ organization: await server.makeContactCenter() })
  // The operator's, who made the contact center.
  const before = await kept()
  for (let index = 0; index < 10; index += 1) await server.gql(agent, `{ me { id } } #${index}`)
  const { documents, bytes } = await kept()
  expect(documents - before.documents).toBe(10)
  expect(bytes).toBeGreaterThan(10_000)
})

it('keeps documents of all guests within one quota, however many organizations they belong to', async () => {
  for (let count = 0; count < 2; count += 1) {
    const admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
    const web = await server.rest(admin, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })
    const start = 'mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } } }'
    const { token } = (await server.gql(null, start, { s: web.body.id })).data.startGuestSession.tokens
    // As many tokens as are allowed: each takes memory.
    const ids = Array.from({ length: 3_900 }, () => '"a"').join(' ')
    for (let index = 0; index < 12; index += 1) {
      await server.gql(token, `query Q${count}${index} { nodes(ids: [${ids}]) { id } }`)
    }
  }
  expect((await kept()).bytes).toBeGreaterThan(8 * 1_048_576)
  expect((await kept()).bytes).toBeLessThan(17 * 1_048_576)
})

describe('an address that sends documents without credentials', () => {
  let node: TestServer
  beforeAll(async () => {
    node = await startTestServer({ TRUST_PROXY: '1', GRAPHQL_COST_PER_MINUTE: '1000000' })
  })
  afterAll(() => node.close())

  const post = async (address: string, body: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(`${node.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
      body,
    })
    await response.text()
    return response.status
  }
  const large = (index: number): string => {
    const fields = Array.from({ length: 300 }, (_, field) => `f${field}: id`).join(' ')
    return JSON.stringify({ query: `query Q${index} { me { ${fields} } } #createToken ${'x'.repeat(30_000)}` })
  }

  it.each([
    ['without a token', {}],
    ['with a bad one', { authorization: 'Bearer nonsense' }],
  ])('is refused early, %s, and by its headers from then on; others are not', async (how, headers) => {
    const address = `192.0.2.${how.length}`
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 40)
      statuses.push(await post(address, large(statuses.length), headers))
    expect(statuses.at(-1)).toBe(429)
    // Nobody reads what it sends: not even whether it is JSON.
    if (how === 'without a token') expect(await post(address, '{'.repeat(30_000), headers)).toBe(429)
    const signIn = JSON.stringify({ query: 'mutation { createToken(email: "x", password: "y") { token } }' })
    expect(await post('198.51.100.7', signIn, headers)).toBe(200)
    const agent = await node.makeUser({ organization: await node.makeContactCenter() })
    const me = JSON.stringify({ query: '{ me { id } }' })
    expect(await post(address, me, { authorization: `Bearer ${await node.tokenFor(agent)}` })).toBe(200)
  })

  it('waits behind its own documents, and nobody else does', async () => {
    const small = JSON.stringify({ query: '{ __typename }' })
    // With connections that are open: what opening them takes is not the server's.
    await Promise.all(Array.from({ length: 61 }, () => post('198.51.100.8', small)))
    let read = 0
    const attack = Array.from({ length: 60 }, async (_, index) => {
      if ((await post('203.0.113.9', large(1_000 + index))) !== 429) read += 1
    })
    expect(await post('198.51.100.8', small)).toBe(200)
    const before = read
    await Promise.all(attack)
    // The last one came before it.
    expect(before).toBeLessThan(read)
  })
})

describe('large documents from many networks', () => {
  const NETWORKS = 120
  let node: TestServer
  beforeAll(async () => {
    node = await startTestServer({ TRUST_PROXY: '1' })
  })
  afterAll(() => node.close())

  const post = async (address: string, query: string, variables: object = {}, token?: string) => {
    const response = await fetch(`${node.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': address,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any
    return (await response.json()) as any
  }
  it('delay nobody who signs in or opens the web widget', async () => {
    const admin = await node.makeUser({ organization: await node.makeContactCenter(), role: 'admin' })
    const { body: web } = await node.rest(admin, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })
    let answered = 0
    const attack = Array.from({ length: NETWORKS }, async (_, index) => {
      const { errors } = await post(`203.0.${index % 256}.${index >> 8}`, costly(index))
      answered += 1
      return errors[0].extensions.code as string
    })
    // Each is read in its turn by now.
    await until(() => answered > 0)
    const signIn = await post('198.51.100.7', SignInDocument, { email: admin.email, password: 'wrong' })
    expect(signIn.errors[0].extensions.code).toBe('UNAUTHENTICATED')
    const started = await post('198.51.100.8', StartTalkDocument, { service: web.id })
    expect(started.errors).toBeUndefined()
    const { tokens, conversationId } = started.data.startGuestSession
    // Served several times a minute: a guest's budget is small.
    for (let page = 0; page < 3; page += 1)
      await post('198.51.100.8', EarlierTalkDocument, { id: conversationId }, tokens.token)
    const earlier = await post('198.51.100.8', EarlierTalkDocument, { id: conversationId }, tokens.token)
    expect(earlier.errors).toBeUndefined()
    // In the order of arrival the first of these would be after all of them.
    expect(answered).toBeLessThan(NETWORKS)
    expect(new Set(await Promise.all(attack))).toEqual(new Set(['UNAUTHENTICATED']))
  })
})

describe('beside a contact center whose documents are refused', () => {
  let node: TestServer
  beforeAll(async () => {
    node = await startTestServer({ RATE_LIMIT_PER_SECOND: '5000', GRAPHQL_COST_PER_MINUTE: '100000000' })
  })
  afterAll(() => node.close())

  it('its own requests wait, and those of others less', async () => {
    const agentOf = async (): Promise<string> =>
      node.tokenFor(await node.makeUser({ organization: await node.makeContactCenter() }))
    const [greedy, neighbour] = [await agentOf(), await agentOf()]
    let refused = 0
    /** @returns how many documents of the greedy one were refused meanwhile */
    const overtakenBy = async (token: string, query: string): Promise<number> => {
      const before = refused
      await node.gql(token, query)
      return refused - before
    }
    let isOver = false
    const flood = async (name: number): Promise<number[]> => {
      const counts: number[] = []
      for (let sent = 0; !isOver; sent += 1) {
        // Dear enough that what else a request waits for is little beside them.
        counts.push(await overtakenBy(greedy, costly(`${name}_${sent}`, 'no')))
        refused += 1
      }
      return counts
    }
    const floods = Array.from({ length: 32 }, (_, name) => flood(name))
    // Until they have taken what is free.
    await until(() => refused > 200)
    const waits: number[] = []
    for (let asked = 0; asked < 40; asked += 1) waits.push(await overtakenBy(neighbour, '{ me { id } }'))
    isOver = true
    const own = (await Promise.all(floods)).flatMap((counts) => counts.slice(-2))
    process.stderr.write(
      `documents refused while a neighbour waited: ${waits.join(', ')}; while itself: ${own.join(', ')}\n`,
    )
    // Its own are behind each other; the neighbour is behind those that had begun.
    expect(median(waits)).toBeLessThan(median(own) / 3)
  })
})

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!
