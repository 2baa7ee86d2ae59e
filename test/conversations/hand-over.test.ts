import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture, type Shown } from './conversation-fixture.js'

const HAND_OVER = `mutation ($id: ID!, $user: ID, $channel: ID, $note: String) {
  handOverConversation(conversation: $id, user: $user, channel: $channel, note: $note) {
    status channels channelsOffline participants { userId accepted inbox }
    messages(last: 3) { edges { node { text isBackchannel role } } } } }`

describe('handOverConversation', () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(() => fixture.close())

  interface Answer {
    handOverConversation: Shown & {
      channelsOffline: string[]
      messages: { edges: { node: { text: string; isBackchannel: boolean; role: string } }[] }
    }
  }
  const handOver = (variables: object) =>
    fixture.run<Answer['handOverConversation']>(fixture.ann, HAND_OVER, variables as Record<string, unknown>)

  it('transfers the conversation to a colleague in one step, with a note: it stays active and is never routed', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const { value, code } = await handOver({ id, user: fixture.ben.id, note: 'he wants a crane' })
    expect(code).toBeUndefined()
    expect(value.status).toBe('ACTIVE')
    expect(value.participants).toEqual([{ userId: fixture.ben.id, accepted: true, inbox: true }])
    const said = value.messages.edges.map(({ node }) => node as unknown as { text: string; isBackchannel: boolean })
    expect(said.map(({ text }) => text).slice(-2)).toEqual(['he wants a crane', 'handed over to Ben'])
    expect(said.slice(-2).every((each) => each.isBackchannel)).toBe(true)
  })

  it('transfers it back to the queue of a channel, without running workflows', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const channel = await fixture.makeChannel('Second', [fixture.ben])
    const { value, code } = await handOver({ id, channel })
    expect(code).toBeUndefined()
    expect([value.status, ...value.channels, ...value.channelsOffline]).toEqual(['QUEUED', channel])
    expect(value.participants).toEqual([])
  })

  it('is refused without a participation, an open conversation or a target', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const foreign = await fixture.makeOrganization()
    const outsider = await fixture.makeUser({ organization: foreign })
    expect((await handOver({ id, user: outsider.id })).code).toBe('NOT_FOUND')
    expect((await handOver({ id, channel: await fixture.makeChannel('Foreign', [], foreign) })).code).toBe('NOT_FOUND')
    expect((await handOver({ id, channel: 'x' })).code).toBe('NOT_FOUND')
    expect((await handOver({ id })).code).toBe('BAD_USER_INPUT')
    expect((await handOver({ id, user: fixture.ann.id })).code).toBe('BAD_USER_INPUT')
    expect((await handOver({ id, user: fixture.ben.id, channel: fixture.channel })).code).toBe('BAD_USER_INPUT')
    expect((await fixture.run(fixture.ben, HAND_OVER, { id, user: fixture.ann.id })).code).toBe('UNPROCESSABLE')
    const queued = await fixture.inStatus('QUEUED')
    expect((await handOver({ id: queued.id, user: fixture.ben.id })).code).toBe('UNPROCESSABLE')
    expect((await fixture.show(id)).participants.map(({ userId }) => userId)).toEqual([fixture.ann.id])
  })
})
