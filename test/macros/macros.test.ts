import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

const FIELDS = `id name shortcut ownerId channelIds archivedAt version
  steps { kind text add remove category form minutes until user channel note name }`
const CREATE = `mutation ($input: CreateMacroInput!) { createMacro(input: $input) { ${FIELDS} } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateMacroInput!) { updateMacro(id: $id, patch: $patch) { ${FIELDS} } }`
const ARCHIVE = 'mutation ($id: ID!, $is: Boolean) { archiveMacro(id: $id, isArchived: $is) { archivedAt } }'
const LIST = '{ macros(first: 100) { edges { node { id } } } }'

interface Macro {
  id: string
  name: string
  shortcut: string | null
  ownerId: string | null
  channelIds: string[]
  archivedAt: string | null
  version: number
  steps: Record<string, unknown>[]
}

describe('macros', () => {
  let fixture: ConversationFixture
  let lead: MadeUser
  let label: string
  let form: string
  let count = 0
  beforeAll(async () => {
    fixture = await startConversationFixture()
    const { admin } = fixture
    lead = await fixture.makeAgent({ displayName: 'Lea Lead' })
    const members = [...[fixture.ann, fixture.ben].map(({ id }) => ({ user: id })), { user: lead.id, supervisor: true }]
    await fixture.rest(admin, 'PATCH', `/v2/channels/${fixture.channel}`, { members })
    const make = async (path: string, body: object): Promise<string> =>
      (await fixture.rest(admin, 'POST', path, body)).body.id as string
    label = await make('/v2/labels', { name: 'Lift-out' })
    form = await make('/v2/forms', { name: 'Intake', fields: [{ key: 'a' }] })
    await fixture.rest(admin, 'PATCH', `/v2/organizations/${fixture.organization.id}`, {
      categories: [{ name: 'Engine' }],
    })
  })
  afterAll(() => fixture.close())

  const create = (input: object, as: MadeUser | string = fixture.ann) =>
    fixture.run<Macro>(as, CREATE, { input: { name: `macro ${++count}`, steps: [{ kind: 'CLOSE' }], ...input } })
  const update = (id: string, patch: object, as = fixture.ann) => fixture.run<Macro>(as, UPDATE, { id, patch })
  const archive = (id: string, as = fixture.ann, is = true) => fixture.run<Macro>(as, ARCHIVE, { id, is })
  const seenBy = async (as: MadeUser): Promise<string[]> => {
    const { value } = await fixture.run<{ edges: { node: { id: string } }[] }>(as, LIST)
    return value.edges.map(({ node }) => node.id)
  }

  it('keep their steps in order, with the names of what they name', async () => {
    const steps = [
      { kind: 'REPLY', text: 'Dear {{ givenName }}, Thursday is yours.' },
      { kind: 'LABELS', add: [label.toUpperCase(), label] },
      { kind: 'CATEGORY', category: 'Engine' },
      { kind: 'FORM', form },
      { kind: 'NOTE', text: 'Crane 1' },
      { kind: 'HAND_OVER', user: fixture.ben.id, note: 'yours' },
    ]
    const { value, code } = await create({
      name: ' Book a lift-out ',
      shortcut: 'LIFT',
      channels: [fixture.channel],
      steps,
    })
    expect(code).toBeUndefined()
    expect(value).toMatchObject({
      name: 'Book a lift-out',
      shortcut: 'lift',
      ownerId: fixture.ann.id,
      channelIds: [fixture.channel],
      archivedAt: null,
    })
    const none = Object.fromEntries(
      ['text', 'add', 'remove', 'category', 'form', 'minutes', 'until', 'user', 'channel', 'note', 'name'].map(
        (key) => [key, null],
      ),
    )
    expect(value.steps).toEqual([
      { ...none, ...steps[0] },
      { ...none, kind: 'LABELS', add: [label], remove: [] },
      { ...none, ...steps[2] },
      { ...none, ...steps[3], name: 'Intake' },
      { ...none, ...steps[4] },
      { ...none, ...steps[5], name: 'Ben' },
    ])
  })

  it.each([
    ['steps', []],
    ['steps', Array.from({ length: 11 }, () => ({ kind: 'NOTE', text: 'x' }))],
    ['steps[0].kind', [{ kind: 'CLOSE' }, { kind: 'NOTE', text: 'too late' }]],
    ['steps[0].kind', [{ kind: 'SNOOZE', minutes: 5 }, { kind: 'CLOSE' }]],
    ['steps[0].text', [{ kind: 'REPLY' }]],
    ['steps[0].text', [{ kind: 'NOTE', text: ' \n' }]],
    ['steps[0].text', [{ kind: 'REPLY', text: 'x'.repeat(5_001) }]],
    ['steps[0].note', [{ kind: 'CLOSE', note: 'no effect' }]],
    ['steps[0].add', [{ kind: 'LABELS' }]],
    ['steps[0].minutes', [{ kind: 'SNOOZE' }]],
    ['steps[0].minutes', [{ kind: 'SNOOZE', minutes: 5, until: 'TOMORROW' }]],
    ['steps[0].minutes', [{ kind: 'SNOOZE', minutes: 0 }]],
    ['steps[0].user', [{ kind: 'HAND_OVER' }]],
    [
      'steps[1].kind',
      [
        { kind: 'CATEGORY', category: 'Engine' },
        { kind: 'CATEGORY', category: 'Engine' },
      ],
    ],
  ])('are refused at %s for what has no effect or no end', async (field, steps) => {
    expect((await create({ steps })).details).toMatchObject({ field })
  })

  it('name only what their organization has, and what is in use', async () => {
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const theirs = (await fixture.rest(stranger, 'POST', '/v2/labels', { name: 'theirs' })).body.id as string
    const theirChannel = (await fixture.rest(stranger, 'POST', '/v2/channels', { name: 'theirs' })).body.id as string
    const old = (await fixture.rest(fixture.admin, 'POST', '/v2/labels', { name: 'Old' })).body.id as string
    await fixture.rest(fixture.admin, 'DELETE', `/v2/labels/${old}`)
    const refusals: [object, string, string][] = [
      [{ kind: 'LABELS', add: [theirs] }, 'NOT_FOUND', 'steps[0].add[0]'],
      [{ kind: 'LABELS', remove: ['nonsense'] }, 'NOT_FOUND', 'steps[0].remove[0]'],
      [{ kind: 'LABELS', add: [old] }, 'UNPROCESSABLE', 'steps[0].add[0]'],
      [{ kind: 'CATEGORY', category: 'Sails' }, 'UNPROCESSABLE', 'steps[0].category'],
      [{ kind: 'FORM', form: label }, 'NOT_FOUND', 'steps[0].form'],
      [{ kind: 'HAND_OVER', user: stranger.id }, 'NOT_FOUND', 'steps[0].user'],
      [{ kind: 'HAND_OVER', channel: theirChannel }, 'NOT_FOUND', 'steps[0].channel'],
    ]
    for (const [step, code, field] of refusals)
      expect(await create({ steps: [step] })).toMatchObject({ code, details: { field } })
    expect(await create({ channels: [theirChannel] })).toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'channels[0]' },
    })
    // What a stored one names may be gone by now: the rest of it can be changed.
    const { value } = await create({ steps: [{ kind: 'LABELS', add: [label] }] })
    await fixture.rest(fixture.admin, 'DELETE', `/v2/labels/${label}`)
    const patch = {
      steps: [
        { kind: 'LABELS', add: [label] },
        { kind: 'NOTE', text: 'and more' },
      ],
    }
    expect((await update(value.id, patch)).code).toBeUndefined()
    expect((await create({ steps: [{ kind: 'LABELS', add: [label] }] })).details).toMatchObject({
      reason: 'LABEL_ARCHIVED',
    })
  })

  it("of one's own are nobody else's; shared ones are made by administrators and supervisors", async () => {
    const own = (await create({})).value.id
    for (const other of [fixture.ben, fixture.admin, lead]) {
      expect(await seenBy(other)).not.toContain(own)
      expect((await update(own, { name: 'taken' }, other)).code).toBe('NOT_FOUND')
      expect((await archive(own, other)).code).toBe('NOT_FOUND')
      const { code } = await fixture.run(other, 'query ($id: ID!) { macro(id: $id) { id } }', { id: own })
      expect(code).toBe('NOT_FOUND')
      expect(await fixture.run(other, 'query ($id: ID!) { node(id: $id) { id } }', { id: own })).toMatchObject({
        value: null,
      })
    }
    expect((await create({ isShared: true })).code).toBe('FORBIDDEN')
    for (const sharer of [fixture.admin, lead]) {
      const { value, code } = await create({ isShared: true }, sharer)
      expect([code, value.ownerId]).toEqual([undefined, null])
      expect(await seenBy(fixture.ben)).toContain(value.id)
      expect((await update(value.id, { name: 'mine' })).code).toBe('FORBIDDEN')
      expect((await archive(value.id)).code).toBe('FORBIDDEN')
      expect((await update(value.id, { shortcut: null }, lead)).code).toBeUndefined()
    }
    const audited = await fixture.server.database.query<{ action: string; object: { type: string } }>(
      `select action, object from audit_entry where actor ->> 'id' = $1 order by at`,
      [lead.id],
    )
    expect(audited.map(({ action, object }) => [action, object.type])).toEqual([
      ['updateMacro', 'macro'],
      ['createMacro', 'macro'],
      ['updateMacro', 'macro'],
    ])
    // Whoever supervises a channel of another organization may not.
    const { id } = await fixture.makeOrganization({ parent: fixture.organization })
    expect((await create({ isShared: true, organization: id }, lead)).code).toBe('FORBIDDEN')
    expect((await create({ organization: id })).details).toMatchObject({ field: 'organization' })
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    expect(await seenBy(stranger)).toEqual([])
  })

  it('have a name and a shortcut of their own among those in use', async () => {
    const { value } = await create({ name: 'Refund', shortcut: 'money' })
    expect((await create({ name: 'REFUND' })).details).toMatchObject({ reason: 'NAME_TAKEN', field: 'name' })
    expect((await create({ shortcut: 'Money' })).details).toMatchObject({ reason: 'NAME_TAKEN', field: 'shortcut' })
    for (const input of [{ name: ' ' }, { name: 'x'.repeat(81) }, { name: 'a\nb' }, { shortcut: 'two words' }])
      expect((await create(input)).code).toBe('BAD_USER_INPUT')
    // Ben and the organization have names of their own.
    expect((await create({ name: 'Refund', shortcut: 'money' }, fixture.ben)).code).toBeUndefined()
    expect((await create({ name: 'Refund', shortcut: 'money', isShared: true }, fixture.admin)).code).toBeUndefined()
    expect((await archive(value.id)).value.archivedAt).toEqual(expect.any(String))
    expect((await create({ name: 'Refund' })).code).toBeUndefined()
    expect((await archive(value.id, fixture.ann, false)).details).toMatchObject({ reason: 'NAME_TAKEN', field: 'name' })
    const changed = await update(value.id, { name: 'Refund, old', ifVersion: 1 })
    expect(changed).toMatchObject({ code: 'PRECONDITION_FAILED' })
    expect((await update(value.id, { name: 'Refund, old', ifVersion: 2 })).value).toMatchObject({ version: 3 })
    expect((await archive(value.id, fixture.ann, false)).value.archivedAt).toBeNull()
  })

  it('are at most 100 of one user in use, and with archived ones ten times as many', async () => {
    const cara = await fixture.makeAgent()
    const { value } = await create({}, cara)
    const copies = (count: number, archived: boolean): Promise<unknown> =>
      fixture.server.database.query(
        `insert into macro (id, organization_id, org1, org2, org3, owner_id, name, steps, archived_at, created_at, updated_at)
         select gen_random_uuid(), organization_id, org1, org2, org3, owner_id, 'copy ' || gen_random_uuid(), steps,
           case when $3 then now() end, now(), now() from macro, generate_series(1, $2) where id = $1`,
        [value.id, count, archived],
      )
    await copies(99, false)
    expect((await create({}, cara)).details).toMatchObject({ reason: 'TOO_MANY' })
    await archive(value.id, cara)
    await copies(899, true)
    expect((await create({}, cara)).code).toBeUndefined()
    expect((await archive(value.id, cara, false)).details).toMatchObject({ reason: 'TOO_MANY' })
    await archive((await seenBy(cara))[1]!, cara)
    expect((await create({}, cara)).details).toMatchObject({ reason: 'TOO_MANY' })
  })

  it('tell of shared ones alone, and go with their owner', async () => {
    const dora = await fixture.makeAgent()
    const own = (await create({}, dora)).value.id
    const shared = (await create({ isShared: true }, fixture.admin)).value.id
    await archive(shared, fixture.admin)
    const events = await fixture.server.database.query<{ type: string; id: string }>(
      `select type, data ->> 'id' as id from event where type like 'macro.%' and data ->> 'id' = any($1) order by number`,
      [[own, shared]],
    )
    expect(events).toEqual([
      { type: 'macro.created', id: shared },
      { type: 'macro.updated', id: shared },
    ])
    const { code } = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: dora.id })
    expect(code).toBeUndefined()
    expect(await fixture.server.database.query('select 1 from macro where id = $1', [own])).toEqual([])
  })
})
