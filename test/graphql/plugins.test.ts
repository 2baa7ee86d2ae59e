import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { GraphqlPlugin } from '../../src/api/graphql/apollo.js'
import { loadPlugins } from '../../src/api/graphql/load-plugins.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

// A plugin of an operator, as one that reports usage: it sees each operation of a client, whatever brought it.
interface Seen {
  name: string | null
  kind: string | undefined
  client: string | null
  errors: (string | undefined)[]
}
const seen: Seen[] = []
const usage: GraphqlPlugin = {
  requestDidStart: async ({ request }) => ({
    willSendResponse: async ({ operation, operationName, response }) => {
      const result = response.body.kind === 'single' ? response.body.singleResult : {}
      seen.push({
        name: operationName ?? null,
        kind: operation?.operation,
        client: request.http?.headers.get('apollographql-client-name') ?? null,
        errors: (result.errors ?? []).map(({ extensions }) => extensions?.code as string | undefined),
      })
      if (result.errors?.length) return
      result.extensions = { ...result.extensions, seen: seen.length }
    },
  }),
}

let app: TestServer
let admin: MadeUser
beforeAll(async () => {
  app = await startTestServer({}, { graphqlPlugins: [usage] })
  admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
})
beforeEach(() => void (seen.length = 0))
afterAll(() => app.close())

const post = async (query: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.tokenFor(admin)}`, ...headers },
    body: JSON.stringify({ query }),
  })

describe('a plugin of Apollo Server', () => {
  it('sees every request over HTTP, the first of a media type and all others, with its headers', async () => {
    for (const client of ['one', 'two', 'three']) {
      const response = await post('query Who { me { id } }', { 'apollographql-client-name': client })
      expect(await response.json()).toMatchObject({ data: { me: { id: admin.id } }, extensions: { seen: seen.length } })
    }
    const headers = { authorization: `Bearer ${await app.tokenFor(admin)}`, 'apollo-require-preflight': '1' }
    await fetch(`${app.url}/graphql?query=query+ByGet{me{id}}`, { headers })
    expect(seen.map(({ name, kind, client }) => [name, kind, client])).toEqual([
      ['Who', 'query', 'one'],
      ['Who', 'query', 'two'],
      ['Who', 'query', 'three'],
      ['ByGet', 'query', null],
    ])
  })

  it('sees what is refused, and why', async () => {
    await post('query Wrong { nothing }')
    await post('mutation Missing { deleteChannel(id: "01890000-0000-7000-8000-0000000000ff") }')
    expect(seen.map(({ errors }) => errors)).toEqual([['GRAPHQL_VALIDATION_FAILED'], ['NOT_FOUND']])
  })

  it('sees the operations of sockets, subscriptions when they open', async () => {
    const client = liveClient(app.url, await app.tokenFor(admin))
    const query = subscribe(client, 'me', 'query OnSocket { me { id } }')
    expect(await query.next()).toEqual({ id: admin.id })
    const inbox = subscribe<object>(client, 'inbox', 'subscription Live { inbox { __typename } }')
    expect(await inbox.next()).toEqual({ __typename: 'InboxSnapshot' })
    expect(seen.map(({ name, kind }) => [name, kind])).toEqual([
      ['OnSocket', 'query'],
      ['Live', 'subscription'],
    ])
    inbox.stop()
    await client.dispose()
  })

  it('sees those by server-sent events', async () => {
    const response = await post('query BySse { me { id } }', { accept: 'text/event-stream' })
    expect(await response.text()).toContain(admin.id)
    expect(seen.map(({ name }) => name)).toEqual(['BySse'])
  })
})

describe('GRAPHQL_PLUGINS', () => {
  it('names modules that export a plugin', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-plugins-'))
    const write = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    const good = await write('good.mjs', 'export default { async requestDidStart() {} }')
    expect(await loadPlugins([good])).toEqual([{ requestDidStart: expect.any(Function) }])
    const none = await write('none.mjs', 'export const plugin = 1')
    await expect(loadPlugins([good, none])).rejects.toThrow(`the default export of ${none} is no plugin`)
    await expect(loadPlugins([join(folder, 'missing.mjs')])).rejects.toThrow('missing.mjs cannot be loaded')
    await rm(folder, { recursive: true })
  })
})
