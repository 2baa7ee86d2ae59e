import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

const POLICY = 'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }'
const CLOCKS = 'query ($id: ID!) { conversation(id: $id) { status clocks { clock state } } }'
const SNOOZE = 'mutation ($id: ID!, $until: DateTime!) { snooze(conversation: $id, until: $until) { id } }'
const REPORT = `query ($from: DateTime!, $to: DateTime!) {
  report(metrics: [AGENT_TURNS, CONSUMER_TURNS], from: $from, to: $to) { totals { metric count } } }`
const MINUTE = 60_000
const STATES = ['QUEUED', 'WAITING', 'ANSWERED', 'CLOSED', 'SNOOZED', 'REQUEUED', 'EMPTY', 'BY_BOT'] as const

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture({}, { pace: 10 })
  const clocks = ['QUEUE', 'FIRST_RESPONSE', 'NEXT_RESPONSE', 'RESOLUTION']
  const targets = clocks.map((clock) => ({ clock, minutes: 60 }))
  await must(fixture.run(fixture.admin, POLICY, { input: { name: 'All', targets } }))
})
afterAll(() => fixture.close())

const says = (id: string, text: string) => must(fixture.send(fixture.bot, id, { role: 'CONTACT', text }))
const answers = (id: string, text: string) => must(fixture.send(fixture.ann, id, { role: 'AGENT', text }))
const merge = (id: string, origin: string) => must(fixture.command(fixture.admin, id, `/import ${origin}`))
const pass = (minutes = 1): void => fixture.clock.advance(minutes * MINUTE)

/** A conversation that is in this state since a minute or two. */
async function make(state: (typeof STATES)[number]): Promise<string> {
  const { id } = await fixture.create(state === 'EMPTY' ? {} : { messages: [{ role: 'CONTACT', text: 'hello' }] })
  pass()
  if (state === 'EMPTY' || state === 'QUEUED') return id
  if (state === 'BY_BOT') {
    await must(fixture.send(fixture.bot, id, { role: 'BOT', text: 'one moment' }))
    return id
  }
  await must(fixture.command(fixture.ann, id, '/accept'))
  if (state === 'REQUEUED') await must(fixture.command(fixture.ann, id, '/leave'))
  if (state === 'REQUEUED' || state === 'WAITING') return id
  await answers(id, 'hi')
  pass()
  if (state === 'CLOSED') await must(fixture.command(fixture.ann, id, '/leave'))
  const until = new Date(fixture.clock.now().getTime() + 100 * MINUTE)
  if (state === 'SNOOZED') await must(fixture.run(fixture.ann, SNOOZE, { id, until: until.toISOString() }))
  return id
}

/** The clocks that have not ended, and whether the consumer waits for an answer. */
async function look(id: string) {
  interface Shown {
    status: string
    clocks: { clock: string; state: string }[]
  }
  const { status, clocks } = await must(fixture.run<Shown>(fixture.ann, CLOCKS, { id }))
  const [row] = await fixture.server.database.query<{ awaits: boolean }>(
    'select awaiting_reply as awaits from conversation where id = $1',
    [id],
  )
  const going = clocks.filter(({ state }) => state === 'RUNNING' || state === 'PAUSED')
  const responses = going.filter(({ clock }) => clock.endsWith('_RESPONSE'))
  return { status, awaits: row!.awaits, going: going.length, responses: responses.map(({ state }) => state) }
}

describe('the clocks of a merge', () => {
  it.each(STATES.flatMap((target) => STATES.map((origin) => [target, origin] as const)))(
    'run if and only if the consumer waits: into one that is %s, of one that is %s',
    async (targetState, originState) => {
      const [target, origin] = [await make(targetState), await make(originState)]
      await merge(target, origin)
      expect((await look(origin)).going).toBe(0)
      const { status, awaits, going, responses } = await look(target)
      const isOpen = status === 'QUEUED' || status === 'ACTIVE'
      expect(responses).toEqual(awaits && isOpen ? ['RUNNING'] : [])
      if (!isOpen) expect(going).toBe(0)
      // Of whatever it was, an answer ends them, and the next message begins one.
      await answers(target, 'an answer')
      expect((await look(target)).responses).toEqual([])
      await says(target, 'and?')
      expect((await look(target)).responses).toEqual(['RUNNING'])
    },
  )

  it('end with the answer in the origin, and begin anew with what the consumer wrote after it; reports count each once', async () => {
    const quarter = 15 * MINUTE
    const from = new Date(Math.ceil(fixture.clock.now().getTime() / quarter) * quarter)
    fixture.clock.advance(from.getTime() - fixture.clock.now().getTime())
    const target = await make('QUEUED')
    const origin = await make('ANSWERED')
    await says(origin, 'one more question')
    pass(50)
    await merge(target, origin)
    expect((await look(target)).responses).toEqual(['RUNNING'])
    const { clocks } = await must(
      fixture.run<{ clocks: { clock: string; state: string; startedAt: string }[] }>(
        fixture.ann,
        'query ($id: ID!) { conversation(id: $id) { clocks { clock state startedAt } } }',
        { id: target },
      ),
    )
    expect(Object.fromEntries(clocks.map(({ clock, state }) => [clock, state]))).toMatchObject({
      FIRST_RESPONSE: 'MET',
      NEXT_RESPONSE: 'RUNNING',
    })
    await answers(target, 'an answer')
    const to = new Date(from.getTime() + 8 * quarter)
    const { totals } = await must(
      fixture.run<{ totals: { metric: string; count: number }[] }>(fixture.admin, REPORT, {
        from: from.toISOString(),
        to: to.toISOString(),
      }),
    )
    expect(Object.fromEntries(totals.map(({ metric, count }) => [metric, count]))).toMatchObject({
      CONSUMER_TURNS: 3,
      AGENT_TURNS: 2,
    })
  })
})
