import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/platform/db/clock.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'

const SPAN = 'from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z"'
/** Operations that name a record of the victim's, `$id`. */
const OPERATIONS = {
  user: {
    rotateApiToken: 'mutation ($id: ID!) { rotateApiToken(user: $id) { apiToken } }',
    updateStaff: 'mutation ($id: ID!) { updateStaff(user: $id, patch: { capacity: 0 }) { userId } }',
    setAvailability: 'mutation ($id: ID!) { setAvailability(user: $id, availability: BUSY) { userId } }',
  },
  skill: {
    deleteSkill: 'mutation ($id: ID!) { deleteSkill(id: $id) }',
    updateSkill: 'mutation ($id: ID!) { updateSkill(id: $id, patch: { name: "Taken" }) { id } }',
    skill: 'query ($id: ID!) { skill(id: $id) { name } }',
  },
  offer: { declineOffer: 'mutation ($id: ID!) { declineOffer(offer: $id) { id } }' },
  channel: {
    agentStates: 'query ($id: ID!) { agentStates(channels: [$id]) { userId } }',
    report: `query ($id: ID!) { report(${SPAN}, metrics: [CREATED], by: [CHANNEL], filter: { channels: [$id] }) { lines { channel { name } } } }`,
  },
  organization: {
    createSkill: 'mutation ($id: ID!) { createSkill(input: { name: "Planted", organization: $id }) { id } }',
    report: `query ($id: ID!) { report(${SPAN}, metrics: [CREATED], by: [ORGANIZATION], filter: { organizations: [$id] }) { lines { organization { name } } } }`,
  },
} as const
type Kind = keyof typeof OPERATIONS
const CASES = Object.entries(OPERATIONS).flatMap(([kind, all]) =>
  Object.entries(all).map(([name, query]): [string, Kind, string] => [name, kind as Kind, query]),
)

let app: TestServer
let center: MadeOrganization
let victim: Record<Kind, string>
let outsiders: Record<string, string | MadeUser | null>
let below: Record<string, string | MadeUser>

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeContactCenter({ name: 'The victim' })
  const admin = await app.makeUser({ organization: center, role: 'admin' })
  const agent = await app.makeUser({ organization: center })
  const { data } = await app.gql(
    admin,
    `mutation ($input: CreateChannelInput!) {
      channel: createChannel(input: $input) { id } skill: createSkill(input: { name: "Secret" }) { id }
    }`,
    { input: { name: 'Private', members: [{ user: agent.id }] } },
  )
  victim = {
    user: (await makeBot(admin)).id,
    skill: data.skill.id,
    offer: await offerTo(agent, data.channel.id),
    channel: data.channel.id,
    organization: center.id,
  }
  below = await lesserCallers(admin)
  const other = await app.makeContactCenter({ name: 'The attacker' })
  const foreign = await app.makeUser({ organization: other, role: 'admin' })
  const customer = await app.makeOrganization({ parent: center, name: 'A customer below' })
  outsiders = {
    'an admin of another tenant': foreign,
    'an agent of another tenant': await app.makeUser({ organization: other }),
    'an admin of a customer below': await app.makeUser({ organization: customer, role: 'admin' }),
    ...(await lesserCallers(foreign)),
    nobody: null,
  }
})
afterAll(() => app.close())

async function makeBot(admin: MadeUser): Promise<{ id: string; apiToken: string }> {
  const input = { role: 'BOT', email: `bot-${systemClock.newId()}@example.com` }
  const made = await app.gql(
    admin,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { id apiToken } }',
    { input },
  )
  expect(made.errors).toBeUndefined()
  return made.data.createUser
}

/** A guest, a viewer and a bot with a restricted token in the admin's organization. */
async function lesserCallers(admin: MadeUser): Promise<Record<string, string | MadeUser>> {
  const { body: web } = await app.rest(admin, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })
  const start = 'mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } } }'
  const { id } = await makeBot(admin)
  const rotate = 'mutation ($id: ID!) { rotateApiToken(user: $id, scopes: ["guest"]) { apiToken } }'
  return {
    'a guest': (await app.gql(null, start, { s: web.id })).data.startGuestSession.tokens.token,
    'a viewer': await app.makeUser({ organization: admin.organization, role: 'viewer' }),
    'a bot with a restricted token': (await app.gql(admin, rotate, { id })).data.rotateApiToken.apiToken,
  }
}

/** A pending offer, as the server makes one. */
async function offerTo(agent: MadeUser, channel: string): Promise<string> {
  const [id, conversation] = [systemClock.newId(), systemClock.newId()]
  const { database } = app.server
  await database.query(
    `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, touchpoint,
       meta, message_count, offer_id, offer_user_id, offer_until)
     values ($1, $2, $2, now(), now(), 'contact', 'C', $3, 'queued', 'web', '{}', 0, $4, $5, now() + interval '1 hour')`,
    [conversation, center.id, conversation, id, agent.id],
  )
  await database.query(
    `insert into offer (id, conversation_id, queueing, channel_id, user_id, made_at, until)
     values ($1, $2, 1, $3, $4, now(), now() + interval '1 hour')`,
    [id, conversation, channel, agent.id],
  )
  return id
}

/** Returns the answer, with the id that was asked for as `ID`. */
function answerTo({ data, errors }: GraphqlAnswer<unknown>, id: string): string {
  const said = errors?.map(({ message, extensions }) => ({ message, extensions })) ?? data
  return JSON.stringify(said).replaceAll(id, 'ID')
}

const stateOfVictim = () =>
  app.server.database.query(
    `select (select count(*) from skill where organization_id = $1) as skills, (select name from skill where id = $2) as name,
       (select count(*) from staff where user_id = $3) as staff, (select api_token_id from app_user where id = $3) as token,
       (select outcome from offer where id = $4) as outcome`,
    [center.id, victim.skill, victim.user, victim.offer],
  )

describe.each(CASES)("%s with a victim's %s", (name, kind, query) => {
  it('tells outsiders what it tells of an id that does not exist, and changes nothing', async () => {
    const before = await stateOfVictim()
    for (const [who, as] of Object.entries(outsiders)) {
      const unknown = systemClock.newId()
      const answer = answerTo(await app.gql(as, query, { id: victim[kind] }), victim[kind])
      expect([who, answer]).toEqual([who, answerTo(await app.gql(as, query, { id: unknown }), unknown)])
      expect(answer).toMatch(
        name === 'report' ? /NOT_FOUND|FORBIDDEN|UNAUTHENTICATED|"lines":\[\]/ : /NOT_FOUND|FORBIDDEN|UNAUTHENTICATED/,
      )
    }
    expect(await stateOfVictim()).toEqual(before)
  })

  it('is forbidden to guests, viewers and bots with a restricted token of the same tenant', async () => {
    const before = await stateOfVictim()
    for (const [who, as] of Object.entries(below)) {
      const { errors } = await app.gql(as, query, { id: victim[kind] })
      expect([who, errors?.[0]?.extensions.code]).toEqual([who, 'FORBIDDEN'])
    }
    expect(await stateOfVictim()).toEqual(before)
  })
})

it.each(['wallboard', 'agentStates'])(
  "the subscription %s tells nobody outside of a victim's channel",
  async (field) => {
    const query = `subscription ($id: ID!) { ${field}(channels: [$id]) { __typename } }`
    for (const [who, as] of [...Object.entries(outsiders), ...Object.entries(below)]) {
      if (as === null) continue
      const token = typeof as === 'string' ? as : await app.tokenFor(as)
      const client = liveClient(app.url, token)
      const live = subscribe(client, field, query, { id: victim.channel })
      await expect(live.next().then(() => who)).rejects.toThrow(/NOT_FOUND|FORBIDDEN/)
      live.stop()
      await client.dispose()
    }
  },
)
