import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { conversationList } from '../../src/modules/conversations/api/conversation-list.js'
import { NAMING } from '../../src/modules/views/named-records.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer } from '../support/test-server.js'

const FIELDS = 'id name ownerId filter orderBy version gaps { field kind id name isArchived }'
const SAVE = `mutation ($id: ID, $input: SaveViewInput!) { saveView(id: $id, input: $input) { ${FIELDS} } }`
const FETCH = `query ($id: ID!) { view(id: $id) { ${FIELDS} } }`
const LIST = '{ views(first: 100) { edges { node { id } } } }'
const COUNTS = 'query ($ids: [ID!]!) { savedViewCounts(ids: $ids) { id count isMore } }'
const DELETE = 'mutation ($id: ID!) { deleteView(id: $id) }'
const CONVERSATIONS = `query ($filter: ConversationFilter!, $orderBy: [ConversationOrder!]) {
  conversations(first: 50, filter: $filter, orderBy: $orderBy) { edges { node { id } } } }`

interface Gap {
  field: string
  kind: string
  id: string
  name: string | null
  isArchived: boolean
}

interface View {
  id: string
  name: string
  ownerId: string | null
  filter: object
  orderBy: object[]
  version: number
  gaps: Gap[]
}

const WAITING = { status: { eq: 'QUEUED' } }

describe('saved views', () => {
  let fixture: ConversationFixture
  let lead: MadeUser
  let label: string
  let count = 0
  beforeAll(async () => {
    fixture = await startConversationFixture()
    const { admin } = fixture
    lead = await fixture.makeAgent({ displayName: 'Lea Lead' })
    const members = [...[fixture.ann, fixture.ben].map(({ id }) => ({ user: id })), { user: lead.id, supervisor: true }]
    await fixture.rest(admin, 'PATCH', `/v2/channels/${fixture.channel}`, { members })
    label = await make('/v2/labels', { name: 'Lift-out' })
  })
  afterAll(() => fixture.close())

  const make = async (path: string, body: object, as = fixture.admin): Promise<string> => {
    const { status, body: made } = await fixture.rest(as, 'POST', path, body)
    expect(status).toBe(201)
    return made.id as string
  }
  const save = (input: object, as: MadeUser = fixture.ann) =>
    fixture.run<View>(as, SAVE, { input: { name: `view ${++count}`, filter: WAITING, ...input } })
  const change = (id: string, input: object, as: MadeUser = fixture.ann) => fixture.run<View>(as, SAVE, { id, input })
  const remove = (id: string, as: MadeUser = fixture.ann) => fixture.run<string>(as, DELETE, { id })
  const fetchView = async (id: string, as: MadeUser = fixture.ann) => (await fixture.run<View>(as, FETCH, { id })).value
  const gapsIn = ({ gaps }: View): Gap[] => gaps.toSorted((one, other) => one.field.localeCompare(other.field))
  const seenBy = async (as: MadeUser): Promise<string[]> => {
    const { value } = await fixture.run<{ edges: { node: { id: string } }[] }>(as, LIST)
    return value.edges.map(({ node }) => node.id)
  }
  const found = async ({ filter, orderBy }: View, as: MadeUser = fixture.ann): Promise<string[]> => {
    const { value, message } = await fixture.run<{ edges: { node: { id: string } }[] }>(as, CONVERSATIONS, {
      filter,
      orderBy,
    })
    expect(message).toBeUndefined()
    return value.edges.map(({ node }) => node.id)
  }
  const counted = async (ids: string[], as: MadeUser = fixture.ann) =>
    (await fixture.run<{ id: string; count: number; isMore: boolean }[]>(as, COUNTS, { ids })).value

  it('keep a filter and an order as the list of conversations takes them, and count what that lists', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    await fixture.run(fixture.ann, 'mutation ($c: ID!, $l: ID!) { setLabels(conversation: $c, add: [$l]) { id } }', {
      c: id,
      l: label,
    })
    const filter = {
      labels: { eq: label.toUpperCase() },
      status: { in: ['QUEUED', 'ACTIVE'] },
      createdAt: { gt: '2020-01-01T00:00:00Z' },
      or: [{ assignee: { eq: fixture.ann.id } }, { snoozed: { eq: true } }],
      category: null,
      name: {},
    }
    const { value, message } = await save({
      name: ' Lift-outs ',
      filter,
      orderBy: [{ field: 'LAST_MESSAGE_AT', direction: 'DESC' }],
    })
    expect(message).toBeUndefined()
    expect(value).toMatchObject({ name: 'Lift-outs', ownerId: fixture.ann.id, gaps: [], version: 1 })
    expect(value.filter).toEqual({
      type: { eq: 'contact' },
      labels: { eq: label.toUpperCase() },
      status: { in: ['queued', 'active'] },
      createdAt: { gt: '2020-01-01T00:00:00.000Z' },
      or: [{ assignee: { eq: fixture.ann.id } }, { snoozed: { eq: true } }],
    })
    expect(value.orderBy).toEqual([{ field: 'lastMessageAt', direction: 'desc' }])
    expect(await found(value)).toEqual([id])
    expect(await counted([value.id.toUpperCase()])).toEqual([{ id: value.id, count: 1, isMore: false }])
    // Taken off while the view is shown: it is not in it when it is asked for again.
    await fixture.run(fixture.ann, 'mutation ($c: ID!, $l: ID!) { setLabels(conversation: $c, remove: [$l]) { id } }', {
      c: id,
      l: label,
    })
    expect(await found(value)).toEqual([])
    expect(await counted([value.id])).toEqual([{ id: value.id, count: 0, isMore: false }])
  })

  it('tell snoozed ones, and what the reader has not read', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const shared = async (filter: object) => (await save({ filter, isShared: true }, fixture.admin)).value
    const [aside, awake, unread, read] = await Promise.all(
      [{ snoozed: { eq: true } }, { snoozed: { eq: false } }, { unread: { eq: true } }, { unread: { ne: true } }].map(
        (filter) => shared({ ...filter, id: { in: [id] } }),
      ),
    )
    expect(await found(unread!)).toEqual([])
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'and?' })
    expect(await found(unread!)).toEqual([id])
    expect(await found(read!)).toEqual([])
    // Ben takes no part: of what he has not read there is nothing.
    expect(await found(unread!, fixture.ben)).toEqual([])
    expect(await found(read!, fixture.ben)).toEqual([id])
    expect((await counted([unread!.id]))[0]!.count).toBe(1)
    expect((await counted([unread!.id], fixture.ben))[0]!.count).toBe(0)
    expect([await found(aside!), await found(awake!)]).toEqual([[], [id]])
    const until = new Date(fixture.clock.now().getTime() + 3_600_000).toISOString()
    await fixture.run(
      fixture.ann,
      'mutation ($id: ID!, $at: DateTime!) { snooze(conversation: $id, until: $at) { id } }',
      {
        id,
        at: until,
      },
    )
    expect([await found(aside!), await found(awake!)]).toEqual([[id], []])
    await fixture.run(fixture.ann, 'mutation ($id: ID!) { unsnooze(conversation: $id) { id } }', { id })
    expect([await found(aside!), await found(awake!)]).toEqual([[], [id]])
  })

  it.each<[string, object, string]>([
    ['filter', {}, 'MISSING_VALUE'],
    ['filter', { type: { eq: 'CONTACT' } }, 'MISSING_VALUE'],
    ['filter', { status: {}, category: null }, 'MISSING_VALUE'],
    ['filter.type.eq', { ...WAITING, type: { eq: 'AGENT' } }, 'MATCHES_NOTHING'],
    ['filter.status.in', { status: { in: [] } }, 'MATCHES_NOTHING'],
    ['filter.labels.in', { labels: { in: [] } }, 'MATCHES_NOTHING'],
    ['filter.status.ne', { status: { eq: 'QUEUED', ne: 'QUEUED' } }, 'MATCHES_NOTHING'],
    ['filter.closedAt.ne', { status: { in: ['QUEUED', 'ACTIVE'] }, closedAt: { ne: null } }, 'MATCHES_NOTHING'],
    ['filter.closedAt.gt', { closedAt: { gt: null } }, 'MATCHES_NOTHING'],
    ['filter.closedAt.lt', { closedAt: { gt: '2026-02-01T00:00:00Z', lt: '2026-01-01T00:00:00Z' } }, 'MATCHES_NOTHING'],
    ['filter.undelivered.lt', { undelivered: { gt: 3, lt: 4 } }, 'MATCHES_NOTHING'],
    ['filter.snoozed.eq', { status: { eq: 'QUEUED' }, snoozed: { eq: true } }, 'MATCHES_NOTHING'],
    ['filter.snoozed.eq', { snoozed: { eq: true }, snoozedUntil: { eq: null } }, 'MATCHES_NOTHING'],
    ['filter.snoozed.ne', { snoozed: { eq: true, ne: true } }, 'MATCHES_NOTHING'],
    ['filter.category.startsWith', { category: { eq: 'Engine', startsWith: 'S' } }, 'MATCHES_NOTHING'],
    ['filter.and[1].language.eq', { and: [{ language: { eq: 'nl' } }, { language: { eq: 'de' } }] }, 'MATCHES_NOTHING'],
    ['filter.or[0].snoozed.eq', { ...WAITING, or: [{ snoozed: { eq: true } }, {}] }, 'MATCHES_NOTHING'],
    ['filter.or', { ...WAITING, or: [] }, 'MISSING_VALUE'],
    ['filter.participants.unreadCount.lt', { participants: { unreadCount: { gt: 5, lt: 2 } } }, 'MATCHES_NOTHING'],
    ['filter.assignee.eq', { assignee: { eq: 'nonsense' } }, 'INVALID_VALUE'],
    ['filter.q', { q: ' ' }, 'INVALID_VALUE'],
    ['filter.createdAt.gt', { createdAt: { gt: '0000-01-01T00:00:00Z' } }, 'INVALID_VALUE'],
    ['filter.or[0].closedAt.lt', { or: [{ closedAt: { lt: '9999-12-31T23:59:59-14:00' } }] }, 'INVALID_VALUE'],
  ])('are refused at %s for a filter that fits all or nothing: %j', async (field, filter, reason) => {
    const { details, code } = await save({ filter })
    expect([code, details]).toMatchObject(['BAD_USER_INPUT', { field, reason }])
  })

  it.each<object>([
    { labels: { ne: null }, status: { ne: 'CLOSED' } },
    { closedAt: { gte: '2026-01-01T00:00:00Z', lte: '2026-01-01T00:00:00Z' } },
    { status: { in: ['QUEUED', 'CLOSED'] }, closedAt: { gt: '2026-01-01T00:00:00Z' } },
    { undelivered: { gt: 0 }, snoozed: { eq: false } },
    { undelivered: { eq: 3, lte: 3, gte: 3 } },
    { or: [WAITING, { closedAt: { ne: null } }], awaitsAnswer: { eq: true } },
    { category: { eq: null }, language: { ne: 'nl' } },
    { category: { in: ['Engine', 'Sails'], contains: 'SAIL' } },
    { assignee: { eq: null } },
    { meta: [{ path: 'crane', eq: '2' }] },
    ...['\n', ' 4', '\u00a04', '0x10', '1e', '.5', '4.', '-1e2'].map((gt) => ({ meta: [{ path: 'crane', gt }] })),
    { q: 'anchor' },
  ])('accept what may match something: %j', async (filter) => {
    const { value, message } = await save({ filter }, fixture.ben)
    expect(message).toBeUndefined()
    await found(value, fixture.ben)
    expect(await counted([value.id], fixture.ben)).toHaveLength(1)
    await remove(value.id, fixture.ben)
  })

  it('name only what their saver sees, in the line of their organization', async () => {
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const theirs = await make('/v2/labels', { name: 'theirs' }, stranger)
    const theirChannel = await make('/v2/channels', { name: 'theirs' }, stranger)
    const refusals: [object, string][] = [
      [{ labels: { eq: theirs } }, 'filter.labels.eq'],
      [{ or: [{ channels: { in: [fixture.channel, theirChannel] } }, WAITING] }, 'filter.or[0].channels.in'],
      [{ assignee: { eq: stranger.id } }, 'filter.assignee.eq'],
      [{ participants: { user: { eq: stranger.id } } }, 'filter.participants.user.eq'],
      [{ organization: { eq: stranger.organization.id } }, 'filter.organization.eq'],
      [{ orgPath: { startsWith: stranger.organization.id } }, 'filter.orgPath.startsWith'],
      [{ contact: { eq: label } }, 'filter.contact.eq'],
      [{ id: { in: [label] } }, 'filter.id.in'],
    ]
    for (const [filter, field] of refusals)
      expect(await save({ filter })).toMatchObject({ code: 'NOT_FOUND', details: { field } })
    // Two customers of one center: what one has is of no use in a view of the other.
    const [one, other] = [
      await fixture.makeOrganization({ parent: fixture.organization }),
      await fixture.makeOrganization({ parent: fixture.organization }),
    ]
    const ofOther = await make('/v2/channels', { name: 'other', organization: other.id })
    const shared = { isShared: true, organization: one.id }
    expect(await save({ ...shared, filter: { channels: { eq: ofOther } } }, fixture.admin)).toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'filter.channels.eq' },
    })
    // A label of the center is put on conversations of its customers too.
    const { value, code } = await save({ ...shared, filter: { labels: { eq: label } } }, fixture.admin)
    expect(code).toBeUndefined()
    const agentOf = (organization: typeof one) => fixture.makeUser({ organization, role: 'agent' })
    const [reader, others] = [await agentOf(one), await agentOf(other)]
    expect(await seenBy(reader)).toEqual([value.id])
    expect(await seenBy(others)).toEqual([])
    expect((await fixture.run(others, FETCH, { id: value.id })).code).toBe('NOT_FOUND')
    expect(await counted([value.id], others)).toEqual([])
  })

  it('are counted although one of them cannot be', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    const make = async (filter: object) => (await save({ filter, isShared: true }, fixture.admin)).value.id
    const [light, costly, outdated] = [
      await make({ id: { in: [id] } }),
      await make({
        or: Array.from({ length: 50 }, (_, n) => ({ meta: [{ path: 'text', contains: `no such ${n}` }] })),
      }),
      await make(WAITING),
    ]
    // As if an earlier release had taken it.
    await fixture.server.database.query('update view set filter = $2 where id = $1', [
      outdated,
      JSON.stringify({ createdAt: { gt: '+010000-01-01T00:00:00.000Z' } }),
    ])
    await fixture.server.database.query(
      `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id, meta)
       select gen_random_uuid(), organization_id, org1, now(), now(), 'contact', 'long', gen_random_uuid()::text, 'closed', contact_id,
         jsonb_build_object('text', repeat('a long text ', 5000))
       from conversation, generate_series(1, 400) where id = $1`,
      [id],
    )
    const other = await startTestServer({ READ_TIMEOUT_MS: '1000' }, { beside: fixture })
    const ask = async () => {
      const { data, errors } = await other.gql(fixture.ann, COUNTS, { ids: [costly, outdated, light] })
      expect(errors).toBeUndefined()
      return data.savedViewCounts
    }
    const counts = [{ id: light, count: 1, isMore: false }]
    expect(await ask()).toEqual(counts)
    // It is not tried again at once.
    expect(await ask()).toEqual(counts)
    await other.close()
    await fixture.server.database.query(`delete from conversation where name = 'long'`)
    for (const each of [light, costly, outdated]) await remove(each, fixture.admin)
  })

  it('show each reader of a shared one only what that reader sees', async () => {
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    const reader = await fixture.makeUser({ organization: customer, role: 'agent' })
    const { id } = await fixture.inStatus('QUEUED')
    const shared = (await save({ isShared: true, organization: customer.id }, fixture.admin)).value
    expect(await found(shared, fixture.admin)).toContain(id)
    expect(await found(shared, reader)).toEqual([])
    expect(await counted([shared.id], reader)).toEqual([{ id: shared.id, count: 0, isMore: false }])
  })

  it("of one's own are nobody else's; shared ones are made by administrators and supervisors", async () => {
    const own = (await save({})).value.id
    for (const other of [fixture.ben, fixture.admin, lead]) {
      expect(await seenBy(other)).not.toContain(own)
      expect((await change(own, { name: 'taken' }, other)).code).toBe('NOT_FOUND')
      expect((await remove(own, other)).code).toBe('NOT_FOUND')
      expect((await fixture.run(other, FETCH, { id: own })).code).toBe('NOT_FOUND')
      expect(await counted([own], other)).toEqual([])
      expect(await fixture.run(other, 'query ($id: ID!) { node(id: $id) { id } }', { id: own })).toMatchObject({
        value: null,
      })
    }
    expect((await save({ isShared: true })).code).toBe('FORBIDDEN')
    for (const sharer of [fixture.admin, lead]) {
      const { value, code } = await save({ isShared: true }, sharer)
      expect([code, value.ownerId]).toEqual([undefined, null])
      expect(await seenBy(fixture.ben)).toContain(value.id)
      expect((await change(value.id, { name: 'mine' })).code).toBe('FORBIDDEN')
      expect((await remove(value.id)).code).toBe('FORBIDDEN')
      expect((await change(value.id, { orderBy: null }, lead)).code).toBeUndefined()
      expect((await change(value.id, { isShared: false }, lead)).details).toMatchObject({ field: 'isShared' })
      expect((await remove(value.id, lead)).value).toBe(value.id)
    }
    const audited = await fixture.server.database.query<{ action: string; object: { type: string } }>(
      `select action, object from audit_entry where actor ->> 'id' = $1 order by at`,
      [lead.id],
    )
    expect(audited.map(({ action, object }) => [action, object.type])).toEqual([
      ['saveView', 'view'],
      ['deleteView', 'view'],
      ['saveView', 'view'],
      ['saveView', 'view'],
      ['deleteView', 'view'],
    ])
    const { id } = await fixture.makeOrganization({ parent: fixture.organization })
    expect((await save({ isShared: true, organization: id }, lead)).code).toBe('FORBIDDEN')
    expect((await save({ organization: id })).details).toMatchObject({ field: 'organization' })
  })

  it('are changed by the given fields; of two tabs the second is refused, if it says what it saw', async () => {
    const { value } = await save({ name: 'Tabs' })
    expect((await change(value.id, { name: 'Tabs, one', ifVersion: 1 })).value).toMatchObject({
      name: 'Tabs, one',
      filter: value.filter,
      version: 2,
    })
    expect((await change(value.id, { name: 'Tabs, two', ifVersion: 1 })).code).toBe('PRECONDITION_FAILED')
    expect((await change(value.id, { name: 'Tabs, two' })).value).toMatchObject({ name: 'Tabs, two', version: 3 })
    const names = [' ', 'x'.repeat(81), 'a\nb', 'a\u2028b', '\u200b', 'mine \u202eenim'].map((name) => ({ name }))
    for (const input of [...names, { name: null }, { filter: null }])
      expect((await change(value.id, input)).code).toBe('BAD_USER_INPUT')
    for (const input of [{ name: null }, { filter: null }, { ifVersion: 1 }])
      expect((await save(input)).details).toMatchObject({ field: Object.keys(input)[0] })
    const twice = Array(2).fill({ field: 'CREATED_AT', direction: 'ASC' })
    expect((await save({ orderBy: twice })).details).toMatchObject({ field: 'orderBy[1].field' })
    expect((await save({ name: 'TABS, TWO' })).details).toMatchObject({ reason: 'NAME_TAKEN', field: 'name' })
    expect((await save({ name: 'Tabs, two' }, fixture.ben)).code).toBeUndefined()
    expect((await save({ name: 'Tabs, two', isShared: true }, fixture.admin)).code).toBeUndefined()
  })

  it('say what they name and is gone, and keep it while the rest is changed', async () => {
    const old = await make('/v2/labels', { name: 'Old' })
    const channel = await make('/v2/channels', { name: 'Night' })
    const dora = await fixture.makeAgent()
    const filter = {
      labels: { eq: old },
      or: [{ channels: { in: [fixture.channel, channel] } }, { assignee: { eq: dora.id } }],
    }
    const { value } = await save({ filter })
    expect(value.gaps).toEqual([])
    await fixture.rest(fixture.admin, 'DELETE', `/v2/labels/${old}`)
    await fixture.rest(fixture.admin, 'DELETE', `/v2/channels/${channel}`)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: dora.id })
    const gaps = [
      { field: 'filter.labels.eq', kind: 'LABEL', id: old, name: 'Old', isArchived: true },
      { field: 'filter.or[0].channels.in', kind: 'CHANNEL', id: channel, name: 'Night', isArchived: false },
      { field: 'filter.or[1].assignee.eq', kind: 'USER', id: dora.id, name: null, isArchived: false },
    ]
    expect(gapsIn(await fetchView(value.id))).toEqual(gaps)
    const changed = await change(value.id, { filter: { ...filter, language: { eq: 'nl' } } })
    expect(gapsIn(changed.value)).toEqual(gaps)
    expect((await change(value.id, { filter: { labels: { eq: old } } })).value.gaps).toEqual([gaps[0]])
    // Left out once, it can be named no more.
    expect((await change(value.id, { filter })).details).toMatchObject({ field: 'filter.or[0].channels.in' })
  })

  it('are a filter for acts with many conversations', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    const { value } = await save({ filter: { id: { in: [id] }, ...WAITING } })
    const { value: run, message } = await fixture.run<{ kinds: string[] }>(
      fixture.ann,
      `mutation ($filter: ConversationFilter!, $id: ID!, $label: ID!) {
        bulk(filter: $filter, id: $id, act: { step: { kind: LABELS, add: [$label] } }) { kinds } }`,
      { filter: value.filter, id: crypto.randomUUID(), label },
    )
    expect([message, run?.kinds]).toEqual([undefined, ['LABELS']])
  })

  it('are at most 100 of one user, and 100 that an organization shares', async () => {
    const cara = await fixture.makeAgent()
    const organization = await fixture.makeOrganization({ parent: fixture.organization })
    const shared = { isShared: true, organization: organization.id }
    for (const [input, as] of [
      [{}, cara],
      [shared, fixture.admin],
    ] as const) {
      const { value } = await save(input, as)
      await fixture.server.database.query(
        `insert into view (id, organization_id, org1, org2, org3, owner_id, name, filter, order_by, names, created_at, updated_at)
         select gen_random_uuid(), organization_id, org1, org2, org3, owner_id, 'copy ' || gen_random_uuid(), filter, order_by, names,
           now(), now() from view, generate_series(1, 99) where id = $1`,
        [value.id],
      )
      expect((await save(input, as)).details).toMatchObject({ reason: 'TOO_MANY' })
      await remove(value.id, as)
      expect((await save(input, as)).code).toBeUndefined()
    }
    expect((await fixture.run(cara, COUNTS, { ids: Array(31).fill(label) })).details).toMatchObject({ field: 'ids' })
    const many = (await seenBy(cara)).slice(0, 30)
    expect((await counted(many, cara)).map(({ id }) => id)).toEqual(many)
    expect(await counted([label, 'nonsense'])).toEqual([])
  })

  it('tell of shared ones alone, and go with their owner', async () => {
    const dora = await fixture.makeAgent()
    const own = (await save({}, dora)).value.id
    const shared = (await save({ isShared: true }, fixture.admin)).value.id
    await change(shared, { name: `renamed ${shared}` }, fixture.admin)
    await remove(shared, fixture.admin)
    const events = await fixture.server.database.query<{ type: string; id: string }>(
      `select type, data ->> 'id' as id from event where type like 'view.%' and data ->> 'id' = any($1) order by number`,
      [[own, shared]],
    )
    expect(events.map(({ type, id }) => [type, id])).toEqual(
      ['created', 'updated', 'deleted'].map((what) => [`view.${what}`, shared]),
    )
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: dora.id })
    expect(await fixture.server.database.query('select 1 from view where id = $1', [own])).toEqual([])
  })

  it('are a resource of REST', async () => {
    const rest = (method: string, path: string, body?: object) => fixture.rest(fixture.ann, method as 'GET', path, body)
    const { status, body } = await rest('POST', '/v2/views', { name: 'By REST', filter: { status: { eq: 'queued' } } })
    expect([status, body.filter, body.owner]).toEqual([
      201,
      { type: { eq: 'contact' }, status: { eq: 'queued' } },
      fixture.ann.id,
    ])
    const at = `/v2/views/${body.id as string}`
    expect((await rest('PATCH', at, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', filter: body.filter })
    expect((await rest('GET', at)).body).toMatchObject({ name: 'Renamed' })
    expect((await rest('POST', '/v2/views', { name: 'x', filter: { status: { eq: 'QUEUED' } } })).status).toBe(400)
    expect((await rest('POST', '/v2/views', { name: 'x' })).body).toMatchObject({ field: 'filter' })
    expect((await rest('DELETE', at)).status).toBe(204)
    expect((await rest('GET', at)).status).toBe(404)
  })

  it('know of every id that a filter can have of which record it is', () => {
    const { participants, ...fields } = conversationList.fields
    const inner = participants?.kind === 'nested' ? participants.fields : {}
    const ids = Object.entries({ ...fields, ...inner }).filter(([, { kind }]) => kind === 'id' || kind === 'idArray')
    expect(ids.map(([name]) => name).toSorted()).toEqual(Object.keys(NAMING).toSorted())
  })
})
