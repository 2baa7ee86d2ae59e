import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { must } from '../../conversations/conversation-fixture.js'
import { until } from '../../support/until.js'
import { lines, startAgentFixture, type AgentFixture } from './agent-fixture.js'
import { begin, says, startModel, write, type ModelStandIn } from './model-stand-in.js'

const DELIVERY =
  'Orders leave within a day, and are with you within three working days. Boats come by lorry, within two weeks.'
const REFUND = 'You have your money back within a week after the goods have arrived at our warehouse.'
const APPROVE = 'mutation ($id: ID!, $hash: String!) { approveProposal(proposal: $id, hash: $hash) { status } }'

let app: AgentFixture
let model: ModelStandIn
beforeAll(async () => {
  app = await startAgentFixture()
  model = await startModel()
})
afterAll(async () => {
  await model.close()
  await app.close()
})

/** Runs it with a model that begins an answer, and does not go on with it: it is being written for as long as a test needs. */
const duringAnswer = (work: () => Promise<void>): Promise<unknown[]> => {
  model.behaviour = (response) => {
    begin(response)
    write(response, 'Orders leave ')
  }
  return app.during(work, { model: { url: model.url, key: model.key, name: 'stand-in' } })
}

const linesOf = async (id: string): Promise<string[]> => lines(await app.shown(id))
const answered = (id: string, text: string) =>
  until(
    () => linesOf(id),
    (all) => all.includes(`agent: ${text}`),
  )

describe('the example agent', () => {
  it('is short enough to be copied', () => {
    const files = ['agent.ts', 'answers.ts', 'articles.ts']
    const count = files.flatMap((name) => readFileSync(`examples/agent/${name}`, 'utf8').trimEnd().split('\n')).length
    expect(count).toBeLessThan(256)
  })

  it('answers in front of the consumer, and proposes the category, which a person approves', async () => {
    const errors = await app.during(async () => {
      const id = await app.asks('Hello, how long does delivery take?')
      const grown = await until(async () => (await app.streaming(id)).find((text) => text !== ''))
      expect(DELIVERY.startsWith(grown)).toBe(true)
      await answered(id, DELIVERY)
      const [proposal] = await until(
        () => app.proposals(id),
        (all) => all.length > 0,
      )
      expect(proposal).toMatchObject({ action: 'SET', text: '/set @category Delivery' })
      // The bot itself has written since the mark that it was given.
      await must(app.run(app.ann, APPROVE, proposal))
      const query = 'query ($id: ID!) { conversation(id: $id) { category status } }'
      expect(await must(app.run(app.ann, query, { id }))).toEqual({ category: 'Delivery', status: 'ACTIVE' })
      await app.isIdle()
    })
    expect(errors).toEqual([])
  })

  it('has a person approve an answer about money', async () => {
    const errors = await app.during(async () => {
      const id = await app.asks('When do I get my refund?')
      const proposed = await until(
        () => app.proposals(id),
        (all) => all.length === 2,
      )
      expect(proposed.map(({ text }) => text)).toEqual([REFUND, '/set @category Billing'])
      expect(await linesOf(id)).toEqual(['contact: When do I get my refund?'])
      await must(app.run(app.ann, APPROVE, proposed[0]!))
      expect(await linesOf(id)).toContain(`agent: ${REFUND}`)
      await app.isIdle()
    })
    expect(errors).toEqual([])
  })

  it('gives back the conversation that it has before it proposes, so that people find it in the queue', async () => {
    const errors = await app.during(async () => {
      const id = await app.asks('How long does delivery take?')
      await answered(id, DELIVERY)
      await app.isIdle()
      expect((await app.show(id)).status).toBe('ACTIVE')
      await app.says(id, 'And when do I get my refund?')
      const proposal = await until(async () => (await app.proposals(id)).find(({ text }) => text === REFUND))
      expect((await app.show(id)).status).toBe('QUEUED')
      await must(app.run(app.ann, APPROVE, proposal))
      expect(await linesOf(id)).toContain(`agent: ${REFUND}`)
      await app.isIdle()
    })
    expect(errors).toEqual([])
  })

  it('hands over what it does not know with a summary, and is silent while people have it', async () => {
    const errors = await app.during(async () => {
      const id = await app.asks('Do you sell paint?')
      const handedOver = [
        'contact: Do you sell paint?',
        'note: No article answers this: Do you sell paint?',
        'command: /enqueue',
        'command: /leave',
      ]
      await until(
        () => linesOf(id),
        (all) => all.length === 4,
      )
      expect(await linesOf(id)).toEqual(handedOver)
      expect((await app.show(id)).status).toBe('QUEUED')
      await app.says(id, 'And how long does delivery take?')
      await app.isIdle()
      await must(app.command(app.ann, id, '/accept'))
      await app.says(id, 'How long does delivery take, please?')
      await app.isIdle()
      expect((await linesOf(id)).filter((line) => line.startsWith('agent'))).toEqual([])
      expect(await app.proposals(id)).toEqual([])
    })
    expect(errors).toEqual([])
  })

  it('ends its answer when a person takes over', async () => {
    const errors = await duringAnswer(async () => {
      const id = await app.asks('How long does delivery take?')
      await until(async () => (await app.streaming(id)).some((text) => text !== ''))
      await must(app.send(app.ann, id, { role: 'AGENT', text: 'I take it from here' }))
      await app.isIdle()
      const all = await app.shown(id)
      expect(all.map(({ ending }) => ending)).toEqual([null, 'TAKEN_OVER', null])
      expect(lines(all).at(-1)).toBe('agent: I take it from here')
    })
    expect(errors).toEqual([])
  })

  it('is not kept by a budget that is spent: the conversation waits for people, and it answers others', async () => {
    const SET = 'mutation ($bot: ID!, $budget: BotBudgetInput) { setBotBudget(bot: $bot, budget: $budget) { id } }'
    const limit = (budget: object | null) => must(app.run(app.admin, SET, { bot: app.agent.bot, budget }))
    await limit({ perDay: 0 })
    const errors = await app.during(async () => {
      const first = await app.asks('How long does delivery take?')
      await app.isIdle()
      expect(await linesOf(first)).toEqual(['contact: How long does delivery take?'])
      expect((await app.show(first)).status).toBe('QUEUED')
      await limit(null)
      const second = await app.asks('How long does delivery take to Spain?')
      await answered(second, DELIVERY)
      await app.isIdle()
    })
    expect(errors).toEqual([])
  })

  it('stops while it is paused, and goes on after that', async () => {
    const pause = (verb: string) =>
      must(app.run(app.admin, `mutation ($id: ID!) { ${verb}(id: $id) { id } }`, { id: app.agent.bot }))
    await duringAnswer(async () => {
      const first = await app.asks('How long does delivery take?')
      await until(async () => (await app.streaming(first)).some((text) => text !== ''))
      await pause('pauseBot')
      await until(async () => (await app.shown(first)).some(({ ending }) => ending === 'STOPPED'))
      const second = await app.asks('How long does delivery take to Spain?')
      model.behaviour = says(DELIVERY)
      // It looks again every few seconds whether it may go on.
      await pause('resumeBot')
      await answered(second, DELIVERY)
      app.clock.advance(61_000)
      await app.isIdle()
      // It is answered once after all, or waits for people.
      const whole = (await linesOf(first)).filter((line) => line === `agent: ${DELIVERY}`).length
      expect(whole).toBe((await app.show(first)).status === 'QUEUED' ? 0 : 1)
    })
  })
})
