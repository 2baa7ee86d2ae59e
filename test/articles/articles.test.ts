import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readEvents } from '../../src/platform/events/streams.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let customer: MadeOrganization
let admin: MadeUser
let bot: MadeUser
let agent: MadeUser
let rivalAgent: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  const center = await app.makeOrganization()
  customer = await app.makeOrganization({ parent: center, name: 'Customer' })
  const rival = await app.makeOrganization({ parent: center, name: 'Rival' })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  bot = await app.makeUser({ organization: customer, role: 'bot' })
  agent = await app.makeUser({ organization: customer })
  rivalAgent = await app.makeUser({ organization: rival })
})
afterAll(() => app.close())

const FIELDS = `id organizationId organization { name } title summary body language category status tags meta isShared
  createdAt updatedAt`

interface ArticleData {
  id: string
  body: string
  [key: string]: unknown
}

const create = (as: MadeUser, input: object) =>
  app.gql<{ createArticle: ArticleData }>(
    as,
    `mutation ($input: CreateArticleInput!) { createArticle(input: $input) { ${FIELDS} } }`,
    { input },
  )
const update = (as: MadeUser, id: string, patch: object) =>
  app.gql<{ updateArticle: ArticleData }>(
    as,
    `mutation ($id: ID!, $patch: UpdateArticleInput!) { updateArticle(id: $id, patch: $patch) { ${FIELDS} } }`,
    { id, patch },
  )
const fetched = (as: MadeUser, id: string) =>
  app.gql<{ article: ArticleData }>(as, `query ($id: ID!) { article(id: $id) { ${FIELDS} } }`, { id })
const remove = (as: MadeUser, id: string) => app.gql(as, 'mutation ($id: ID!) { deleteArticle(id: $id) }', { id })

async function made(input: object): Promise<ArticleData> {
  const { data, errors } = await create(agent, input)
  expect(errors).toBeUndefined()
  return data.createArticle
}

describe('an article (section 5, knowledge item)', () => {
  it('is created by an agent as a draft, and read back', async () => {
    const article = await made({
      title: 'Returns',
      summary: 'How to send things back',
      body: '<p>Within <b>30</b> days</p>',
      language: 'en',
      category: 'Sales',
      meta: { source: 'wiki' },
    })
    expect(article).toMatchObject({
      organizationId: customer.id,
      organization: { name: 'Customer' },
      title: 'Returns',
      status: 'DRAFT',
      tags: [],
      body: '<p>Within <b>30</b> days</p>',
      meta: { source: 'wiki' },
      isShared: false,
    })
    expect((await fetched(agent, article.id)).data.article).toEqual(article)
  })

  it('holds HTML under the rules of messages (2.10)', async () => {
    const { id, body } = await made({
      title: 'Hostile',
      body:
        '<h1>Big</h1><script>alert(1)</script><a href="javascript:alert(1)" onclick="x()">a</a>' +
        '<a href="https://e.nl">b</a>',
    })
    expect(body).toBe('Big<a target="_blank">a</a><a href="https://e.nl" target="_blank">b</a>')
    const patched = await update(agent, id, { body: '<img src=x onerror=alert(1)>' })
    expect(patched.data.updateArticle.body).toBe('<img />')
  })

  it('changes only the keys given; null clears', async () => {
    const { id } = await made({
      title: 'Old',
      summary: 'S',
      body: 'B',
      category: 'C',
      meta: { a: 1 },
      status: 'PUBLISHED',
    })
    const changed = (await update(agent, id, { title: 'New', summary: null, meta: { b: 2 } })).data.updateArticle
    expect(changed).toMatchObject({
      title: 'New',
      summary: null,
      body: 'B',
      category: 'C',
      meta: { b: 2 },
      status: 'PUBLISHED',
    })
    expect((await update(agent, id, { body: null, status: null })).data.updateArticle).toMatchObject({
      body: '',
      status: 'DRAFT',
    })
  })

  it.each([
    [{ title: ' ' }, 'title'],
    [{ title: null }, 'title'],
    [{ language: 'EN' }, 'language'],
    [{ category: '' }, 'category'],
    [{ summary: 'x'.repeat(2_001) }, 'summary'],
    [{ body: 'é'.repeat(140_000) }, 'body'],
    [{ meta: { _a: 1 } }, 'meta._a'],
    [{ body: '&'.repeat(200_000) }, 'body'],
  ])('refuses a patch, naming %# %s', async (patch, field) => {
    const { id } = await made({ title: 'Fine' })
    expect((await update(agent, id, patch)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it('is deleted by bots and administrators, not by agents (section 5)', async () => {
    const { id } = await made({ title: 'Gone' })
    expect((await remove(agent, id)).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await remove(bot, id)).data.deleteArticle).toBe(id)
    expect((await fetched(agent, id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    const events = await readEvents(app.server.database, `organization:${customer.id}`, 0, 1_000)
    const mine = events.filter(({ data }) => data.id === id)
    expect(mine.map(({ type, data }) => [type, data.title])).toEqual([
      ['article.created', 'Gone'],
      ['article.deleted', 'Gone'],
    ])
  })

  it("is not found by another tenant's agent", async () => {
    const { id } = await made({ title: 'Ours', status: 'PUBLISHED' })
    const answers = [await fetched(rivalAgent, id), await update(rivalAgent, id, { title: 'Mine' })]
    for (const { errors } of answers) expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('is listed, filtered, changed and deleted in /v2', async () => {
    const { status, body } = await app.rest(agent, 'POST', '/v2/articles', {
      title: 'REST',
      status: 'published',
      language: 'nl',
    })
    expect([status, body.status, body.organization]).toEqual([201, 'published', customer.id])
    expect((await app.rest(agent, 'GET', '/v2/articles?status=published&language=nl&sort=-title')).body).toEqual([body])
    expect((await app.rest(agent, 'PATCH', `/v2/articles/${body.id}`, { summary: 'S' })).body).toMatchObject({
      summary: 'S',
      language: 'nl',
    })
    expect((await app.rest(agent, 'GET', `/v2/articles/${body.id}?populate=organization`)).status).toBe(200)
    expect((await app.rest(agent, 'DELETE', `/v2/articles/${body.id}`)).status).toBe(403)
    expect((await app.rest(admin, 'DELETE', `/v2/articles/${body.id}`)).status).toBe(204)
  })
})
