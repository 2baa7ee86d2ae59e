import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'
import { readFileSync } from 'node:fs'
import { Random } from '../../bench/fuzz/random.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const REQUESTS = 2_000

/** Values that a careless or hostile client sends where a value is expected. */
const TEXTS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'prototype',
  '\u0000',
  '\ud800',
  'ÿ'.repeat(300),
  'x'.repeat(70_000),
  '(a+)+$',
  '/accept',
  '/set',
  '/set @category',
  '/assign bob',
  '/import x',
  '>',
  '/nosuch',
  '<script>alert(1)</script>',
  "'; drop table message; --",
  '{}',
  'javascript:alert(1)',
  'a@b.c',
  '+31612345678',
  'nl',
  '😀',
]
const NUMBERS = [0, -1, 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 1e308, 0.5, Number.MAX_SAFE_INTEGER]
const OBJECTS = [
  {},
  { _system: 1 },
  JSON.parse('{"__proto__": {"polluted": true}}'),
  { constructor: { prototype: {} } },
  { a: 'x'.repeat(70_000) },
  { users: 'x' },
  { channels: [1] },
  { channels: null },
  { message: 5 },
  { organizations: [] },
  { all: [] },
  { delay: -1 },
]

const TAME_TEXTS = [
  'Name',
  'nl',
  'hello',
  '/accept',
  '/leave',
  '/join',
  '/notify',
  '/follow',
  '/set @name Boat',
  '/block',
  '/enqueue',
  '/action like',
  'a@example.com',
  'Europe/Amsterdam',
  'active',
  'NL',
]
const TAME_OBJECTS = [{}, { a: 1 }, { title: 't', url: 'https://example.com' }, { all: [] }, { message: { text: 'x' } }]

describe('hostile input over GraphQL', () => {
  let server: TestServer
  let schema: GraphQLSchema
  let callers: MadeUser[]
  let own: Record<string, string>
  let foreign: string[]

  beforeAll(async () => {
    schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
    server = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
    const organization = await server.makeOrganization()
    callers = [
      await server.makeUser({ organization, role: 'admin' }),
      await server.makeUser({ organization, role: 'bot' }),
      await server.makeUser({ organization, role: 'agent' }),
    ]
    own = { ...(await makeRecords(server, callers[0]!)), user: callers[2]!.id, organization: organization.id }
    const other = await server.makeOrganization({ name: 'Other' })
    const outsider = await server.makeUser({ organization: other, role: 'admin' })
    foreign = [other.id, outsider.id, ...Object.values(await makeRecords(server, outsider))]
  })
  afterAll(() => server.close())

  it(`answers ${REQUESTS} hostile requests without an internal error, and does not affect the other tenant`, async () => {
    // What the making of its records has begun is over.
    await until(async () => (await dueJobs(server)) === 0)
    const before = await fingerprint(server, foreign[0]!)
    const operations = [...fieldsOf('Mutation'), ...fieldsOf('Query')]
    const codes = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...operations),
        fc.nat(2),
        fc.noBias(fc.integer({ min: 0, max: 0xffff_ffff })),
        async ([kind, field], caller, seed) => {
          // Even over 0 to 1, unlike fast-check's own numbers, which favour the ends.
          const numbers = new Random(seed)
          const { query, variables } = operationOf(kind, field, () => numbers.next())
          const answer = await server.gql(callers[caller]!, query, variables)
          if (!answer.errors) codes.set('SUCCESS', (codes.get('SUCCESS') ?? 0) + 1)
          for (const { extensions } of answer.errors ?? [])
            codes.set(extensions.code, (codes.get(extensions.code) ?? 0) + 1)
          expect(answer.status).toBeLessThan(500)
          expect(answer.errors?.filter(({ extensions }) => extensions.code === 'INTERNAL_SERVER_ERROR') ?? []).toEqual(
            [],
          )
        },
      ),
      { numRuns: REQUESTS, endOnFailure: true },
    )
    const failed = codes.get('INTERNAL_SERVER_ERROR') ?? 0
    process.stdout.write(
      `GraphQL: ${REQUESTS} hostile requests, ${failed} internal errors ${JSON.stringify(Object.fromEntries(codes))}\n`,
    )
    expect(await fingerprint(server, foreign[0]!)).toEqual(before)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    // It is no test if everything stops at the same gate.
    expect([...codes.keys()]).toEqual(
      expect.arrayContaining(['BAD_USER_INPUT', 'NOT_FOUND', 'FORBIDDEN', 'UNPROCESSABLE', 'SUCCESS']),
    )
  })

  function fieldsOf(kind: 'Mutation' | 'Query'): ['Mutation' | 'Query', GraphQLField<unknown, unknown>][] {
    // Sign-in is throttled and slow by design; signing out would end the test's own callers.
    const left = ['createToken', 'revokeToken', 'acceptInvitation', 'updateUser', 'rotateApiToken']
    return (
      Object.values(
        schema.getType(kind) ? (kind === 'Query' ? schema.getQueryType() : schema.getMutationType())!.getFields() : {},
      )
        // What has been deleted could take no more of it.
        .filter(({ name }) => !left.includes(name) && !name.startsWith('delete'))
        .map((field) => [kind, field])
    )
  }

  function operationOf(kind: string, field: GraphQLField<unknown, unknown>, random: () => number) {
    const given = field.args.filter((argument) => isNonNullType(argument.type) || random() < 0.5)
    const variables: Record<string, unknown> = {}
    for (const argument of given)
      variables[argument.name] = valueOf(argument.type, random, 0, argument.name === 'id' ? field.name : argument.name)
    const declared = given.map(({ name, type }: GraphQLArgument) => `$${name}: ${type.toString()}`).join(', ')
    const passed = given.map(({ name }) => `${name}: $${name}`).join(', ')
    const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'
    const query = `${kind.toLowerCase()} ${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`}${selection} }`
    return { query, variables }
  }

  /** An own record of the kind that the name speaks of: `conversation`, `updateChannel`, `users`. */
  function idFor(name: string): string {
    const kind = Object.keys(own).find((key) => name.toLowerCase().includes(key))
    return own[kind ?? 'organization']!
  }

  function valueOf(type: GraphQLInputType, random: () => number, depth: number, name: string): unknown {
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length) % values.length]!
    // Mostly fit to be taken, so that what is not is met behind every gate.
    const isHostile = random() < 0.15
    if (random() < 0.01) return pick([null, 5, 'x', [], {}, true])
    const bare = getNullableType(type) as GraphQLInputType
    if (isListType(bare)) {
      return Array.from({ length: Math.floor(random() * 3) }, () =>
        valueOf(bare.ofType as GraphQLInputType, random, depth, name),
      )
    }
    if (isInputObjectType(bare)) {
      const fields = Object.values(bare.getFields())
      const chosen = fields.filter((field) => isNonNullType(field.type) || random() < (depth > 3 ? 0.05 : 0.4))
      return Object.fromEntries(chosen.map((field) => [field.name, valueOf(field.type, random, depth + 1, field.name)]))
    }
    if (isEnumType(bare)) return random() < 0.02 ? 'NO_SUCH' : pick(bare.getValues()).name
    switch (getNamedType(bare).name) {
      case 'ID':
        return isHostile
          ? pick([...foreign, 'abc', '', '00000000-0000-0000-0000-000000000000', '__proto__'])
          : idFor(name)
      case 'Int':
        return isHostile ? pick(NUMBERS) : 1 + Math.floor(random() * 5)
      case 'Boolean':
        return random() < 0.5
      case 'DateTime':
        return isHostile
          ? pick(['yesterday', '+275760-09-13T00:00:00Z', '0000-00-00'])
          : pick(['2026-11-20', '2026-11-20T10:00:00'])
      case 'JSON':
      case 'JSONObject':
        return isHostile ? pick(OBJECTS) : pick(TAME_OBJECTS)
      default:
        return isHostile ? pick(TEXTS) : pick(TAME_TEXTS)
    }
  }
})

async function makeRecords(server: TestServer, admin: MadeUser): Promise<Record<string, string>> {
  const channel = await server.gql(admin, 'mutation { createChannel(input: { name: "A" }) { id } }')
  const workflow = await server.gql(
    admin,
    `mutation { createWorkflow(input: { name: "W", rules: [{ conditions: { all: [] }, event: { type: "notify", params: {} } }] }) { id rules { id } } }`,
  )
  const conversation = await server.gql(
    admin,
    `mutation { createConversation(input: { touchpoint: WEB, contact: { profile: { name: "C", email: "${admin.id}@example.com" } },
      messages: [{ role: CONTACT, text: "hi" }] }) { id contactId lastMessage { id } } }`,
  )
  const { id, contactId, lastMessage } = conversation.data.createConversation
  const { id: workflowId, rules } = workflow.data.createWorkflow
  const channelId = channel.data.createChannel.id
  return {
    rule: rules[0].id,
    channel: channelId,
    workflow: workflowId,
    contact: contactId,
    message: lastMessage.id,
    conversation: id,
  }
}

async function dueJobs({ clock, server }: TestServer): Promise<number> {
  const rows = await server.database.query('select 1 from job where run_at <= $1', [clock.now()])
  return rows.length
}

/** Everything of one tenant, so that any change shows. */
async function fingerprint(server: TestServer, organization: string): Promise<unknown> {
  const tables = [
    'organization',
    'app_user',
    'channel',
    'workflow',
    'contact',
    'conversation',
    'message',
    'service',
    'organization_group',
  ]
  const rows = await Promise.all(
    tables.map((table) =>
      server.server.database.query(
        `select md5(string_agg(t::text, '|' order by id)) as sum from ${table} t where org1 = $1`,
        [organization],
      ),
    ),
  )
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]![0]]))
}
