import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { listenAloud, saidAloud } from './support/said-aloud.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'

describeInBrowser('an answer that grows', (world) => {
  // oxlint-disable-next-line typescript/no-explicit-any -- as the answer is
  async function run(as: MadeUser, query: string, variables: object): Promise<any> {
    const { data, errors } = await world.office.gql(as, query, { ...variables })
    if (errors) throw new Error(errors[0]!.message)
    return Object.values(data)[0]
  }
  async function begin(
    conversation: string,
  ): Promise<{ id: string; add(text: string): Promise<void>; finish(): Promise<void> }> {
    const { bot } = world.office
    const { id } = await run(
      bot,
      'mutation ($c: ID!, $m: MessageInput!) { beginMessage(conversation: $c, message: $m) { id } }',
      { c: conversation, m: { role: 'AGENT' } },
    )
    let length = 0
    return {
      id,
      async add(text) {
        const variables = { id, offset: length, text }
        length = await run(
          bot,
          'mutation ($id: ID!, $offset: Int!, $text: String!) { appendMessage(id: $id, offset: $offset, text: $text) }',
          variables,
        )
      },
      async finish() {
        await run(bot, 'mutation ($id: ID!, $n: Int!) { finishMessage(id: $id, length: $n) { id } }', { id, n: length })
      },
    }
  }

  it('is read in the widget as it is written, is not read aloud in pieces, and can be stopped', async () => {
    world.office.clock.standAt()
    const service = await makeWebService(world.office)
    const { page } = await world.open(`${world.office.url}/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('Where is my order 4711?')
    const { id } = await agentViewOf(world.office, 'Where is my order 4711?')
    const answer = await begin(id)
    await answer.add('It left ')
    const bubble = widget.log.locator('[aria-busy=true]')
    await bubble.getByText('It left').waitFor()
    await widget.log.getByRole('status').getByText('Widget is answering').waitFor({ state: 'attached' })
    // It is drawn anew when the widget's socket begins anew.
    await widget.log.locator('[aria-live=off] [aria-busy=true]').getByText('It left').waitFor()
    await answer.add('the harbour yesterday')
    await bubble.getByText('It left the harbour yesterday').waitFor()
    await keepScreenshot(page, 'widget-stream')
    await expectAccessible(page)
    await answer.add('.')
    await answer.finish()
    await bubble.waitFor({ state: 'detached' })
    await widget.log.getByRole('article').getByText('It left the harbour yesterday.').waitFor()
    expect(await widget.log.getByText('It left the harbour yesterday.').count()).toBe(1)

    const second = await begin(id)
    await second.add('And by the way')
    await widget.log.getByRole('button', { name: 'Stop' }).click()
    await widget.log.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    await widget.log.getByText('And by the way').waitFor()
    await expect(second.add(', more')).rejects.toThrow(/ended/)
  })

  it('is read in the console, in two tabs and after a reload, and stopped by an agent', async () => {
    // However long the pages take, nothing is lost for its silence.
    world.office.clock.standAt()
    const id = await world.office.arrive('Lena Vos', 'Do you rent bicycles?')
    const answer = await begin(id)
    await answer.add('Yes, we ')
    const [one, two] = [
      (await world.openConsole(world.office.ann, `/c/${id}`)).page,
      (await world.openConsole(world.office.bob, `/c/${id}`)).page,
    ]
    const bubbleIn = (page: typeof one) => page.getByRole('log').locator('[aria-busy=true]')
    for (const page of [one, two]) await bubbleIn(page).getByText('Yes, we').waitFor()
    await answer.add('do, from ')
    for (const page of [one, two]) await bubbleIn(page).getByText('Yes, we do, from').waitFor()
    await keepScreenshot(one, 'console-stream')
    await expectAccessible(one)
    await one.reload()
    await bubbleIn(one).getByText('Yes, we do, from').waitFor()
    await two.getByRole('button', { name: 'Stop' }).click()
    for (const page of [one, two]) {
      await bubbleIn(page).waitFor({ state: 'detached' })
      await page.getByRole('log').getByText('Yes, we do, from').waitFor()
    }
    await until(async () => {
      const { messages } = await run(
        world.office.owner,
        'query ($id: ID!) { conversation(id: $id) { messages(last: 1) { edges { node { ending } } } } }',
        { id },
      )
      return messages.edges[0].node.ending === 'STOPPED'
    })
  })
  it('is read aloud by sentence, once, where somebody has set it so', async () => {
    world.office.clock.standAt()
    const id = await world.office.arrive('Per Olsen', 'When do you open?')
    const { page } = await world.openConsole(world.office.ann, '/settings')
    await page.getByRole('switch', { name: 'Read by sentence' }).check()
    await listenAloud(page)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await page.getByRole('log').getByText('When do you open?').waitFor()
    const answer = await begin(id)
    await answer.add('We open at nine. On Sundays at ')
    await until(async () => (await saidAloud(page, 'We open at nine.')).length === 1)
    expect(await saidAloud(page, 'On Sundays')).toEqual([])
    await answer.add('ten.')
    await answer.finish()
    await page.getByRole('log').locator('[aria-busy=true]').waitFor({ state: 'detached' })
    await until(async () => (await saidAloud(page, 'On Sundays at ten.')).length === 1)
    expect(await saidAloud(page, 'We open at nine.')).toHaveLength(1)
    // What is not written before it is there is read whole, as ever.
    const m = { role: 'AGENT', text: 'See you!' }
    await run(
      world.office.bot,
      'mutation ($id: ID!, $m: MessageInput!) { sendMessage(conversation: $id, message: $m) { id } }',
      { id, m },
    )
    await until(async () => (await saidAloud(page, 'See you!')).length === 1)
  })
})
