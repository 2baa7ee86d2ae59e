import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { must, startConversationFixture, texts, type ConversationFixture } from './conversation-fixture.js'
import { streamsOf } from './streams-fixture.js'

const MINUTE = 60_000
const POLICY = 'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }'
const CLOSE = 'mutation ($id: ID!) { closeConversation(conversation: $id) { conversation { id } } }'
const SNOOZE = 'mutation ($id: ID!, $until: DateTime!) { snooze(conversation: $id, until: $until) { id } }'
const LOOK = `query ($id: ID!) { conversation(id: $id) { status queuedAt channels channelsOffline snoozedUntil
  clocks { clock state startedAt } routingTrace { trigger } } }`

interface Looked {
  status: string
  queuedAt: string | null
  channels: string[]
  channelsOffline: string[]
  snoozedUntil: string | null
  clocks: { clock: string; state: string; startedAt: string }[]
  routingTrace: { trigger: string }[]
}

let fixture: ConversationFixture
let elsewhere: string
let streams: ReturnType<typeof streamsOf>
beforeAll(async () => {
  fixture = await startConversationFixture({}, { pace: 10 })
  streams = streamsOf(fixture)
  elsewhere = await fixture.makeChannel('Elsewhere', [fixture.ben])
  const rule = { event: { type: 'notify', params: { channels: [fixture.channel] } }, conditions: { all: [] } }
  await fixture.makeWorkflow([rule])
  const targets = ['QUEUE', 'FIRST_RESPONSE', 'NEXT_RESPONSE'].map((clock) => ({ clock, minutes: 60 }))
  await must(fixture.run(fixture.admin, POLICY, { input: { name: 'All', targets } }))
})
afterAll(() => fixture.close())

const pass = (minutes = 1): void => fixture.clock.advance(minutes * MINUTE)
const asks = async (text = 'hello'): Promise<string> => {
  const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text }] })
  pass()
  return id
}
const says = (id: string, text: string) => must(fixture.send(fixture.bot, id, { role: 'CONTACT', text }))
const answers = (id: string, as: MadeUser = fixture.ann) => must(fixture.send(as, id, { role: 'AGENT', text: 'hi' }))
const commands = (id: string, text: string, more: object = {}, as: MadeUser = fixture.ann) =>
  must(fixture.command(as, id, text, more))
const merge = (id: string, origin: string) => commands(id, `/import ${origin}`, {}, fixture.admin)
const look = (id: string) => must(fixture.run<Looked>(fixture.admin, LOOK, { id }))
const channelsOf = async (id: string): Promise<string[]> => {
  const { channels, channelsOffline } = await look(id)
  return [...channels, ...channelsOffline].toSorted()
}
const responses = async (id: string): Promise<string[]> =>
  (await look(id)).clocks.filter(({ clock }) => clock.endsWith('_RESPONSE')).map(({ state }) => state)
/** One that was answered, and that Ann has. */
async function answered(text?: string): Promise<string> {
  const id = await asks(text)
  await answers(id)
  pass()
  return id
}
async function closed(text?: string): Promise<string> {
  const id = await answered(text)
  await commands(id, '/leave')
  return id
}
/** One whose last word needed no answer, so that Ann has closed it. */
async function closedUnanswered(): Promise<string> {
  const id = await answered()
  await says(id, 'thanks, bye')
  pass()
  await must(fixture.run(fixture.ann, CLOSE, { id }))
  pass()
  return id
}
/** Puts half an answer of a bot into a conversation. */
async function halfAnswer(id: string): Promise<void> {
  const bot = await fixture.makeAgent({ role: 'bot' })
  const { id: stream } = await must(streams.begin(bot, id))
  await must(streams.append(bot, stream, 0, 'Your order is'))
  await must(streams.stop(fixture.ann, stream))
  pass()
}

describe('a merge of a case that was closed without an answer', () => {
  it.each(['into', 'of'])('queues nothing: %s it', async (direction) => {
    const [older, thanked] = [await closed('another one'), await closedUnanswered()]
    pass(90)
    const [target, origin] = direction === 'of' ? [older, thanked] : [thanked, older]
    await merge(target, origin)
    expect(texts(await fixture.show(target))).toContain('thanks, bye')
    const { status, clocks, routingTrace } = await look(target)
    expect(status).toBe('CLOSED')
    expect(clocks.filter(({ state }) => state === 'RUNNING' || state === 'BREACHED')).toEqual([])
    expect(routingTrace.some(({ trigger }) => trigger === '/import')).toBe(false)
    await commands(target, '/accept')
    await commands(target, '/leave')
    expect((await look(target)).status).toBe('CLOSED')
  })

  it('begins the clocks with what the consumer still waits for, not with what was closed', async () => {
    const thanked = await closedUnanswered()
    const origin = await asks('a new question')
    await merge(thanked, origin)
    const { status, clocks } = await look(thanked)
    expect(status).toBe('QUEUED')
    const { startedAt } = clocks.find(({ clock, state }) => clock === 'FIRST_RESPONSE' && state === 'RUNNING')!
    const { value } = await fixture.run<{ messages: { edges: { node: { createdAt: string } }[] } }>(
      fixture.admin,
      'query ($id: ID!) { conversation(id: $id) { messages(first: 9) { edges { node { createdAt } } } } }',
      { id: origin },
    )
    expect(startedAt).toBe(value.messages.edges[0]!.node.createdAt)
  })

  it('leaves what an agent has answered answered', async () => {
    const [target, thanked] = [await answered(), await closedUnanswered()]
    await merge(target, thanked)
    expect(await responses(target)).not.toContain('RUNNING')
    await commands(target, '/leave')
    expect((await look(target)).status).toBe('CLOSED')
  })
})

describe('a merge of half an answer', () => {
  it('ends no wait: the consumer of the origin still waits', async () => {
    const [target, origin] = [await answered(), await asks()]
    await halfAnswer(origin)
    await merge(target, origin)
    expect(await responses(target)).toContain('RUNNING')
    await commands(target, '/leave')
    expect((await look(target)).status).toBe('QUEUED')
  })

  it('ends no wait: the consumer of the target still waits', async () => {
    const [target, origin] = [await asks(), await asks('and me')]
    await halfAnswer(origin)
    const { startedAt } = (await look(target)).clocks.find(({ clock }) => clock === 'FIRST_RESPONSE')!
    await merge(target, origin)
    const clocks = (await look(target)).clocks.filter(({ clock }) => clock.endsWith('_RESPONSE'))
    expect(clocks).toMatchObject([{ clock: 'FIRST_RESPONSE', state: 'RUNNING', startedAt }])
    await answers(target)
    expect(await responses(target)).toEqual(['MET'])
  })
})

describe('a merge of one that waits into one that is put aside', () => {
  it.each(['unanswered', 'answered'])('wakes it: %s', async (state) => {
    const [target, origin] = [await asks(), await asks('it is me again')]
    if (state === 'unanswered') await commands(target, '/accept')
    else await answers(target)
    const until = new Date(fixture.clock.now().getTime() + 300 * MINUTE).toISOString()
    await must(fixture.run(fixture.ann, SNOOZE, { id: target, until }))
    await merge(target, origin)
    const { participants } = await fixture.show(target)
    expect(participants).toMatchObject([{ userId: fixture.ann.id, inbox: true, accepted: true }])
    expect((await look(target)).snoozedUntil).toBeNull()
  })

  it('wakes it for one that was queued, though answered; one that waits for nothing wakes nobody', async () => {
    const target = await answered()
    const snooze = async (): Promise<void> => {
      const until = new Date(fixture.clock.now().getTime() + 300 * MINUTE).toISOString()
      await must(fixture.run(fixture.ann, SNOOZE, { id: target, until }))
    }
    const queued = await closed()
    await commands(queued, '/notify')
    await snooze()
    await merge(target, queued)
    expect((await look(target)).snoozedUntil).toBeNull()
    await snooze()
    await merge(target, await closedUnanswered())
    expect((await look(target)).snoozedUntil).not.toBeNull()
  })
})

describe('the place in line of a merged conversation', () => {
  it.each(['CLOSED', 'QUEUED'])('is that of who has waited longest: into one that is %s', async (status) => {
    const origin = await asks()
    pass(10)
    const target = status === 'CLOSED' ? await closed() : await asks()
    const { queuedAt } = await look(origin)
    await merge(target, origin)
    expect(await look(target)).toMatchObject({ status: 'QUEUED', queuedAt })
    await commands(target, '/accept')
    const [accepted] = await fixture.server.database.query<{ ms: number }>(
      `select ms::int from milestone where conversation_id = $1 and kind = 'accepted' order by nth desc limit 1`,
      [target],
    )
    expect(accepted!.ms).toBeGreaterThanOrEqual(10 * MINUTE)
  })

  it('stays where the target waits longer', async () => {
    const target = await asks()
    pass(10)
    const origin = await asks()
    const { queuedAt } = await look(target)
    await merge(target, origin)
    expect(await look(target)).toMatchObject({ status: 'QUEUED', queuedAt })
  })

  const notify = (id: string) => commands(id, '/notify', { meta: { channels: [elsewhere] } })

  it('stays with the team that somebody chose, without rules, when the target was closed', async () => {
    const origin = await asks()
    await notify(origin)
    const target = await closed()
    await merge(target, origin)
    expect(await channelsOf(target)).toEqual([elsewhere])
    // It was chosen: an agent of it takes a task.
    const { meta } = await commands(target, '/accept', {}, fixture.ben)
    expect(meta).toMatchObject({ isTask: true })
  })

  it('adds the team that somebody chose where the target waits, and keeps that one', async () => {
    const [origin, target] = [await asks(), await asks()]
    await notify(origin)
    await merge(target, origin)
    expect(await channelsOf(target)).toEqual([fixture.channel, elsewhere].toSorted())
    await commands(target, '/notify')
    expect(await channelsOf(target)).toEqual([fixture.channel, elsewhere].toSorted())
  })

  it.each(['CLOSED', 'ACTIVE'])('keeps the tasks of the origin open, in one that is %s', async (status) => {
    const origin = await answered()
    await notify(origin)
    const { queuedAt } = await look(origin)
    pass(5)
    const target = status === 'CLOSED' ? await closed() : await answered()
    await merge(target, origin)
    expect(await look(target)).toMatchObject({ status, queuedAt })
    expect(await channelsOf(target)).toEqual([elsewhere])
  })

  it('goes by the rules where the chosen team is gone', async () => {
    const gone = await fixture.makeChannel('Gone', [fixture.ben])
    const [origin, target] = [await asks(), await closed()]
    await commands(origin, '/notify', { meta: { channels: [gone, elsewhere] } })
    await fixture.server.database.query(`update conversation set task_channels = $2 where id = $1`, [
      origin,
      [fixture.clock.newId()],
    ])
    await merge(target, origin)
    expect(await channelsOf(target)).toEqual([fixture.channel])
  })
})
