import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
let closed: string
beforeAll(async () => {
  fixture = await startConversationFixture()
  closed = (await fixture.inStatus('CLOSED')).id
})
afterAll(() => fixture.close())

describe('a field of a closed list', () => {
  const list = (where: string) =>
    fixture.gql(fixture.admin, `{ conversations(filter: {status: {${where}}}) { edges { node { id status } } } }`)

  it.each(['eq: CLOSED', 'in: [CLOSED]', 'ne: QUEUED', 'eq: "closed"', 'eq: "CLOSED"'])(
    'is filtered by %s',
    async (where) => {
      const { data, errors } = await list(where)
      expect(errors).toBeUndefined()
      expect(data.conversations.edges).toEqual([{ node: { id: closed, status: 'CLOSED' } }])
    },
  )

  it('is refused with the values that there are, in the document, in a variable and in /v2', async () => {
    const known = 'known are QUEUED, ACTIVE, CLOSED, ARCHIVED'
    const [literal] = (await list('eq: BOGUS')).errors!
    expect(literal!.message).toBe(`BOGUS is not a ConversationStatus; ${known}`)
    const query = 'query ($filter: ConversationFilter) { conversations(filter: $filter) { totalCount } }'
    const [variable] = (await fixture.gql(fixture.admin, query, { filter: { status: { eq: 'bogus' } } })).errors!
    expect(variable).toMatchObject({
      message: expect.stringContaining(`"bogus" is not a ConversationStatus; ${known}`),
      extensions: { code: 'BAD_USER_INPUT', field: 'filter.status.eq' },
    })
    const { status, body } = await fixture.rest(fixture.admin, 'GET', '/v2/conversations?status=bogus')
    expect([status, body.field, body.message]).toEqual([
      400,
      'status',
      'status must be one of queued, active, closed, archived, not "bogus"',
    ])
  })

  it('is sorted by in upper case, and in the names of before', async () => {
    for (const field of ['LAST_MESSAGE_AT', 'lastMessageAt']) {
      const query = `{ conversations(orderBy: [{field: ${field}, direction: DESC}]) { edges { node { id } } } }`
      expect((await fixture.gql(fixture.admin, query)).data.conversations.edges).toContainEqual({
        node: { id: closed },
      })
    }
  })
})

describe('one record by its id', () => {
  const NOBODY = '01900000-0000-7000-8000-000000000000'

  it('leaves the rest of the screen when it is not there', async () => {
    const query = `query ($id: ID!) { me { id } gone: conversation(id: $id) { id } }`
    const { data, errors } = await fixture.gql(fixture.admin, query, { id: NOBODY })
    expect(data).toEqual({ me: { id: fixture.admin.id }, gone: null })
    expect(errors).toMatchObject([{ path: ['gone'], extensions: { code: 'NOT_FOUND' } }])
  })

  it('is answered with its id when it is deleted', async () => {
    const { id } = await fixture.create({})
    const remove = 'mutation ($id: ID!) { deleteConversation(id: $id) }'
    expect((await fixture.gql(fixture.admin, remove, { id })).data).toEqual({ deleteConversation: id })
  })
})
