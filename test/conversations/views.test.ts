import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

const COUNTS = 'query ($views: [ConversationView!]!) { viewCounts(views: $views) { view count isMore } }'
const LIST = `query ($filter: ConversationFilter, $orderBy: [ConversationOrder!]) {
  conversations(first: 50, filter: $filter, orderBy: $orderBy) { edges { node { id closedAt } } } }`
const CLOSE = 'mutation ($id: ID!) { closeConversation(conversation: $id) { conversation { closedAt } } }'
const VIEWS = ['OPEN', 'WAITING', 'ACTIVE', 'SNOOZED', 'UNDELIVERED', 'CLOSED']

describe('views', () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(() => fixture.close())

  const listed = async (filter: object, as: MadeUser = fixture.ann): Promise<string[]> => {
    const orderBy = [{ field: 'CLOSED_AT', direction: 'DESC' }]
    const { value, message } = await fixture.run<{ edges: { node: { id: string } }[] }>(as, LIST, { filter, orderBy })
    expect(message).toBeUndefined()
    return value.edges.map(({ node }) => node.id)
  }
  const counts = async (as: MadeUser = fixture.ann): Promise<Record<string, number>> => {
    const { value } = await fixture.run<{ view: string; count: number }[]>(as, COUNTS, { views: VIEWS })
    return Object.fromEntries(value.map(({ view, count }) => [view, count]))
  }

  it('say when a conversation was closed, while it is: reopened and undone it is not', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const begun = fixture.clock.now().toISOString()
    const { value } = await fixture.run<{ conversation: { closedAt: string } }>(fixture.ann, CLOSE, { id })
    const { closedAt } = value.conversation
    expect([begun, closedAt, fixture.clock.now().toISOString()].toSorted()[1]).toBe(closedAt)
    await fixture.run(fixture.ann, 'mutation ($id: ID!) { undoClose(conversation: $id) { id } }', { id })
    expect(await listed({ closedAt: { ne: null } })).not.toContain(id)
    await fixture.run(fixture.ann, CLOSE, { id })
    expect(await listed({ closedAt: { ne: null } })).toContain(id)
    // A note changes nothing of it; a consumer opens it again.
    const at = async () =>
      (await fixture.server.database.query('select closed_at from conversation where id = $1', [id]))[0]
    const before = await at()
    fixture.clock.advance(60_000)
    await fixture.send(fixture.ben, id, { role: 'AGENT', text: 'for later', isBackchannel: true })
    expect(await at()).toEqual(before)
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'again' })
    expect(await listed({ closedAt: { ne: null } })).not.toContain(id)
  })

  it('list the last that was closed first, by agent, by channel and by whose turn it is', async () => {
    const first = await fixture.inStatus('ACTIVE')
    const second = await fixture.inStatus('ACTIVE')
    for (const { id } of [first, second]) {
      await fixture.run(fixture.ann, CLOSE, { id })
      fixture.clock.advance(1_000)
    }
    const closed = await listed({ closedAt: { ne: null } })
    expect(closed.indexOf(second.id)).toBeLessThan(closed.indexOf(first.id))
    expect(await listed({ closedAt: { ne: null }, caseChannels: { eq: fixture.channel } })).toContain(first.id)
    expect(await listed({ closedAt: { ne: null }, caseChannels: { eq: fixture.ann.id } })).toEqual([])
    const mine = await fixture.inStatus('ACTIVE')
    expect(await listed({ assignee: { eq: fixture.ann.id } })).toContain(mine.id)
    expect(await listed({ assignee: { eq: fixture.ben.id } })).not.toContain(mine.id)
    expect(await listed({ assignee: { eq: fixture.ann.id }, awaitsAnswer: { eq: true } })).not.toContain(mine.id)
    await fixture.send(fixture.bot, mine.id, { role: 'CONTACT', text: 'and?' })
    expect(await listed({ assignee: { eq: fixture.ann.id }, awaitsAnswer: { eq: true } })).toContain(mine.id)
  })

  it('are counted as they are listed, within the caller’s organizations, and refuse too many', async () => {
    const organization = await fixture.makeOrganization()
    const agent = await fixture.makeUser({ organization, role: 'admin' })
    expect(await counts(agent)).toEqual({ OPEN: 0, WAITING: 0, ACTIVE: 0, SNOOZED: 0, UNDELIVERED: 0, CLOSED: 0 })
    const before = await counts()
    const [one, two] = [await fixture.inStatus('ACTIVE'), await fixture.inStatus('ACTIVE')]
    await fixture.inStatus('QUEUED')
    await fixture.run(
      fixture.ann,
      'mutation ($id: ID!, $at: DateTime!) { snooze(conversation: $id, until: $at) { id } }',
      {
        id: one.id,
        at: new Date(fixture.clock.now().getTime() + 3_600_000).toISOString(),
      },
    )
    await fixture.run(fixture.ann, CLOSE, { id: two.id })
    const after = await counts()
    const grown = Object.fromEntries(VIEWS.map((view) => [view, after[view]! - before[view]!]))
    expect(grown).toEqual({ OPEN: 2, WAITING: 1, ACTIVE: 0, SNOOZED: 1, UNDELIVERED: 0, CLOSED: 1 })
    expect((await fixture.run(fixture.ann, COUNTS, { views: Array(31).fill('OPEN') })).details).toMatchObject({
      field: 'views',
    })
    expect((await fixture.run(fixture.ann, COUNTS, { views: [] })).value).toEqual([])
  })
})
