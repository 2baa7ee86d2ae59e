import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

interface SearchPage {
  edges: { cursor: string; node: { __typename: string; id: string; text?: string } }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null }
  totalCount: number
}

const SEARCH = `query ($text: String!, $types: [SearchType!], $first: Int, $after: String) {
  search(text: $text, types: $types, first: $first, after: $after) {
    edges { cursor node { __typename
      ... on Message { id text conversation { id name } }
      ... on Contact { id profile { name } }
      ... on Conversation { id name contact { profile { name } } participants { userId } } } }
    pageInfo { hasNextPage hasPreviousPage endCursor } totalCount } }`

describe('search by text (2.8, 2.9, 2.11)', () => {
  let fixture: ConversationFixture
  let below: MadeOrganization
  let belowAdmin: MadeUser
  let foreignAdmin: MadeUser
  let sloop: string
  let yawl: string
  let hidden: string

  beforeAll(async () => {
    fixture = await startConversationFixture()
    below = await fixture.makeOrganization({ parent: fixture.organization })
    belowAdmin = await fixture.makeUser({ organization: below, role: 'admin' })
    const foreign = await fixture.makeOrganization()
    foreignAdmin = await fixture.makeUser({ organization: foreign, role: 'admin' })
    const foreignBot = await fixture.makeUser({ organization: foreign, role: 'bot' })
    sloop = (
      await fixture.create({
        name: 'Morning Harbour',
        contact: {
          profile: {
            name: 'Ünal Müller',
            email: 'u.muller@boats.example',
            telephone: '+31612345678',
            worksFor: 'Rederij',
          },
        },
        messages: [
          { role: 'CONTACT', text: 'I am looking for a sloop, a Blue one' },
          { role: 'AGENT', text: '<p>Our <b>sloops</b> are in stock</p>', contentType: 'TEXT_HTML' },
          { type: 'CARD', meta: { title: 'Quotation 4711' }, text: 'See it' },
          { type: 'COMMAND', text: '/set @language en' },
        ],
      })
    ).id
    yawl = (
      await fixture.create({
        name: 'Evening Quay',
        messages: [{ role: 'CONTACT', text: 'one red yawl, no sloop' }],
      })
    ).id
    hidden = (
      await fixture.create({
        organization: below.id,
        name: 'Below',
        messages: [{ role: 'CONTACT', text: 'a sloop below' }],
      })
    ).id
    await fixture.create(
      { name: 'Foreign sloop', messages: [{ role: 'CONTACT', text: 'a foreign sloop' }] },
      foreignBot,
    )
  })
  afterAll(() => fixture.close())

  const search = (as: MadeUser, text: string, more: object = {}) =>
    fixture.run<SearchPage>(as, SEARCH, { text, ...more })
  const ids = ({ edges }: SearchPage) => edges.map(({ node }) => node.id)
  const found = async (text: string, type: string, as: MadeUser = fixture.admin): Promise<string[]> =>
    ids((await search(as, text, { types: [type] })).value)
  const said = async (text: string): Promise<string[]> => {
    const { value } = await search(fixture.admin, text, { types: ['MESSAGE'] })
    return value.edges.map(({ node }) => node.text!.replace(/<[^>]*>/g, ''))
  }

  it.each([
    ['all words, in any order and case', 'BLUE sloop', ['I am looking for a sloop, a Blue one']],
    ['a phrase', '"red yawl"', ['one red yawl, no sloop']],
    ['no phrase in another order', '"yawl red"', []],
    ['either of two', 'yawl or stock', ['one red yawl, no sloop', 'Our sloops are in stock']],
    ['without a word', 'sloop -red -below', ['I am looking for a sloop, a Blue one']],
    ['the beginning of the last word', 'red yaw', ['one red yawl, no sloop']],
    ['not the beginning of another word', 'yaw red', []],
    ['not the beginning of a short one', 'ya', []],
    ['the title of a card', 'quotation 4711', ['See it']],
    ['no commands', 'language', []],
    ['no tags of HTML', 'b', []],
    ['nothing for signs', '!?', []],
  ])('messages: %s', async (_, text, expected) => {
    expect(await said(text)).toEqual(expected)
  })

  it.each([
    ['a name with letters of any language, in any case', 'ünal MÜLLER'],
    ['a company', 'rederij'],
    ['an email address', 'u.muller@boats.example'],
    ['a part of an email address', 'muller'],
    ['a telephone number', '+31612345678'],
    ['a telephone number without its plus, by its beginning', '316123'],
  ])('contacts: by %s', async (_, text) => {
    expect(await found(text, 'CONTACT')).toEqual([(await fixture.show(sloop)).contactId])
  })

  it('conversations: by name, by contact, and by the text of messages', async () => {
    for (const text of ['morning harbour', 'rederij', 'quotation']) {
      expect(await found(text, 'CONVERSATION')).toEqual([sloop])
    }
    expect(await found('sloop', 'CONVERSATION')).toEqual([hidden, yawl, sloop])
  })

  it('finds all types, newest first, in pages, each result once', async () => {
    const whole = (await search(fixture.admin, 'sloop')).value
    expect(whole.totalCount).toBe(7)
    expect(ids(whole)).toEqual(ids(whole).toSorted().reverse())
    expect(new Set(whole.edges.map(({ node }) => node.__typename))).toEqual(new Set(['Message', 'Conversation']))
    const paged: string[] = []
    let after: string | null = null
    for (let pages = 0; pages < 4; pages++) {
      const { value }: { value: SearchPage } = await search(fixture.admin, 'sloop', { first: 2, after })
      paged.push(...ids(value))
      after = value.pageInfo.endCursor
      expect(value.pageInfo).toMatchObject({ hasNextPage: pages < 3, hasPreviousPage: pages > 0 })
      expect(value.totalCount).toBe(7)
    }
    expect(paged).toEqual(ids(whole))
  })

  it("stays within the caller's tenants, whichever way a conversation is found", async () => {
    expect(await found('sloop', 'CONVERSATION', belowAdmin)).toEqual([hidden])
    expect(await found('sloop', 'MESSAGE', belowAdmin)).toHaveLength(1)
    for (const text of ['muller', 'morning']) {
      for (const as of [belowAdmin, foreignAdmin]) expect((await search(as, text)).value.edges).toEqual([])
    }
    const { value } = await search(foreignAdmin, 'sloop')
    expect(value.totalCount).toBe(2)
  })

  it('searches only what the caller may list: agents may not list messages (section 5)', async () => {
    const { value } = await search(fixture.ann, 'sloop')
    expect(value.edges.map(({ node }) => node.__typename)).toEqual(['Conversation', 'Conversation', 'Conversation'])
    expect(await search(fixture.ann, 'sloop', { types: ['MESSAGE'] })).toMatchObject({ code: 'FORBIDDEN' })
    const viewer = await fixture.makeUser({ organization: fixture.organization, role: 'viewer' })
    expect(await search(viewer, 'sloop')).toMatchObject({ code: 'FORBIDDEN' })
  })

  it.each([
    [{ text: ' ' }, 'text'],
    [{ text: 'x'.repeat(201) }, 'text'],
    [{ text: 'a\0b' }, 'text'],
    [{ text: 'x', types: [] }, 'types'],
    [{ text: 'x', first: 0 }, 'first'],
    [{ text: 'x', first: 101 }, 'first'],
    [{ text: 'x', after: 'nonsense' }, 'after'],
  ])('refuses %j', async (variables, field) => {
    expect(await fixture.run(fixture.admin, SEARCH, variables)).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field },
    })
  })

  it('accepts any words without an error', async () => {
    const hostile = [
      `'`,
      `"`,
      `""`,
      `a & b | !c`,
      `':*`,
      `\\`,
      `%_`,
      `a:*b`,
      `<->`,
      `(`,
      `or`,
      `-`,
      `-"a b"`,
      `x' or '1'='1`,
      '日本語',
      '😀',
    ]
    for (const text of hostile) expect(await search(fixture.admin, text)).toMatchObject({ details: {} })
  })

  describe('as q of the lists', () => {
    it('narrows conversations, messages and contacts, together with other conditions', async () => {
      const list = (query: string, variables: object) =>
        fixture.run<SearchPage>(fixture.admin, query, variables as never)
      const conversations = `query ($filter: ConversationFilter) {
        conversations(filter: $filter) { edges { node { id } } totalCount } }`
      const both = await list(conversations, { filter: { q: 'sloop', organization: { eq: fixture.organization.id } } })
      expect(both.value).toMatchObject({ totalCount: 2, edges: [{ node: { id: yawl } }, { node: { id: sloop } }] })
      const either = await list(conversations, { filter: { or: [{ q: 'quotation' }, { q: 'evening' }] } })
      expect(ids(either.value)).toEqual([yawl, sloop])
      const messages = await list(
        'query ($filter: MessageFilter) { messages(filter: $filter) { edges { node { text } } } }',
        { filter: { q: 'sloop', conversation: { eq: yawl } } },
      )
      expect(messages.value.edges).toEqual([{ node: { text: 'one red yawl, no sloop' } }])
      const contacts = await list(
        'query ($filter: ContactFilter) { contacts(filter: $filter) { edges { node { profile { name } } } } }',
        { filter: { q: 'muller' } },
      )
      expect(contacts.value.edges).toEqual([{ node: { profile: { name: 'Ünal Müller' } } }])
      expect(await list(conversations, { filter: { q: '' } })).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: 'filter.q' },
      })
    })

    it('is a query parameter of /v2, passed literally', async () => {
      const { body, headers } = await fixture.rest(
        fixture.admin,
        'GET',
        '/v2/conversations?q=sloop&limit=1&sort=-createdAt',
      )
      expect(body.map(({ id }: { id: string }) => id)).toEqual([hidden])
      expect(headers.get('x-total-count')).toBe('3')
      expect(headers.get('link')).toContain('q=sloop')
      const listed = async (path: string) => (await fixture.rest(fixture.admin, 'GET', path)).body as { text: string }[]
      expect(await listed('/v2/messages?q=yawl%20-blue')).toMatchObject([{ text: 'one red yawl, no sloop' }])
      expect(await listed('/v2/messages?q=!yawl&role=contact')).toHaveLength(1)
      expect(await listed('/v2/messages?q=red&q=yawl')).toHaveLength(1)
      expect(await listed('/v2/contacts?q=%2B31612345678')).toHaveLength(1)
      expect((await fixture.rest(fixture.admin, 'GET', '/v2/contacts?q=')).status).toBe(400)
      expect((await fixture.rest(fixture.admin, 'GET', '/v2/contacts?q.eq=x')).status).toBe(400)
      const { body: document } = await fixture.rest(null, 'GET', '/v2/openapi.json')
      const { parameters } = document.paths['/v2/messages'].get
      expect(parameters).toContainEqual({
        name: 'q',
        in: 'query',
        description: 'Words to search for.',
        schema: { type: 'string' },
      })
    })
  })
})
