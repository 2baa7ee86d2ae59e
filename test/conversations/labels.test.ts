import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

const CREATE = 'mutation ($input: CreateLabelInput!) { createLabel(input: $input) { id name hue archivedAt } }'
const ARCHIVE = 'mutation ($id: ID!, $is: Boolean) { archiveLabel(id: $id, isArchived: $is) { archivedAt } }'
const SET = `mutation ($id: ID!, $add: [ID!], $remove: [ID!]) {
  setLabels(conversation: $id, add: $add, remove: $remove) { labels { name } } }`

interface Label {
  id: string
  name: string
  hue: number
  archivedAt: string | null
}

describe('labels', () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(() => fixture.close())

  let count = 0
  const create = (input: object, as = fixture.admin) => fixture.run<Label>(as, CREATE, { input })
  const make = async (name = `label ${++count}`): Promise<Label> => (await create({ name })).value
  const set = (as: Parameters<typeof fixture.run>[0], id: string, add: string[], remove: string[] = []) =>
    fixture.run<{ labels: { name: string }[] }>(as, SET, { id, add, remove })
  const wait = async (): Promise<string> =>
    (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id

  it('have a name that is unique among those in use, and a hue', async () => {
    const { value } = await create({ name: ' Refund ' })
    expect(value).toMatchObject({ name: 'Refund', archivedAt: null })
    expect((await create({ name: 'refund' })).details).toMatchObject({ reason: 'NAME_TAKEN', field: 'name' })
    for (const input of [{ name: ' ' }, { name: 'x'.repeat(41) }, { name: 'a\nb' }, { name: 'hue', hue: 360 }])
      expect((await create(input)).code).toBe('BAD_USER_INPUT')
    expect((await create({ name: 'Not mine' }, fixture.ann)).code).toBe('FORBIDDEN')
    const { value: other } = await create({ name: 'Complaint' })
    expect(Math.abs(other.hue - value.hue)).toBeGreaterThan(20)
    // Its name is free once it is archived, and taken when it is to be used again.
    await fixture.run(fixture.admin, ARCHIVE, { id: value.id })
    expect((await create({ name: 'REFUND' })).code).toBeUndefined()
    expect((await fixture.run(fixture.admin, ARCHIVE, { id: value.id, is: false })).details).toMatchObject({
      reason: 'NAME_TAKEN',
    })
  })

  it('are at most 500 in an organization', async () => {
    const organization = await fixture.makeOrganization()
    const admin = await fixture.makeUser({ organization, role: 'admin' })
    await create({ name: 'first' }, admin)
    await fixture.server.database.query(
      `insert into label (id, organization_id, org1, org2, org3, name, hue, created_at, updated_at)
       select md5(n::text || l.id)::uuid, organization_id, org1, org2, org3, 'label ' || n, 0, created_at, updated_at
       from label l, generate_series(2, 500) n where l.organization_id = $1`,
      [organization.id],
    )
    expect((await create({ name: 'one more' }, admin)).details).toMatchObject({ reason: 'TOO_MANY' })
  })

  it('are put on a conversation and taken off by whoever sees it; every screen hears of it', async () => {
    const id = await wait()
    const [one, two] = [await make('one'), await make('two')]
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ben))
    const thread = subscribe<{ conversation?: { labels: { name: string }[] } }>(
      client,
      'conversation',
      'subscription ($id: ID!) { conversation(id: $id) { ... on ConversationChanged { conversation { labels { name } } } } }',
      { id },
    )
    const queue = subscribe<{ entry?: { conversation: string; labels: string[] } }>(
      client,
      'queue',
      'subscription { queue { ... on QueueEntryChanged { entry { conversation labels } } } }',
    )
    await Promise.all([thread.next(), queue.next()])
    const { value, code } = await set(fixture.ann, id, [one.id, two.id, one.id])
    expect([code, value]).toEqual([undefined, { labels: [{ name: 'one' }, { name: 'two' }] }])
    const changed = await thread.next(({ conversation }) => (conversation?.labels.length ?? 0) > 0)
    expect(changed.conversation!.labels).toEqual([{ name: 'one' }, { name: 'two' }])
    const entry = await queue.next(({ entry: it }) => it?.conversation === id && it.labels.length > 0)
    expect(entry.entry!.labels).toEqual([one.id, two.id])
    await client.dispose()
    // What is on already, or is not, stays so.
    expect((await set(fixture.bot, id, [two.id], [one.id])).value.labels).toEqual([{ name: 'two' }])
    const milestones = await fixture.server.database.query(
      `select user_id, detail from milestone where conversation_id = $1 and kind = 'labelled' order by nth`,
      [id],
    )
    expect(milestones).toEqual([one, two].map((label) => ({ user_id: fixture.ann.id, detail: label.id })))
    // And it is found by them.
    const { value: found } = await fixture.run<{ edges: { node: { id: string } }[] }>(
      fixture.ann,
      'query ($label: ID!) { conversations(filter: { labels: { eq: $label } }) { edges { node { id } } } }',
      { label: two.id },
    )
    expect(found.edges).toEqual([{ node: { id } }])
  })

  it('of two agents at once all stay', async () => {
    const id = await wait()
    const labels = await Promise.all(Array.from({ length: 12 }, () => make()))
    const answers = await Promise.all(
      labels.map((label, index) => set(index % 2 ? fixture.ann : fixture.ben, id, [label.id])),
    )
    expect(answers.map(({ code }) => code).filter(Boolean)).toEqual([])
    const removed = labels.slice(0, 6)
    await Promise.all(removed.map((label, index) => set(index % 2 ? fixture.ann : fixture.ben, id, [], [label.id])))
    const names = (await set(fixture.ann, id, [])).value.labels.map(({ name }) => name).toSorted()
    expect(names).toEqual(
      labels
        .slice(6)
        .map(({ name }) => name)
        .toSorted(),
    )
  })

  it('are refused beyond 20, if they are archived, of others, or named twice; a guest sees none', async () => {
    const id = await wait()
    const labels = await Promise.all(Array.from({ length: 21 }, () => make()))
    const ids = labels.map((label) => label.id)
    expect((await set(fixture.ann, id, ids)).code).toBe('BAD_USER_INPUT')
    await set(fixture.ann, id, ids.slice(0, 20))
    expect((await set(fixture.ann, id, ids.slice(20))).details).toMatchObject({ reason: 'TOO_MANY' })
    expect((await set(fixture.ann, id, [ids[20]!], [ids[0]!])).value.labels).toHaveLength(20)
    expect((await set(fixture.ann, id, [ids[1]!], [ids[1]!])).details).toMatchObject({ field: 'remove' })
    // An archived one stays where it is, and is put on nothing more.
    await fixture.run(fixture.admin, ARCHIVE, { id: ids[1] })
    expect((await set(fixture.ann, id, [ids[1]!])).value.labels).toHaveLength(20)
    const other = await wait()
    expect((await set(fixture.ann, other, [ids[1]!])).details).toMatchObject({ reason: 'LABEL_ARCHIVED' })
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const theirs = (await create({ name: 'theirs' }, stranger)).value
    expect((await set(fixture.ann, other, [theirs.id])).code).toBe('NOT_FOUND')
    expect((await set(fixture.ann, other, ['nonsense'])).code).toBe('NOT_FOUND')
    expect((await set(stranger, other, [theirs.id])).code).toBe('NOT_FOUND')
    const { value: token } = await fixture.run<{ token: string }>(
      fixture.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const guest = await fixture.run<{ labels: object[]; labelIds: string[] }>(
      token.token,
      'query ($id: ID!) { conversation(id: $id) { labels { name } labelIds } }',
      { id },
    )
    expect(guest.value).toEqual({ labels: [], labelIds: [] })
    expect((await set(token.token, id, [])).code).toBe('FORBIDDEN')
  })

  it('of a merged conversation are those of both', async () => {
    const [target, origin] = [await wait(), await wait()]
    const [one, two] = [await make(), await make()]
    await set(fixture.ann, target, [one.id])
    await set(fixture.ann, origin, [one.id, two.id])
    await fixture.command(fixture.bot, target, `/import ${origin}`)
    expect((await set(fixture.ann, target, [])).value.labels).toEqual([{ name: one.name }, { name: two.name }])
    expect((await set(fixture.ann, origin, [two.id])).details).toMatchObject({ reason: 'CONVERSATION_STATUS' })
  })

  it('are managed and put on over /v2', async () => {
    const call = async (method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${await fixture.tokenFor(fixture.admin)}`,
        'content-type': 'application/json',
      }
      const response = await fetch(`${fixture.url}/v2${path}`, { method, headers, body: body && JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const made = await call('POST', '/labels', { name: 'By REST', hue: 12 })
    expect(made).toMatchObject({ status: 201, body: { name: 'By REST', hue: 12 } })
    const label = made.body.id as string
    const id = await wait()
    expect(await call('POST', `/conversations/${id}/labels`, { label })).toMatchObject({
      status: 200,
      body: { labels: [label] },
    })
    expect(await call('GET', `/conversations/${id}?populate=labels`)).toMatchObject({
      body: { labels: [{ id: label, name: 'By REST' }] },
    })
    expect(await call('DELETE', `/conversations/${id}/labels/${label}`)).toMatchObject({ body: { labels: [] } })
    expect((await call('DELETE', `/labels/${label}`)).body.archivedAt).toEqual(expect.any(String))
    await until(
      () => call('GET', '/labels?name=By REST'),
      ({ status }) => status === 200,
    )
  })
})
