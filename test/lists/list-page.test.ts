import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let test: TestServer
let organization: MadeOrganization
let admin: MadeUser

beforeAll(async () => {
  test = await startTestServer()
  organization = await test.makeOrganization()
  admin = await test.makeUser({ organization, role: 'admin' })
  // Within one slot of ten minutes and in many, at the same times, and with no message at all.
  await test.server.database.query(
    `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, category,
       last_message_at)
     select gen_random_uuid(), $1, $1, at, at, 'contact', 'Conversation ' || n % 7, 'slug' || n,
       case when n % 5 = 0 then 'active' else 'closed' end, case when n % 3 = 0 then 'Boats' end,
       case when n % 4 > 0 then at + (n % 3) * interval '7 minutes' end
     from (select n, date_trunc('milliseconds', now()) - (n % 20) * interval '90 seconds' as at
       from generate_series(1, 60) n) rows`,
    [organization.id],
  )
})
afterAll(() => test.close())

interface PageOf {
  edges: { cursor: string; node: { id: string } }[]
  pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean }
  totalCount: number
}

async function page(args: string, kind = 'conversations'): Promise<PageOf> {
  const { data, errors } = await test.gql(
    admin,
    `{ page: ${kind}(${args}) {
    edges { cursor node { id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } totalCount } }`,
  )
  expect(errors).toBeUndefined()
  return data.page
}

const ids = ({ edges }: PageOf): string[] => edges.map(({ node }) => node.id)

describe('the nodes of a page', () => {
  const both = (args: string, kind: string): string =>
    `{ page: ${kind}(${args}) { nodes { id } edges { node { id } } } }`

  it.each([
    ['conversations', 'first: 7'],
    ['conversations', 'last: 7, orderBy: [{ field: NAME }]'],
    ['conversations', 'offset: 50'],
    ['conversations', 'filter: { name: { eq: "none has it" } }'],
    ['users', 'first: 3'],
    ['services', 'first: 3'],
    ['forms', 'first: 3'],
  ])('are those of its edges, in their order: %s(%s)', async (kind, args) => {
    const { data, errors } = await test.gql(admin, both(args, kind))
    expect(errors).toBeUndefined()
    expect(data.page.nodes).toEqual(data.page.edges.map(({ node }: { node: object }) => node))
  })

  it('obey the length of a page', async () => {
    const { errors } = await test.gql(admin, '{ conversations(first: 101) { nodes { id } } }')
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'first' } }])
  })

  it('are found by a search, and are the messages of a conversation', async () => {
    const { data, errors } = await test.gql(
      admin,
      `{ search(text: "Conversation") { nodes { ... on Conversation { id } } edges { node { ... on Conversation { id } } } }
         conversations(first: 1) { nodes { messages(last: 3) { nodes { id } totalCount } } } }`,
    )
    expect(errors).toBeUndefined()
    expect(data.search.nodes).toHaveLength(30)
    expect(data.search.nodes).toEqual(data.search.edges.map(({ node }: { node: object }) => node))
    expect(data.conversations.nodes).toEqual([{ messages: { nodes: [], totalCount: 0 } }])
  })
})

describe('the pages of a list', () => {
  it.each(
    ['createdAt', 'lastMessageAt', 'name', 'status', 'category', 'queuedAt', 'id'].flatMap((field) =>
      ['ASC', 'DESC'].map((direction) => [field, direction]),
    ),
  )(
    'by %s %s hold each row once, in the order of the whole, forward, backward and by offset',
    async (field, direction) => {
      const orderBy = `orderBy: [{ field: ${field}, direction: ${direction} }]`
      const whole = ids(await page(`first: 100, ${orderBy}`))
      expect(new Set(whole).size).toBe(60)
      const forward: string[] = []
      for (let after: string | null = null; ;) {
        const next = await page(`first: 7, ${orderBy}${after ? `, after: "${after}"` : ''}`)
        forward.push(...ids(next))
        if (!next.pageInfo.hasNextPage) break
        after = next.pageInfo.endCursor
      }
      expect(forward).toEqual(whole)
      const backward: string[] = []
      for (let before: string | null = null; ;) {
        const next = await page(`last: 7, ${orderBy}${before ? `, before: "${before}"` : ''}`)
        backward.unshift(...ids(next))
        if (!next.pageInfo.hasPreviousPage) break
        before = next.pageInfo.startCursor
      }
      expect(backward).toEqual(whole)
      expect(ids(await page(`first: 9, offset: 13, ${orderBy}`))).toEqual(whole.slice(13, 22))
    },
  )

  it('continues in a mixed order, where a single row comparison would not work', async () => {
    const orderBy = 'orderBy: [{ field: name, direction: ASC }, { field: lastMessageAt, direction: DESC }]'
    const whole = ids(await page(`first: 100, ${orderBy}`))
    const { pageInfo } = await page(`first: 20, ${orderBy}`)
    expect(ids(await page(`first: 40, ${orderBy}, after: "${pageInfo.endCursor}"`))).toEqual(whole.slice(20))
  })

  it('are linked on /v2 by a cursor, which is stable when records are added before it', async () => {
    const list = '/v2/conversations?limit=20&sort=-createdAt&select=name'
    const first = await test.rest(admin, 'GET', list)
    const created = await test.rest(admin, 'POST', '/v2/conversations', { type: 'agent' })
    expect(created.status).toBe(201)
    const link = /<[^>]+(\/v2\/[^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
    expect(link).toMatch(/[?&]offset=20&after=20\./)
    const second = await test.rest(admin, 'GET', link)
    const listed = [...first.body, ...second.body].map(({ id }: { id: string }) => id)
    expect(new Set(listed).size).toBe(40)
    // By the offset alone, the last of the first page comes again.
    const shifted = await test.rest(admin, 'GET', `${list}&offset=20`)
    expect(shifted.body[0].id).toBe(first.body.at(-1).id)
    await test.rest(admin, 'DELETE', `/v2/conversations/${created.body.id}`)
  })
})

describe('the count of a list', () => {
  const add = (from: number, to: number) =>
    test.server.database.query(
      `insert into contact (id, organization_id, org1, created_at, updated_at)
     select gen_random_uuid(), $1, $1, now(), now() from generate_series($2::int, $3::int)`,
      [organization.id, from, to],
    )
  const count = async () => (await page('first: 1', 'contacts')).totalCount

  it('is exact up to 10,000, and at most a minute old above', async () => {
    await add(1, 9_999)
    expect(await count()).toBe(9_999)
    await add(10_000, 10_000)
    expect(await count()).toBe(10_000)
    await add(10_001, 10_001)
    expect(await count()).toBe(10_001)
    await add(10_002, 10_010)
    expect(await count()).toBe(10_001)
    const { headers } = await test.rest(admin, 'GET', '/v2/contacts?limit=1')
    expect(headers.get('x-total-count')).toBe('10001')
    test.clock.advance(61_000)
    expect(await count()).toBe(10_010)
  })
})
