import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { HOSTILE_HTML } from './support/hostile-html.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, startHostSite, widgetOf, type HostSite } from './support/widget.js'
import { until } from '../support/until.js'

/** Lets a wait for the rest of a minute end when `passMinute` is called, and not before. */
const MINUTES_BY_HAND = `
  const { setTimeout, clearTimeout } = globalThis
  const waiting = new Map()
  let last = 0
  globalThis.setTimeout = (run, ms, ...given) => {
    if (!(ms > 6_000 && ms <= 60_000)) return setTimeout(run, ms, ...given)
    waiting.set(--last, run)
    return last
  }
  globalThis.clearTimeout = (timer) => waiting.delete(timer) || clearTimeout(timer)
  globalThis.passMinute = () => {
    const due = [...waiting.values()]
    waiting.clear()
    for (const run of due) run()
  }`

describeInBrowser("the web widget's states", (world) => {
  let service: string
  let site: HostSite | undefined
  beforeAll(async () => {
    service = await makeWebService(world.office)
  })
  afterAll(async () => {
    await site?.close()
  })

  const demo = (): string => `${world.office.url}/widget/demo?service=${service}`

  it('keep messages sent while the server is unavailable, through a reload, and send them once, in order', async () => {
    const { page } = await world.open(demo())
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('before the cut')
    const agentView = await agentViewOf(world.office, 'before the cut')
    await widget.log.getByText('Sent').waitFor()
    // The server does what it is asked, and its answer is lost.
    let isLost = false
    await page.route('**/graphql', async (route) => {
      if (!isLost && route.request().postData()?.includes('kept one')) {
        await route.fetch()
        isLost = true
      }
      await route.abort()
    })
    await widget.say('kept one')
    await widget.say('kept two')
    await until(() => isLost)
    // The event of what the server has done says for a moment that there is a connection.
    await until(() =>
      page
        .locator('.w')
        .evaluate(
          (panel) => panel.textContent!.includes('No connection since') && panel.querySelector('.dot') === null,
        ),
    )
    await keepScreenshot(page, 'widget-offline')
    await expectAccessible(page)
    await page.unroute('**/graphql')
    await page.reload()
    await widget.open()
    await until(async () => (await agentView.texts()).includes('kept two'))
    await widget.log.getByText('kept two').waitFor()
    await until(async () => (await page.locator('.waits').count()) === 0)
    expect(await agentView.texts()).toEqual(['before the cut', 'kept one', 'kept two'])
    expect(await widget.log.getByText('kept one').count()).toBe(1)
  })

  it('are the same in two tabs, which are one visitor, also when its sign-in has ended', async () => {
    const first = await world.open(demo())
    const second = await world.open(demo(), { context: first.context })
    const [one, two] = [widgetOf(first.page), widgetOf(second.page)]
    await one.open()
    await two.open()
    await one.say('of the first tab')
    await two.log.getByText('of the first tab').waitFor()
    await two.say('of the second tab')
    await one.log.getByText('of the second tab').waitFor()
    const agentView = await agentViewOf(world.office, 'of the first tab')
    await until(async () => (await agentView.texts()).length === 2)
    expect(await agentView.texts()).toEqual(['of the first tab', 'of the second tab'])

    // The guest's tokens are revoked: what is typed then begins anew, and is not lost.
    await first.page.evaluate((key) => {
      const session = JSON.parse(localStorage.getItem(key)!)
      localStorage.setItem(key, JSON.stringify({ ...session, token: 'x.y.z', refreshToken: 'spent' }))
    }, `switchboard ${service}`)
    await first.page.reload()
    await one.open()
    await one.say('after the end')
    const next = await agentViewOf(world.office, 'after the end')
    expect(next.id).not.toBe(agentView.id)
    expect(await next.texts()).toEqual(['after the end'])
    await two.log.getByText('after the end').waitFor()
  })

  it('lose nothing that tabs send in the same moment, nor what a closed tab had not sent yet', async () => {
    const first = await world.open(demo())
    const pages = [first.page]
    for (let count = 0; count < 3; count++) pages.push((await world.open(demo(), { context: first.context })).page)
    const widgets = pages.map(widgetOf)
    for (const widget of widgets) await widget.open()
    await widgets[0]!.say('the first of all')
    const agentView = await agentViewOf(world.office, 'the first of all')
    const expected = ['the first of all']
    for (let round = 0; round < 4; round++) {
      const texts = widgets.map((_, tab) => `round ${round} of tab ${tab}`)
      expected.push(...texts)
      await Promise.all(widgets.map(({ message }, tab) => message.fill(texts[tab]!)))
      await Promise.all(widgets.map(({ message }) => message.press('Enter')))
      await until(async () => (await agentView.texts()).length >= expected.length)
    }
    expect((await agentView.texts()).toSorted()).toEqual(expected.toSorted())

    await first.page.route('**/graphql', (route) => route.abort())
    await widgets[0]!.say('left by the first tab')
    await first.page.close()
    await until(async () => (await agentView.texts()).includes('left by the first tab'))
    // Once: two would be refused.
    await widgets[1]!.log.getByText('left by the first tab').waitFor()
  })

  it('tell a place in line: seen at once, and said to a screen reader once a minute, the latest', async () => {
    const { office } = world
    await office.gql(
      office.owner,
      'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }',
      { id: office.channel, patch: { assignment: { tellPlace: true } } },
    )
    const ahead = await office.arrive('Ahead', 'I came before')
    const { page } = await world.open('about:blank')
    await page.addInitScript(MINUTES_BY_HAND)
    await page.goto(demo())
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('I came after')
    const seen = widget.log.locator('p.sys[aria-live=off]')
    const said = widget.log.locator('p[role=status]').filter({ hasText: /\d/ })
    const textOf = (line: typeof seen): Promise<string> => line.textContent().then((text) => text ?? '')
    await seen.getByText(/\d/).waitFor()
    const first = await textOf(said)
    await office.gql(office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id: ahead })
    expect(
      await until(
        () => textOf(seen),
        (text) => text !== first,
      ),
    ).toMatch(/\d/)
    expect(await textOf(said)).toBe(first)
    await page.evaluate('passMinute()')
    await until(async () => (await textOf(said)) === (await textOf(seen)))
    expect(await textOf(said)).not.toBe(first)
  })

  it('follow what comes, also where it grows before the last scrolling is told of, until the visitor goes up', async () => {
    const { page } = await world.open(demo())
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('a long thread')
    await widget.log.getByText('Sent').waitFor()
    const grow = async (px: number, isToldLate: boolean): Promise<number> => {
      await widget.log.evaluate(
        (log, { px, isToldLate }) => {
          const turns = log.firstElementChild as unknown as { style: { minBlockSize: string } }
          turns.style.minBlockSize = `${px}px`
          if (isToldLate) log.dispatchEvent(new Event('scroll'))
        },
        { px, isToldLate },
      )
      for (let frame = 0; frame < 3; frame++) await page.evaluate('new Promise(requestAnimationFrame)')
      return widget.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)
    }
    expect(await grow(2_000, false)).toBeLessThan(1)
    expect(await grow(2_300, true)).toBeLessThan(1)
    await widget.log.evaluate(async (log) => {
      const told = new Promise((resolve) => log.addEventListener('scroll', resolve, { once: true }))
      log.scrollBy(0, -200)
      await told
    })
    expect(await grow(2_600, false)).toBeGreaterThan(400)
  })

  it('refuse long input with an explanation, and keep the text', async () => {
    const { page } = await world.open(demo())
    const widget = widgetOf(page)
    await widget.open()
    const long = 'x'.repeat(100_000)
    await widget.say(long)
    await page.getByRole('alert').getByText('Not sent').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await widget.message.inputValue()).toBe(long)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('show hostile messages as text, also in dark mode and on a telephone', async () => {
    const { page } = await world.open(demo(), {
      colorScheme: 'dark',
      viewport: { width: 375, height: 740 },
    })
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('<img src=x onerror="document.title=1">')
    const agentView = await agentViewOf(world.office, '<img src=x onerror="document.title=1">')
    const id = await agentView.answer({ text: 'to be replaced', contentType: 'TEXT_HTML' })
    await agentView.answer({
      type: 'CARD',
      text: 'Crane, cooling system, impeller, sea trial.',
      meta: { title: 'Lift-out and engine check' },
      items: [
        { title: 'Thursday', description: 'At 09:30', actions: [{ type: 'POSTBACK', text: 'Take it', payload: 'x' }] },
      ],
      actions: [{ type: 'LINK', text: 'Our prices', uri: 'https://example.org/prices' }],
    })
    await world.office.server.database.query('update message set text = $2 where id = $1', [id, HOSTILE_HTML])
    await page.reload()
    await widget.open()
    await widget.log.getByRole('link', { name: 'good link' }).waitFor()
    await widget.log.getByText('Lift-out and engine check').waitFor()
    expect(await widget.log.locator('script, iframe, [onerror], [style], a[href^="javascript"]').count()).toBe(0)
    expect(await page.title()).not.toBe('1')
    await keepScreenshot(page, 'widget-rich-dark-375')
    await expectAccessible(page)
    const box = (await page.getByRole('dialog').boundingBox())!
    expect([box.x, box.width]).toEqual([0, 375])
  })

  it('accept a file, and use the language of the page', async () => {
    site = await startHostSite(
      () => `<!doctype html><html lang="nl" dir="rtl"><meta name="viewport" content="width=device-width"><title>Host</title>
        <script async src="${world.office.url}/widget.js" data-service="${service}"></script></html>`,
      () => null,
    )
    const { page } = await world.open(site.origin)
    await page.getByRole('button', { name: 'Chat openen' }).click()
    await page.getByRole('textbox', { name: 'Bericht', exact: true }).fill('Hallo')
    await page.getByRole('button', { name: 'Versturen' }).click()
    const agentView = await agentViewOf(world.office, 'Hallo')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Bestand bijvoegen' }).click(),
    ])
    const name = '<b>‮gpj.exe.pdf'
    await chooser.setFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') })
    await page.getByRole('log').getByText('gpj.exe').waitFor()
    await keepScreenshot(page, 'widget-file-nl-rtl')
    // Shown before the server has it.
    const rows = await until(
      () =>
        world.office.server.database.query(`select from message where conversation_id = $1 and meta ? 'fileId'`, [
          agentView.id,
        ]),
      ({ length }) => length > 0,
    )
    expect(rows).toHaveLength(1)
  })
})
