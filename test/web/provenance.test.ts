import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

const URL_OF_SOURCE = 'https://example.com/help/returns?lang=en'
const HOSTILE = '<img src=x onerror=alert(1)>'

describeInBrowser('what a bot says that its answer was made of', (world) => {
  it('are its sources for the consumer, and model, tools and sources for the agent', async () => {
    const { office } = world
    const service = await makeWebService(office)
    const { page } = await world.open(`${office.url}/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('How do I return a parcel?')
    const { id } = await agentViewOf(office, 'How do I return a parcel?')
    const provenance = {
      model: 'opus-5',
      tools: ['find_article', 'read_article'],
      sources: [{ title: 'Returning a parcel', url: URL_OF_SOURCE }, { title: HOSTILE }],
    }
    const send = 'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }'
    const message = { role: 'AGENT', text: 'Print the label, and bring it to a shop.', provenance }
    expect((await office.gql(office.bot, send, { c: id, m: message })).errors).toBeUndefined()

    const article = widget.log.getByRole('article').filter({ hasText: 'Print the label' })
    const link = article.getByRole('link', { name: 'Returning a parcel' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(URL_OF_SOURCE)
    await article.getByText('Sources').waitFor()
    await article.getByText(HOSTILE).waitFor()
    expect(await article.getByText('opus-5').count()).toBe(0)
    await keepScreenshot(page, 'widget-sources')
    await expectAccessible(page)

    const agent = (await world.openConsole(office.ann, `/c/${id}`)).page
    const log = agent.getByRole('log')
    await log.getByText('Written with opus-5, using find_article, read_article').waitFor()
    expect(await log.getByRole('link', { name: 'Returning a parcel' }).getAttribute('href')).toBe(URL_OF_SOURCE)
    await log.getByText(HOSTILE).waitFor()
    await keepScreenshot(agent, 'console-sources')
    await expectAccessible(agent)
  })
})
