import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { sampleOf } from '../support/metrics.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const READ_TIMEOUT_MS = 3_000
const AT_ONCE = 18
const CONTACTS = `query ($filter: ContactFilter) { contacts(first: 1, filter: $filter) { edges { node { id } } totalCount } }`

let server: TestServer
let attacker: MadeUser
let colleague: MadeUser
let neighbour: MadeUser

beforeAll(async () => {
  server = await startTestServer({ READ_TIMEOUT_MS: String(READ_TIMEOUT_MS), GRAPHQL_COST_PER_MINUTE: '1000000000' })
  const organization = await server.makeContactCenter()
  attacker = await server.makeUser({ organization, role: 'admin' })
  colleague = await server.makeUser({ organization })
  neighbour = await server.makeUser({ organization: await server.makeContactCenter({ name: 'Other' }) })
  await fillWithMeta(organization)
})
afterAll(() => server.close())

/**
 * Fills an organization with metadata that take long to look through, for a text that nearly stands everywhere in them.
 */
async function fillWithMeta({ id, path }: MadeOrganization): Promise<void> {
  await server.server.database.query(
    `insert into contact (id, organization_id, org1, org2, org3, created_at, updated_at, meta)
     select gen_random_uuid(), $1, $2, $3, $4, now(), now(), jsonb_build_object('a', repeat('a', 60000))
     from generate_series(1, 1500)`,
    [id, path[0], path[1], path[2]],
  )
}

const nearly = (length: number): object => ({ meta: [{ path: 'a', contains: `${'a'.repeat(length - 1)}b` }] })

describe('reads at the expense of others', () => {
  it('are cancelled when they take too long, while neighbours, colleagues and probes are served', async () => {
    const slow = Array.from({ length: AT_ONCE }, () => server.gql(attacker, CONTACTS, { filter: nearly(200) }))
    await until(async () => (await sampleOf(server.url, 'reads_waiting')) > 0)
    for (let round = 0; round < 5; round += 1) {
      const ready = await fetch(`${server.url}/readyz`)
      const answers = await Promise.all([server.gql(neighbour, CONTACTS), server.gql(colleague, CONTACTS, {})])
      expect(ready.status).toBe(200)
      expect(answers[0].errors).toBeUndefined()
      expect(answers[1].errors).toBeUndefined()
    }
    // They were served before those that had come first.
    expect(await sampleOf(server.url, 'reads_waiting')).toBeGreaterThan(0)
    for (const { status, errors } of await Promise.all(slow)) {
      expect(status).toBe(200)
      expect(errors?.[0]).toMatchObject({ extensions: { code: 'UNPROCESSABLE', reason: 'QUERY_TOO_LONG' } })
    }
  })

  const condition = { path: 'a', eq: 'x' }
  it.each([
    ['an operand', nearly(201), 'filter.meta[0].contains'],
    ['5,000 conditions in JSON', { meta: Array.from({ length: 5_000 }, () => condition) }, 'filter'],
    ['conditions in groups', { or: Array.from({ length: 100 }, () => ({ meta: [condition] })) }, 'filter'],
    ['groups of nothing', { or: Array.from({ length: 5_000 }, () => ({})) }, 'filter'],
    [
      'a list to be in',
      { id: { in: Array.from({ length: 1_001 }, () => '019aa000-0000-7000-8000-000000000000') } },
      'filter.id.in',
    ],
    ['a path', { meta: [{ path: 'a.'.repeat(1_000), eq: 'x' }] }, 'filter.meta[0].path'],
    ['a text to be equal to', { meta: [{ path: 'a', in: ['x'.repeat(2_001)] }] }, 'filter.meta[0].in[0]'],
  ])('refuses a filter with too much of: %s', async (_what, filter, field) => {
    const { errors } = await server.gql(colleague, CONTACTS, { filter })
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', field } })
  })

  it('treats a path without a comparison as no condition', async () => {
    const { status, errors } = await server.gql(neighbour, CONTACTS, { filter: { meta: [{ path: 'a' }] } })
    expect({ status, errors }).toEqual({ status: 200, errors: undefined })
  })

  it("cannot write through the connections for callers' reads", async () => {
    const { database } = server.server
    const reads = database.readsOf(['one', 'one', 'user:one'])
    await expect(reads.query('delete from contact')).rejects.toThrow('read-only')
  })
})
