import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { startOffice, type Office } from './office-fixture.js'

const HAND_OVER = `mutation ($id: ID!, $user: ID, $evenIfAway: Boolean) {
  handOverConversation(conversation: $id, user: $user, evenIfAway: $evenIfAway) { status } }`

let office: Office
/** An agent whose consumers are queued again at each look. */
let canary: MadeUser
let canaryChannel: string
let ann: MadeUser
let ben: MadeUser
beforeAll(async () => {
  office = await startOffice({}, { pace: 10 })
  canary = await office.makeAgent()
  canaryChannel = await office.channelWith({ requeueGoneSeconds: 5 }, [canary])
})
beforeEach(async () => {
  ann = await office.makeAgent({ displayName: 'Ann' })
  ben = await office.makeAgent({ displayName: 'Ben' })
})
afterEach(async () => {
  await office.disconnect()
  await office.server.database.query('delete from conversation')
})
afterAll(() => office.close())

/** Starts a conversation that the agent answered, in this channel. */
async function answered(agent: MadeUser, ...channels: string[]): Promise<string> {
  const id = await office.wait(...channels)
  await office.command(agent, id, '/accept')
  await office.send(agent, id, { role: 'AGENT', text: 'how can I help?' })
  return id
}

/** Moves the clock on by 6 seconds, and looks at the conversation after what is due then was queued again. */
async function stays(id: string, status: string): Promise<void> {
  await office.setAvailability(canary, 'OFFLINE')
  const due = await answered(canary, canaryChannel)
  await office.consumerSays(due, 'hello?')
  office.clock.advance(6_000)
  await office.becomes(due, 'QUEUED')
  expect(await office.stateOf(id)).toMatchObject({ status })
}

const acceptedBy = async (id: string): Promise<string[]> =>
  (await office.show(id)).participants.filter(({ accepted }) => accepted).map(({ userId }) => userId)

describe('a consumer who writes', () => {
  it('after the agent went offline is queued again, after the seconds of the channel', async () => {
    const { clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 60 }, [ann, ben])
    await office.setAvailability(ann, 'AVAILABLE')
    const id = await answered(ann, channel)
    await office.setAvailability(ann, 'OFFLINE')
    // Longer than the channel waits: nothing is unanswered yet.
    clock.advance(120_000)
    await office.consumerSays(id, 'are you still there?')
    clock.advance(40_000)
    await stays(id, 'ACTIVE')
    clock.advance(30_000)
    await office.becomes(id, 'QUEUED')
    expect((await office.show(id)).participants.map(({ userId }) => userId)).not.toContain(ann.id)
    expect((await office.show(id)).routingTrace[0]!.trigger).toBe('the agent is offline')
  })

  it('is queued again although a node was restarted in the middle, once by two', async () => {
    const { clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 60 }, [ann, ben])
    await office.setAvailability(ann, 'AVAILABLE')
    const first: TestServer = await startTestServer({}, { beside: office })
    const id = await answered(ann, channel)
    await office.setAvailability(ann, 'OFFLINE')
    await office.consumerSays(id, 'hello?')
    await first.close()
    const second = await startTestServer({}, { beside: office })
    clock.advance(70_000)
    await office.becomes(id, 'QUEUED')
    const { routingTrace } = await office.show(id)
    expect(routingTrace.filter(({ trigger }) => trigger === 'the agent is offline')).toHaveLength(1)
    await second.close()
  })

  it('waits as long as the channel of the conversation says, whatever other channels of the agent say', async () => {
    const { clock } = office
    const chat = await office.channelWith({ requeueGoneSeconds: 5 }, [ann])
    const mail = await office.channelWith({ requeueGoneSeconds: 300 }, [ann])
    const none = await office.channelWith(null, [ann])
    await office.setAvailability(ann, 'AVAILABLE')
    const [byChat, byMail, byNone] = [await answered(ann, chat), await answered(ann, mail), await answered(ann, none)]
    for (const id of [byChat, byMail, byNone]) await office.consumerSays(id, 'hello?')
    await office.setAvailability(ann, 'OFFLINE')
    clock.advance(10_000)
    await office.becomes(byChat, 'QUEUED')
    expect(await office.stateOf(byMail)).toMatchObject({ status: 'ACTIVE' })
    clock.advance(300_000)
    await office.becomes(byMail, 'QUEUED')
    await stays(byNone, 'ACTIVE')
  })

  it('waits as long as the most patient channel of the agent says if the conversation never was in one', async () => {
    const { clock } = office
    await office.channelWith({ requeueGoneSeconds: 5 }, [ann])
    await office.channelWith({ requeueGoneSeconds: 120 }, [ann])
    await office.setAvailability(ann, 'AVAILABLE')
    const { id } = await office.create({}, ann)
    await office.send(ann, id, { role: 'AGENT', text: 'we have news for you' })
    await office.setAvailability(ann, 'OFFLINE')
    await office.consumerSays(id, 'which?')
    clock.advance(60_000)
    await stays(id, 'ACTIVE')
    clock.advance(61_000)
    await office.becomes(id, 'QUEUED')
    expect(await acceptedBy(id)).toEqual([])
  })

  it('stays with the others who accepted, until all of them are gone', async () => {
    const { clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 5 }, [ann, ben])
    for (const agent of [ann, ben]) await office.setAvailability(agent, 'AVAILABLE')
    const id = await answered(ann, channel)
    await office.command(ben, id, '/accept')
    await office.consumerSays(id, 'hello?')
    await office.setAvailability(ann, 'OFFLINE')
    clock.advance(10_000)
    await stays(id, 'ACTIVE')
    expect((await acceptedBy(id)).toSorted()).toEqual([ann.id, ben.id].toSorted())
    await office.setAvailability(ben, 'OFFLINE')
    clock.advance(10_000)
    await office.becomes(id, 'QUEUED')
    expect(await acceptedBy(id)).toEqual([])
  })

  it('is queued again though a bot sent a message as an agent, and not if a bot alone has it', async () => {
    const { clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 5 }, [ann])
    const byBot = await office.wait(channel)
    await office.send(office.bot, byBot, { role: 'AGENT', text: 'we received your form' })
    await office.setAvailability(ann, 'AVAILABLE')
    const id = await answered(ann, channel)
    await office.send(office.bot, id, { role: 'AGENT', text: 'we received your form' })
    for (const each of [id, byBot]) await office.consumerSays(each, 'hello?')
    await office.setAvailability(ann, 'OFFLINE')
    clock.advance(6_000)
    await office.becomes(id, 'QUEUED')
    expect(await acceptedBy(id)).toEqual([])
    await stays(byBot, 'ACTIVE')
  })

  it('is queued again after the seconds of the agent though the channel where it waited was deleted', async () => {
    const { admin, clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 5 }, [ann])
    await office.channelWith({ requeueGoneSeconds: 30 }, [ann])
    await office.setAvailability(ann, 'AVAILABLE')
    const id = await answered(ann, channel)
    const remove = 'mutation ($id: ID!) { deleteChannel(id: $id) }'
    expect(await office.run(admin, remove, { id: channel })).not.toHaveProperty('code')
    await office.setAvailability(ann, 'OFFLINE')
    await office.consumerSays(id, 'hello?')
    clock.advance(10_000)
    await stays(id, 'ACTIVE')
    clock.advance(30_000)
    await office.becomes(id, 'QUEUED')
  })

  it('stays with an agent who came back in time, and with one who answers', async () => {
    const { clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 60 }, [ann])
    await office.setAvailability(ann, 'AVAILABLE')
    const id = await answered(ann, channel)
    await office.setAvailability(ann, 'OFFLINE')
    await office.consumerSays(id, 'hello?')
    clock.advance(30_000)
    await office.setAvailability(ann, 'BUSY')
    clock.advance(60_000)
    await stays(id, 'ACTIVE')
    await office.setAvailability(ann, 'OFFLINE')
    clock.advance(30_000)
    await office.send(ann, id, { role: 'AGENT', text: 'from my phone: yes' })
    clock.advance(60_000)
    await stays(id, 'ACTIVE')
    expect(await acceptedBy(id)).toEqual([ann.id])
  })

  it('to a conversation that was merged into that of an absent agent is queued again', async () => {
    const { admin, clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 60 }, [ann])
    await office.setAvailability(ann, 'AVAILABLE')
    const target = await answered(ann, channel)
    await office.setAvailability(ann, 'OFFLINE')
    clock.advance(120_000)
    const { id: origin } = await office.create({ messages: [{ role: 'CONTACT', text: 'me again' }] })
    expect(await office.command(admin, target, `/import ${origin}`)).not.toHaveProperty('code')
    expect(await office.stateOf(target)).toMatchObject({ status: 'ACTIVE' })
    clock.advance(70_000)
    await office.becomes(target, 'QUEUED')
  })

  it('is offered to the others once it is queued again', async () => {
    const { clock } = office
    const channel = await office.channelWith({ mode: 'OFFER', preferLastSeconds: 300, requeueGoneSeconds: 5 }, [
      ann,
      ben,
    ])
    const workflow = await office.makeWorkflow([
      { conditions: { all: [] }, event: { type: 'notify', params: { channels: [channel] } } },
    ])
    await office.ready(ann)
    const id = await office.wait(channel)
    await office.offered(id, ann)
    await office.command(ann, id, '/accept')
    await office.send(ann, id, { role: 'AGENT', text: 'how can I help?' })
    await office.ready(ben)
    await office.setAvailability(ann, 'OFFLINE')
    await office.consumerSays(id, 'hello?')
    clock.advance(6_000)
    await office.offered(id, ben)
    expect(await office.stateOf(id)).toMatchObject({ status: 'QUEUED', offer: { userId: ben.id } })
    await office.run(office.admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  })
})

describe('a hand-over to somebody who is offline', () => {
  it('is refused unless it is meant, and then queued again like others', async () => {
    const { clock } = office
    const channel = await office.channelWith({ requeueGoneSeconds: 60 }, [ann, ben])
    // Somebody who is not there would lose the conversation before she gives it to Ben.
    await office.setAvailability(ann, 'AVAILABLE')
    for (const is of ['AVAILABLE', 'OFFLINE']) await office.setAvailability(ben, is)
    const id = await office.wait(channel)
    await office.command(ann, id, '/accept')
    await office.consumerSays(id, 'hello?')
    clock.advance(120_000)
    const refused = await office.run(ann, HAND_OVER, { id, user: ben.id })
    expect(refused).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { field: 'user', reason: 'AGENT_UNAVAILABLE', availability: 'OFFLINE' },
    })
    expect(await acceptedBy(id)).toEqual([ann.id])
    expect(await office.run(ann, HAND_OVER, { id, user: ben.id, evenIfAway: true })).not.toHaveProperty('code')
    expect(await acceptedBy(id)).toEqual([ben.id])
    clock.advance(30_000)
    await stays(id, 'ACTIVE')
    clock.advance(31_000)
    await office.becomes(id, 'QUEUED')
  })

  it('is one to an agent who never set a state where channels offer conversations', async () => {
    const channel = await office.channelWith({ mode: 'OFFER' }, [ann, ben])
    const id = await office.wait(channel)
    await office.command(ann, id, '/accept')
    expect(await office.run(ann, HAND_OVER, { id, user: ben.id })).toMatchObject({
      details: { reason: 'AGENT_UNAVAILABLE' },
    })
    await office.run(office.admin, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: channel })
  })
})
