import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

interface Milestone {
  nth: number
  kind: string
  at: Date
  user_id: string | null
  channels: string[]
  touchpoint: string | null
  category: string | null
  ms: number | null
  turn: number | null
}

describe('milestones', () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture()
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateOrganization(id: $id, patch: { categories: [{ name: "sales" }] }) { id } }',
      { id: fixture.organization.id },
    )
  })
  afterAll(() => fixture.close())

  const milestonesOf = (id: string): Promise<Milestone[]> =>
    fixture.server.database.query<Milestone>('select * from milestone where conversation_id = $1 order by nth', [id])
  /** `kind`, or `kind` and its whole minutes, in order; the numbers are without holes. */
  const told = async (id: string): Promise<string[]> => {
    const rows = await milestonesOf(id)
    expect(rows.map(({ nth }) => nth)).toEqual(rows.map((_, index) => index + 1))
    return rows.map(({ kind, ms }) => (ms === null ? kind : `${kind} ${Math.floor(ms / 60_000)}`))
  }
  const pass = (minutes: number): void => fixture.clock.advance(minutes * 60_000)
  const say = async (as: 'bot' | 'ann' | 'ben', id: string, role: string, more: object = {}): Promise<void> => {
    const { code, message } = await fixture.send(fixture[as], id, { role, text: 'words', ...more })
    expect([code, message]).toEqual([undefined, undefined])
  }
  const command = async (
    as: 'bot' | 'ann' | 'ben' | 'admin',
    id: string,
    text: string,
    more?: object,
  ): Promise<void> => {
    const { code, message } = await fixture.command(fixture[as], id, text, more)
    expect([code, message]).toEqual([undefined, undefined])
  }
  const waiting = async (): Promise<string> =>
    (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id

  it('record a conversation from the first message to its closing, with the duration of each step', async () => {
    const id = await waiting()
    pass(10)
    await command('ann', id, '/accept')
    pass(20)
    await say('ann', id, 'AGENT')
    pass(5)
    await say('ann', id, 'AGENT')
    await say('bot', id, 'CONTACT')
    pass(7)
    await say('bot', id, 'CONTACT')
    await say('ann', id, 'AGENT', { isBackchannel: true })
    await say('ben', id, 'AGENT')
    pass(8)
    await command('ben', id, '/leave')
    await command('ann', id, '/leave')
    expect(await told(id)).toEqual([
      ...['created', 'queued', 'notified', 'consumerTurn', 'accepted 10', 'agentTurn 30'],
      ...['consumerTurn', 'accepted', 'agentTurn 7', 'agentLeft 8', 'agentLeft 40', 'closed 50'],
    ])
    const rows = await milestonesOf(id)
    expect(rows.every(({ touchpoint }) => touchpoint === 'web')).toBe(true)
    expect(rows.map(({ turn }) => turn)).toEqual([null, null, null, 1, null, 1, 2, null, 2, null, null, 2])
    const users = rows.map(({ user_id }) => user_id)
    const { ann, ben } = fixture
    expect(users.slice(4)).toEqual([ann.id, ann.id, null, ben.id, ben.id, ben.id, ann.id, null])
    // Channels that it has left still count for what is done about it.
    expect(rows.slice(1).every(({ channels }) => channels.join() === fixture.channel)).toBe(true)
  })

  it('begin another case when a closed conversation receives a message', async () => {
    const { id } = await fixture.inStatus('CLOSED')
    const before = (await milestonesOf(id)).length
    pass(60)
    await say('bot', id, 'CONTACT')
    pass(2)
    await say('ben', id, 'AGENT')
    await command('ben', id, '/leave')
    expect((await told(id)).slice(before)).toEqual([
      ...['queued', 'notified', 'consumerTurn', 'accepted 2', 'agentTurn 2', 'agentLeft 0', 'closed 2'],
    ])
    expect((await milestonesOf(id)).at(-1)!.turn).toBe(1)
  })

  it('count the whole wait of one that is requeued, and of one that an agent returned', async () => {
    const id = await waiting()
    const channel = await fixture.makeChannel('Second', [fixture.ben])
    pass(10)
    await command('bot', id, '/notify', { meta: { channels: [channel] } })
    pass(10)
    await command('ben', id, '/accept')
    pass(5)
    await command('ben', id, '/leave')
    pass(1)
    await command('ann', id, '/accept')
    expect((await told(id)).slice(3)).toEqual([
      ...['consumerTurn', 'notified', 'accepted 20', 'agentLeft 5', 'queued', 'notified', 'accepted 1'],
    ])
    expect((await milestonesOf(id))[5]!.channels).toEqual([channel])
  })

  it('name the category once it is set', async () => {
    const id = await waiting()
    await command('ann', id, '/set @category sales')
    await command('ann', id, '/set @category sales')
    await command('ann', id, '/accept')
    const rows = (await milestonesOf(id)).slice(3)
    expect(rows.map(({ kind, category }) => [kind, category])).toEqual([
      ['consumerTurn', null],
      ['categorised', 'sales'],
      ['accepted', 'sales'],
    ])
  })

  it('record that a waiting conversation ended without an agent, by a block or a deletion', async () => {
    const blocked = await waiting()
    pass(4)
    await command('ann', blocked, '/block')
    expect((await told(blocked)).slice(4)).toEqual(['abandoned 4', 'closed 4'])
    const deleted = await waiting()
    pass(4)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id: deleted })
    expect((await told(deleted)).slice(4)).toEqual(['abandoned 4', 'deleted'])
  })

  it('stay when the contact is deleted', async () => {
    const { id, contactId } = await fixture.inStatus('CLOSED')
    const before = await told(id)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: contactId })
    expect(await told(id)).toEqual([...before, 'deleted'])
  })

  it('transfer the wait of a merged conversation to the target, without counting its messages again', async () => {
    const { id } = await fixture.inStatus('CLOSED')
    const origin = await waiting()
    pass(30)
    const before = (await milestonesOf(id)).length
    await command('ann', id, `/import ${origin}`)
    pass(10)
    await say('ann', id, 'AGENT')
    expect((await told(origin)).slice(4)).toEqual(['merged'])
    expect((await told(id)).slice(before)).toEqual([
      ...['queued', 'notified', 'consumerTurn', 'accepted 40', 'agentTurn 40'],
    ])
  })

  it('count all messages of a create that contains a whole conversation', async () => {
    const messages = [
      { role: 'CONTACT', text: 'hello' },
      { role: 'AGENT', text: 'hi', user: fixture.ann.id },
      { role: 'CONTACT', text: 'thanks' },
      { role: 'AGENT', text: 'bye', user: fixture.ann.id },
    ]
    const { id } = await fixture.create({ messages })
    expect(await told(id)).toEqual([
      ...['created', 'accepted', 'consumerTurn', 'agentTurn 0', 'consumerTurn', 'agentTurn 0'],
    ])
  })

  it('are not recorded for an internal conversation or a refused operation', async () => {
    const { value, code } = await fixture.tryCreate(
      { type: 'AGENT', name: 'Lunch', contact: null, touchpoint: null, messages: [{ role: 'AGENT', text: 'where?' }] },
      fixture.ann,
    )
    expect(code).toBeUndefined()
    expect(await told(value.id)).toEqual([])
    const { id } = await fixture.inStatus('ACTIVE')
    const before = await told(id)
    expect((await fixture.command(fixture.ben, id, '/accept', { meta: { ifQueued: true } })).code).toBe('UNPROCESSABLE')
    expect(await told(id)).toEqual(before)
  })
})
