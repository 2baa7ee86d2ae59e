import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TOOLS, type Tool } from '../../src/api/mcp/tools.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'
import { makeWorld, markOf, PLACES, SECRETS_KEY, type Place, type Records, type World } from '../permissions/world.js'

/** Users of each role in `own`, an owner and an administrator above them, and an administrator elsewhere. */
const ROLES = ['viewer', 'agent', 'bot', 'admin', 'owner', 'above', 'foreign'] as const
type Role = (typeof ROLES)[number]

type Values = Readonly<Record<string, unknown>>

interface RpcAnswer {
  status: number
  // The tests state what they expect of it.
  result?: any // oxlint-disable-line typescript/no-explicit-any
  error?: { message: string; data?: { code: string } }
}

/** Answer to a caller: the record, or the refusal. */
interface Told {
  value: unknown
  refusal: (Record<string, unknown> & { code: string }) | null
}

let app: TestServer
let world: World
let users: Readonly<Record<Role, MadeUser>>
beforeAll(async () => {
  app = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000', SECRETS_KEY })
  world = await makeWorld(app)
  for (const place of PLACES) {
    const { organization } = world.records[place]
    const { status } = await app.rest(world.admins[place], 'PATCH', `/v2/organizations/${organization}`, {
      categories: [{ name: 'Boats' }],
    })
    expect(status).toBe(200)
  }
  const { guest, agent, bot, admin } = world.credentials as Record<string, MadeUser>
  const { organization } = admin!
  const owner = await app.makeUser({ organization, role: 'owner', displayName: 'Asking owner' })
  const { parent: above, foreign } = world.admins
  users = { viewer: guest!, agent: agent!, bot: bot!, admin: admin!, owner, above, foreign }
}, 120_000)
afterAll(() => app.close())

/** Sends a message of the protocol. */
async function rpc(as: string | MadeUser | null, method: string, params: object = {}): Promise<RpcAnswer> {
  const token = as === null || typeof as === 'string' ? as : await app.tokenFor(as)
  const answer = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

async function listed(as: MadeUser): Promise<string[]> {
  const { result } = await rpc(as, 'tools/list')
  return (result.tools as { name: string }[]).map(({ name }) => name)
}

async function byTool(as: MadeUser, { name }: Tool, given: Values): Promise<Told> {
  const { result, error } = await rpc(as, 'tools/call', { name, arguments: given })
  if (error) throw new Error(`${name}: ${JSON.stringify(error)}`)
  if (result.isError) return { value: null, refusal: JSON.parse(result.content[0].text) as Told['refusal'] }
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
  return { value: result.structuredContent, refusal: null }
}

async function byGraphql(as: MadeUser, { document }: Tool, given: Values): Promise<Told> {
  const { data, errors }: GraphqlAnswer<Record<string, unknown> | null> = await app.gql(as, document, given)
  if (errors) return { value: null, refusal: { message: errors[0]!.message, ...errors[0]!.extensions } }
  const [value] = Object.values(data!)
  return { value: Array.isArray(value) ? { items: value } : value, refusal: null }
}

/** The tools that read, with what they are asked about a place's records. */
const READING: Readonly<Record<string, (records: Records, place: Place) => Values>> = {
  search: (_, place) => ({ text: markOf(place), first: 50 }),
  find_article: (_, place) => ({ text: markOf(place) }),
  read_article: ({ article }) => ({ article }),
  list_queue: ({ channel }) => ({ channels: [channel] }),
  read_conversation: ({ conversation }) => ({ conversation }),
  explain_routing: ({ conversation }) => ({ conversation, first: 5 }),
  read_contact: ({ contact }) => ({ contact }),
}

/** The tools that write, in the order of a case: what each gets besides the conversation. */
const WRITING: Readonly<Record<string, (now: { mark: string; last: string; key: string }) => Values>> = {
  suggest: ({ mark, key }) => ({ text: 'It sails.', mark, idempotencyKey: key }),
  suggest_category: ({ mark, key }) => ({ category: 'Boats', mark, idempotencyKey: key }),
  reply: ({ mark, key }) => ({ text: 'It sails.', mark, idempotencyKey: key }),
  note: ({ key }) => ({ text: 'asks about boats', idempotencyKey: key }),
  set_category: () => ({ category: 'Boats' }),
  set_fields: () => ({ fields: { length: '9 m' } }),
  accept: () => ({}),
  close: ({ last }) => ({ ifLastMessage: last }),
  // It was closed before.
  hand_over: ({ mark, key }) => ({ summary: 'Wants a boat.', mark, idempotencyKey: key }),
}

const toolOf = (name: string): Tool => TOOLS.find((tool) => tool.name === name)!

/** Without what differs between two copies of a record, and between two requests. */
function comparable({ value, refusal }: Told): Told {
  const blank = (_key: string, each: unknown): unknown =>
    typeof each === 'string' ? each.replace(ID, 'id').replace(TIME, 'time').replace(MARK, '$1') : each
  const told = { value, refusal: refusal && { ...refusal, requestId: undefined } }
  return JSON.parse(JSON.stringify(told, blank)) as Told
}
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** A mark, which ends with the end of its conversation's id. */
const MARK = /^(\d+\.\d+)\.[0-9a-f]{6}$/

describe('a tool of /mcp', () => {
  it('is read or written by a case of this suite', () => {
    const known = [...Object.keys(READING), ...Object.keys(WRITING)]
    expect(known.toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted())
  })

  it.each(ROLES)('that reads tells the %s what its operation tells by /graphql, of every place', async (role) => {
    const as = users[role]
    for (const place of PLACES) {
      for (const [name, argumentsOf] of Object.entries(READING)) {
        const given = argumentsOf(world.records[place], place)
        const [told, expected] = [await byTool(as, toolOf(name), given), await byGraphql(as, toolOf(name), given)]
        expect({ name, place, ...comparable(told) }).toEqual({ name, place, ...comparable(expected) })
        if (!told.refusal) expect([name, told.value]).toEqual([name, expected.value])
      }
    }
  })

  it.each(ROLES)('that writes does for the %s what its operation does by /graphql, in every place', async (role) => {
    const as = users[role]
    for (const place of PLACES) {
      const [byMcp, byQuery] = [await world.copy(place), await world.copy(place)]
      for (const [name, argumentsOf] of Object.entries(WRITING)) {
        const [own, other] = [await argumentsIn(byMcp, place), await argumentsIn(byQuery, place)]
        const told = await byTool(as, toolOf(name), own(argumentsOf))
        const expected = await byGraphql(as, toolOf(name), other(argumentsOf))
        expect({ name, place, ...comparable(told) }).toEqual({ name, place, ...comparable(expected) })
      }
      expect(await stateOf(byMcp, place)).toEqual(await stateOf(byQuery, place))
    }
  })

  it.each(ROLES)('is listed for the %s if its operation is not forbidden to that role', async (role) => {
    const as = users[role]
    const place = role === 'foreign' ? 'foreign' : role === 'above' ? 'parent' : 'own'
    const allowed: string[] = []
    for (const { name } of TOOLS) {
      const records = await world.copy(place)
      const given = READING[name]?.(records, place) ?? (await argumentsIn(records, place))(WRITING[name]!)
      const { refusal } = await byGraphql(as, toolOf(name), given)
      if (refusal?.code !== 'FORBIDDEN') allowed.push(name)
    }
    expect(await listed(as)).toEqual(allowed)
  })

  it('is no way in for those who are no users: a guest, the operator, nobody', async () => {
    const { consumer, operator } = world.credentials as Record<string, string>
    const given = { name: 'read_conversation', arguments: { conversation: world.records.own.conversation } }
    for (const [as, status] of [
      [consumer!, 403],
      [operator!, 403],
      [null, 401],
      ['no token', 401],
    ] as const) {
      for (const [method, params] of [['tools/list', {}] as const, ['tools/call', given] as const]) {
        const { result, error, status: answered } = await rpc(as, method, params)
        expect([answered, result, error?.data?.code]).toEqual([
          status,
          undefined,
          status === 403 ? 'FORBIDDEN' : 'UNAUTHENTICATED',
        ])
      }
    }
  })
})

/** Reads what a writer gives back, as an administrator of the place sees it. */
async function argumentsIn(
  { conversation }: Records,
  place: Place,
): Promise<(argumentsOf: (typeof WRITING)[string]) => Values> {
  const { mark, messages } = await readAs(place, conversation)
  const now = { mark, last: messages.nodes.at(-1)!.id, key: crypto.randomUUID() }
  return (argumentsOf) => ({ conversation, ...argumentsOf(now) })
}

async function stateOf({ conversation }: Records, place: Place): Promise<unknown> {
  const { messages, mark, ...state } = await readAs(place, conversation)
  expect(mark).not.toBe('')
  return comparable({ value: { ...state, messages: messages.nodes.map(({ text }) => text) }, refusal: null })
}

interface Seen {
  mark: string
  messages: { nodes: { id: string; text: string }[] }
}

async function readAs(place: Place, conversation: string): Promise<Seen> {
  const query = `query ($id: ID!) {
    conversation(id: $id) { status category meta mark messages(last: 100) { nodes { id text role type } } }
  }`
  const { data } = await app.gql<{ conversation: Seen }>(world.admins[place], query, { id: conversation })
  return data.conversation
}
