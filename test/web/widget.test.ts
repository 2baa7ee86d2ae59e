import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, startHostSite, widgetOf, type HostSite } from './support/widget.js'
import { until } from '../support/until.js'

describeInBrowser('the web widget', (world) => {
  let service: string
  const sites: HostSite[] = []
  beforeAll(async () => {
    service = await makeWebService(world.office)
  })
  afterAll(async () => {
    for (const site of sites) await site.close()
  })

  const demo = (id = service): string => `${world.office.url}/widget/demo?service=${id}`

  it('is a conversation between both sides, and makes no requests before a click', async () => {
    const count = async () =>
      (await world.office.server.database.query<{ n: number }>('select count(*)::int as n from contact'))[0]!.n
    const before = await count()
    const { page } = await world.open('about:blank')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(demo())
    await page.getByRole('button', { name: 'Open chat' }).waitFor()
    expect(
      asked.filter((path) => !/^\/(widget\/demo|widget\.js|web\/demo-\w+\.css|web\/icon\.svg)$/.test(path)),
    ).toEqual([])
    await keepScreenshot(page, 'widget-closed')
    const widget = widgetOf(page)
    await widget.open()
    await widget.log.getByText('Ahoy. Ask us anything.').waitFor()
    expect(await count()).toBe(before)
    await keepScreenshot(page, 'widget-first')
    await expectAccessible(page)

    await widget.say('Is the fuel dock open on Sunday?')
    await widget.log.getByText('Sent', { exact: false }).waitFor()
    const agentView = await agentViewOf(world.office, 'Is the fuel dock open on Sunday?')
    const { id } = agentView
    // It is said for some seconds only, and not to a page that does not listen yet: said until it is seen.
    await eventually(async () => {
      await world.office.gql(world.office.ann, 'mutation ($id: ID!) { setTyping(conversation: $id, typing: true) }', {
        id,
      })
      const typing = page.getByText('Ann de Vries is typing').waitFor({ timeout: 3_000 })
      return typing.then(
        () => true,
        () => false,
      )
    })
    const answered = await agentView.answer({ text: 'It is, from eight.' })
    await widget.log.getByText('It is, from eight.').waitFor()
    expect(await widget.log.getByRole('article', { name: 'Ann de Vries' }).count()).toBe(1)
    await until(async () => {
      const { data } = await world.office.gql(
        world.office.ann,
        'query ($id: ID!) { conversation(id: $id) { lastMessage { id deliveries { status } } } }',
        { id },
      )
      const { lastMessage } = data.conversation
      return lastMessage.id === answered && lastMessage.deliveries[0]?.status === 'READ'
    })

    await agentView.answer({
      text: 'Which day suits you?',
      actions: [
        { type: 'REPLY', text: 'Thursday 09:30', payload: 'thursday' },
        { type: 'REPLY', text: 'Friday 14:00', payload: 'friday' },
      ],
    })
    await page.getByRole('button', { name: 'Thursday 09:30' }).click()
    await widget.log.getByRole('article', { name: 'You' }).getByText('Thursday 09:30').waitFor()
    expect(await page.getByRole('button', { name: 'Friday 14:00' }).count()).toBe(0)
    expect(await agentView.texts()).toEqual(['Is the fuel dock open on Sunday?', 'thursday'])
    await keepScreenshot(page, 'widget-talk')

    // Back after a reload, with what was said and without a new visitor.
    await widget.message.fill('half a sentence')
    await page.reload()
    await widget.open()
    await widget.log.getByText('It is, from eight.').waitFor()
    await until(async () => (await widget.message.inputValue()) === 'half a sentence')
    expect(await count()).toBe(before + 1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open chat' }).and(page.locator(':focus')).waitFor()
    expect(asked.some((path) => /token|guest/i.test(path))).toBe(false)
  })

  it('works on a page whose policy allows no styles, without violations', async () => {
    const own = await makeWebService(world.office, { allowedOrigins: [world.office.url] })
    let id = service
    const server = world.office.url
    const site = await startHostSite(
      () => `<!doctype html><html lang="en"><title>Host</title><h1>Host</h1>
        <script async src="${server}/widget.js" data-service="${id}"></script></html>`,
      () =>
        `default-src 'none'; style-src 'none'; script-src ${server}; connect-src ${server} ${server.replace('http', 'ws')}; ` +
        `img-src ${server}; require-trusted-types-for 'script'; trusted-types switchboard`,
    )
    sites.push(site)
    const { page } = await world.open(site.origin)
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('from elsewhere')
    const agentView = await agentViewOf(world.office, 'from elsewhere')
    await agentView.answer({ text: '<p>Rich <b>bold</b></p>', contentType: 'TEXT_HTML' })
    await widget.log.locator('b').getByText('bold').waitFor()
    expect(await page.locator('switchboard-widget').evaluate((host) => host.getAttribute('style'))).toBeNull()
    await keepScreenshot(page, 'widget-strict-host')
    expect(site.reports).toEqual([])

    // Of a service that this page is not a site of.
    id = own
    await page.reload()
    await widget.open()
    await page.getByRole('alert').getByText('This chat is not open to this page').waitFor()
    await page.getByRole('alert').getByText(site.origin).waitFor()
    await keepScreenshot(page, 'widget-forbidden')
    expect(site.reports).toEqual([])
  })
})
