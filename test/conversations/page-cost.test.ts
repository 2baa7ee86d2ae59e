import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getNamedType, isObjectType, isAbstractType, type GraphQLObjectType } from 'graphql'
import { systemClock } from '../../src/platform/db/clock.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { recordStatements } from '../support/record-statements.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let test: TestServer
let organization: MadeOrganization
let agent: MadeUser
let recorded: ReturnType<typeof recordStatements>

const COUNT = 51
/** Tables that a page reads, and not those of the server's work beside it: jobs, stream heads, presence. */
const READS_RECORDS = /\b(from|join) "?(conversation|participant|contact|message|app_user|organization)\b/
/** The statement that reads the caller, who is kept for some seconds: on a slow machine each request reads it anew. */
const READS_CALLER = /\bas is_paused\b/

beforeAll(async () => {
  test = await startTestServer()
  organization = await test.makeOrganization()
  agent = await test.makeUser({ organization, displayName: 'Ann' })
  const agents = [agent, await test.makeUser({ organization, displayName: 'Ben' })]
  for (let index = 0; index < COUNT; index++) await makeConversation(index, agents)
  recorded = recordStatements()
})

afterAll(async () => {
  recorded.stop()
  await test.close()
})

async function makeConversation(index: number, agents: readonly MadeUser[], of = organization): Promise<void> {
  const { database } = test.server
  const [id, contact, message] = [systemClock.newId(), systemClock.newId(), systemClock.newId()]
  const tenant = [of.id, of.path[0], of.path[1]]
  await database.query(
    `insert into contact (id, organization_id, org1, org2, created_at, updated_at, profile, meta)
     values ($1, $2, $3, $4, now(), now(), $5, '{"vip": true}')`,
    [contact, ...tenant, JSON.stringify({ name: `Consumer ${index}` })],
  )
  await database.query(
    `insert into conversation (id, organization_id, org1, org2, created_at, updated_at, type, name, slug, status, contact_id,
       touchpoint, category, category_index, language, meta, created_by_id, message_count, last_message_id,
       last_message_at, preview)
     values ($1, $2, $3, $4, now(), now(), 'contact', $5, $6, 'active', $7, 'web', 'Sales', 1, 'nl', '{"a": 1}', $8, 1, $9,
       now(), 'Hi')`,
    [id, ...tenant, `Conversation ${index}`, `slug-${index}`, contact, agents[0]!.id, message],
  )
  for (const each of agents) {
    await database.query(
      `insert into participant (conversation_id, user_id, name, role, unread_count, inbox, accepted, active, created_at,
         updated_at)
       values ($1, $2, 'A name', 'agent', 3, true, true, true, now(), now())`,
      [id, each.id],
    )
  }
  await database.query(
    `insert into message (id, organization_id, org1, org2, created_at, updated_at, conversation_id, position, type, role,
       user_id, text, meta)
     values ($1, $2, $3, $4, now(), now(), $5, 1, 'chat', 'agent', $6, $7, '{"b": 2}')`,
    [message, ...tenant, id, agents[1]!.id, `Message ${index}`],
  )
}

const page = (node: string, first = 50, filter = '') =>
  `{ conversations(first: ${first} ${filter && `filter: {${filter}}`}) { edges { node { ${node} } } pageInfo { hasNextPage } } }`

async function nodesOf(node: string, first?: number, filter?: string): Promise<Record<string, unknown>[]> {
  const { data, errors } = await test.gql(agent, page(node, first, filter))
  expect(errors).toBeUndefined()
  return data.conversations.edges.map((edge: { node: Record<string, unknown> }) => edge.node)
}

/** Every field of the type: `name`, `contact { id }`. */
function fieldsOf(type: string): string[] {
  const fields = (test.server.operations.schema.getType(type) as GraphQLObjectType).getFields()
  return Object.values(fields).map((field) => {
    const inner = getNamedType(field.type)
    if (isAbstractType(inner)) return `${field.name} { __typename }`
    if (!isObjectType(inner)) return field.name
    return `${field.name} { ${'id' in inner.getFields() ? 'id' : '__typename'} }`
  })
}

/**
 * Counts the fewest statements of three tries: a caller is authenticated anew every few seconds, with statements of its
 * own.
 */
async function fewestStatements(node: string, first?: number, filter?: string): Promise<number> {
  const counts: number[] = []
  for (let tries = 0; tries < 3; tries++) {
    recorded.statements.length = 0
    await nodesOf(node, first, filter)
    counts.push(recorded.statements.filter((text) => READS_RECORDS.test(text) && !READS_CALLER.test(text)).length)
  }
  return Math.min(...counts)
}

describe('a page of 50 conversations with participants, contact and last message', () => {
  it('costs one SQL statement', async () => {
    const node = `id name status participants { user { displayName } } contact { profile { name } }
      lastMessage { text }`
    const nodes = await nodesOf(node)
    expect(nodes).toHaveLength(50)
    expect(nodes[0]).toMatchObject({
      name: `Conversation ${COUNT - 1}`,
      participants: [{ user: { displayName: 'Ann' } }, { user: { displayName: 'Ben' } }],
      contact: { profile: { name: `Consumer ${COUNT - 1}` } },
      lastMessage: { text: `Message ${COUNT - 1}` },
    })
    expect(await fewestStatements(node)).toBe(1)
  })

  it('costs one with a filter as well', async () => {
    const node = 'participants { userId } contact { id } lastMessage { text }'
    expect(await fewestStatements(node, 50, 'status: {eq: "active"}')).toBe(1)
  })

  it('costs one whether its records are read by edges, by nodes, or by both', async () => {
    const node = 'name participants { user { displayName } } lastMessage { text }'
    const other = 'id status category contact { profile { name } } participants { userId }'
    const selections = [
      `nodes { ${node} ${other} }`,
      `nodes { ${node} } edges { cursor node { ${other} } }`,
      `edges { cursor node { ${node} } } same: nodes { ${other} } nodes { id }`,
    ]
    const [whole] = await nodesOf(`${node} ${other}`, 1)
    for (const selection of selections) {
      const counts: number[] = []
      for (let tries = 0; tries < 3; tries++) {
        recorded.statements.length = 0
        const { data, errors } = await test.gql(agent, `{ conversations(first: 50) { ${selection} } }`)
        expect(errors).toBeUndefined()
        const { nodes, edges, same } = data.conversations
        expect(nodes).toHaveLength(50)
        expect({ ...same?.[0], ...edges?.[0].node, ...nodes[0], participants: null }).toEqual({
          ...whole,
          participants: null,
        })
        counts.push(recorded.statements.filter((text) => READS_RECORDS.test(text) && !READS_CALLER.test(text)).length)
      }
      expect([selection, Math.min(...counts)]).toEqual([selection, 1])
    }
  })

  it('returns the same as when each field is loaded separately, as behind a directive', async () => {
    const nodeWith = (directive: string): string =>
      `id participants ${directive} { ${fieldsOf('Participant').join(' ')} }
       contact ${directive} { ${fieldsOf('Contact').join(' ')} }
       lastMessage ${directive} { id text user { name avatar role } createdAt likes meta url path level deliveries { id } }`
    const embedded = await nodesOf(nodeWith(''), 2)
    expect(embedded).toMatchObject([{ id: expect.any(String), participants: [{}, {}] }, {}])
    expect(await nodesOf(nodeWith('@include(if: true)'), 2)).toEqual(embedded)
  })

  it('costs the same for 50 as for 5', async () => {
    const node = `participants { user { displayName } } contact { organization { name } } createdBy { name }
      messages(first: 3) { edges { node { user { name } } } } messageIds
      lastMessage { user { avatar } conversation { name } }`
    const ofFive = await fewestStatements(node, 5)
    expect(ofFive).toBeGreaterThan(0)
    expect(await fewestStatements(node)).toBe(ofFive)
  })
})

/** Only the columns that are asked for are read: each field must find what it needs when it is asked for by itself. */
describe('a field loaded separately', () => {
  it.each([
    ['Conversation', (fields: string) => fields],
    ['Participant', (fields: string) => `participants { ${fields} }`],
    ['Contact', (fields: string) => `contact { ${fields} }`],
    ['Message', (fields: string) => `lastMessage { ${fields} }`],
  ])('has the value that it has among all: %s', async (type, within) => {
    const fields = fieldsOf(type)
    expect(fields.length).toBeGreaterThan(5)
    const [whole] = await nodesOf(within(fields.join(' ')), 1)
    for (const field of fields) {
      const [alone] = await nodesOf(within(field), 1)
      expect(whole).toMatchObject(alone!)
    }
  })

  it('through fragments, aliases and directives', async () => {
    const { data, errors } = await test.gql(
      agent,
      `query ($no: Boolean!) {
      conversations(first: 1) { ...Page }
    }
    fragment Page on ConversationConnection { edges { node { ...Node called: name } } edges { cursor node { slug } } }
    fragment Node on Conversation {
      ... on Conversation { url } status @skip(if: $no) category @include(if: $no)
    }`,
      { no: true },
    )
    expect(errors).toBeUndefined()
    const [edge] = data.conversations.edges
    expect(edge.node).toEqual({
      called: `Conversation ${COUNT - 1}`,
      slug: `slug-${COUNT - 1}`,
      url: expect.stringContaining(`/c/slug-${COUNT - 1}`),
      category: 'Sales',
    })
    expect(edge.cursor).toEqual(expect.any(String))
  })
})

describe('a page of an organization below (5)', () => {
  it("shows the contact center's agents, but no other tenant's", async () => {
    const other = await test.makeUser({ organization: await test.makeOrganization(), displayName: 'Eve' })
    const below = await test.makeOrganization({ parent: organization })
    const ofBelow = await test.makeUser({ organization: below })
    await makeConversation(100, [agent, other], below)
    const asked = 'conversations(first: 1) { edges { node { participants { user { displayName } } } } }'
    const { data } = await test.gql(ofBelow, `{ ${asked} }`)
    expect(data.conversations.edges[0].node.participants).toEqual([{ user: { displayName: 'Ann' } }, { user: null }])
  })
})
