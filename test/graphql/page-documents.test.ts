import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createClient } from 'graphql-sse'
import { PageDocuments } from '../../src/api/graphql/page-documents.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

// The console and the widget send the ids of their documents; the pages of other releases do, too.
let app: TestServer
let agent: MadeUser
const seen: string[] = []
const ME = 'Me.000000000001'
const LIVE = 'Live.000000000001'
const GUEST = 'Guest.000000000001'

beforeAll(async () => {
  app = await startTestServer(
    {},
    {
      graphqlPlugins: [
        {
          requestDidStart: async () => ({
            responseForOperation: async ({ source }) => (seen.push(source ?? ''), null),
          }),
        },
      ],
    },
  )
  agent = await app.makeUser({ organization: await app.makeOrganization() })
  // As a node of another release does when it starts.
  const ofOtherRelease = new Map([
    [ME, '{ me { id } }'],
    [LIVE, 'subscription { queue { __typename } }'],
    [GUEST, 'mutation ($service: ID!) { startGuestSession(service: $service) { tokens { token } } }'],
  ])
  await new PageDocuments(ofOtherRelease, app.server.database).register()
})
afterAll(() => app.close())

describe('a document of a page', () => {
  it('is run by its id, also one that only a node of another release has, and plugins see its text', async () => {
    expect(await app.gql(agent, `#${ME}`)).toMatchObject({ status: 200, data: { me: { id: agent.id } } })
    expect(seen).toContain('{ me { id } }')
  })

  it('is run by its id on sockets and as server-sent events', async () => {
    const token = await app.tokenFor(agent)
    const sockets = liveClient(app.url, token)
    const live = subscribe<{ __typename: string }>(sockets, 'queue', `#${LIVE}`)
    expect(await live.next(() => true)).toEqual({ __typename: 'QueueSnapshot' })
    await sockets.dispose()
    const events = createClient({
      url: `${app.url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    })
    const first = await events.iterate({ query: `#${LIVE}` }).next()
    expect(first.value).toEqual({ data: { queue: { __typename: 'QueueSnapshot' } } })
    events.dispose()
  })

  it('has the rights that its text has, with bad credentials and without any', async () => {
    const owner = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
    const made = await app.gql(
      owner,
      'mutation { createService(input: { name: "W", type: "web", params: {} }) { id } }',
    )
    const service: string = made.data.createService.id
    for (const as of [null, 'no.such.token']) {
      expect(await app.gql(as, `#${GUEST}`, { service })).toMatchObject({
        data: { startGuestSession: { tokens: { token: expect.any(String) } } },
      })
      expect((await app.gql(as, `#${ME}`)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    }
  })

  it('that no node has had is refused by its name, and what is no id is a document', async () => {
    const unknown = await app.gql(agent, '#Me.000000000002')
    expect(unknown).toMatchObject({ status: 404, errors: [{ message: expect.stringContaining('Me.000000000002') }] })
    expect(unknown.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
    for (const text of [`#${ME} `, `#${ME}\n`, '#', `# ${ME}`, `#${'M'.repeat(200)}.000000000001`, `#${ME}'`]) {
      expect((await app.gql(agent, text)).errors).toMatchObject([{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }])
    }
    expect(await app.gql(agent, `#${ME}\n{ me { id } }`)).toMatchObject({ data: { me: { id: agent.id } } })
  })
})
