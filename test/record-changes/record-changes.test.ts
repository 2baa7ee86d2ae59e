import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

interface Heard {
  __typename: string
  cursor: string
  resync?: boolean
  record?: string
  id?: string
  organization?: string
  change?: string
}

const CHANGES = `subscription ($after: String) { recordChanges(after: $after) { __typename ... on StreamEvent { cursor }
  ... on RecordChangesSnapshot { resync } ... on RecordChanged { record id organization change } } }`

let app: TestServer
/** Another node, which hears of changes by the database alone. */
let beside: TestServer
let center: MadeOrganization
let below: MadeOrganization
let admin: MadeUser
let belowAdmin: MadeUser
const clients: Client[] = []
beforeAll(async () => {
  app = await startTestServer()
  beside = await startTestServer({}, { beside: app })
  center = await app.makeOrganization({ name: 'Harbour' })
  below = await app.makeOrganization({ parent: center, name: 'Shop' })
  admin = await app.makeUser({ organization: center, role: 'admin' })
  belowAdmin = await app.makeUser({ organization: below, role: 'admin' })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()))
  await beside?.close()
  await app?.close()
})

async function hear(as: MadeUser, node = beside, after?: string): Promise<LiveSubscription<Heard>> {
  const client = liveClient(node.url, await app.tokenFor(as))
  clients.push(client)
  return subscribe<Heard>(client, 'recordChanges', CHANGES, { after })
}
async function begin(as: MadeUser, node = beside): Promise<LiveSubscription<Heard>> {
  const live = await hear(as, node)
  expect(await live.next()).toMatchObject({ __typename: 'RecordChangesSnapshot', resync: false })
  return live
}
async function run(as: MadeUser, text: string, variables: object = {}): Promise<string> {
  const { data, errors } = await app.gql(as, text, variables as Record<string, unknown>)
  expect(errors).toBeUndefined()
  return (Object.values(data as object)[0] as { id: string }).id
}
let labels = 0
const addLabel = (as: MadeUser, organization?: MadeOrganization): Promise<string> =>
  run(as, 'mutation ($input: CreateLabelInput!) { createLabel(input: $input) { id } }', {
    input: { name: `Label ${++labels}`, organization: organization?.id },
  })
const changed = (id: string) => (event: Heard) => event.id === id

describe('changes of records', () => {
  it('are heard on another node: what was created, updated and deleted', async () => {
    const live = await begin(admin)
    const label = await addLabel(admin)
    expect(await live.next(changed(label))).toMatchObject({
      __typename: 'RecordChanged',
      ...{ record: 'label', change: 'CREATED', organization: center.id },
    })
    await run(admin, 'mutation ($id: ID!) { updateLabel(id: $id, patch: { name: "Renamed" }) { id } }', { id: label })
    expect(await live.next(changed(label))).toMatchObject({ change: 'UPDATED' })
    const skill = await run(admin, 'mutation { createSkill(input: { name: "Knots" }) { id } }')
    expect(await live.next(changed(skill))).toMatchObject({ record: 'skill', change: 'CREATED' })
    await app.gql(admin, 'mutation ($id: ID!) { deleteSkill(id: $id) }', { id: skill })
    expect(await live.next(changed(skill))).toMatchObject({ record: 'skill', change: 'DELETED' })
    const user = await run(admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { displayName: "Bo" }) { id } }', {
      id: belowAdmin.id,
    })
    expect(await live.next(changed(user))).toMatchObject({ record: 'user', organization: below.id })
  })

  it('are told to administrators only, of their own organizations', async () => {
    const agent = await app.makeUser({ organization: center })
    await expect((await hear(agent)).next()).rejects.toThrow('FORBIDDEN')
    const elsewhere = await app.makeOrganization({ name: 'Elsewhere' })
    const stranger = await app.makeUser({ organization: elsewhere, role: 'admin' })
    const [theirs, lower] = [await begin(stranger), await begin(belowAdmin)]
    const [above, own] = [await addLabel(admin), await addLabel(admin, below)]
    expect(await lower.next(({ __typename }) => __typename === 'RecordChanged')).toMatchObject({ id: own })
    const last = await addLabel(stranger)
    expect(await theirs.next(({ __typename }) => __typename === 'RecordChanged')).toMatchObject({ id: last })
    expect(lower.events.map(({ id }) => id)).not.toContain(above)
  })

  it('are not told of contacts, of which there are too many', async () => {
    const live = await begin(admin)
    const bot = await app.makeUser({ organization: center, role: 'bot' })
    const contact = await run(bot, 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }', {
      input: { profile: { name: 'C' } },
    })
    const label = await addLabel(admin)
    await live.next(changed(label))
    expect(live.events.map(({ id }) => id)).not.toContain(contact)
  })

  it('are replayed to whoever comes back, on another node', async () => {
    const live = await begin(admin)
    const { cursor } = await (async () => {
      const label = await addLabel(admin)
      return live.next(changed(label))
    })()
    live.stop()
    const missed = await addLabel(admin)
    const again = await hear(admin, app, cursor)
    expect(await again.next()).toMatchObject({ __typename: 'RecordChanged', id: missed })
  })

  it('of an organization that is new are told without asking again', async () => {
    const live = await begin(admin)
    const made = await run(
      admin,
      'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }',
      { input: { name: 'Yard', parent: center.id } },
    )
    // From the beginning: what was changed before it was followed is asked for as well.
    await live.next(({ __typename }) => __typename === 'RecordChangesSnapshot')
    const label = await addLabel(admin, { id: made, name: 'Yard', path: [center.id, made] })
    expect(await live.next(changed(label))).toMatchObject({ organization: made })
  })

  it('end with the rights', async () => {
    const second = await app.makeUser({ organization: center, role: 'admin' })
    const live = await begin(second)
    await run(admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: AGENT }) { id } }', { id: second.id })
    await until(() => live.errors.length > 0 || live.isComplete)
    const label = await addLabel(admin)
    expect(live.events.map(({ id }) => id)).not.toContain(label)
  })
})
