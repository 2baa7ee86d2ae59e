import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, startHostSite, widgetOf } from './support/widget.js'

describeInBrowser('the widget of a visitor who has been here before', (world) => {
  it('shows an answer beside the launcher, who answers, and what an agent has seen', async () => {
    const service = await makeWebService(world.office, { title: null })
    const { page, context } = await world.open(`/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    const nudge = page.locator('.nudge')
    await widget.open()
    // The organization's name, where the service has no title.
    await page.getByRole('dialog', { name: 'Harbour Boats' }).waitFor()
    await widget.say('Is the fuel dock open?')
    await widget.log.getByText('Sent').waitFor()
    expect(await widget.log.getByText('Seen').count()).toBe(0)
    const agentView = await agentViewOf(world.office, 'Is the fuel dock open?')
    const ann = await world.openConsole(world.office.ann, `/c/${agentView.id}`)
    await ann.page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Ann de Vries answers').waitFor()
    await widget.say('On Sunday, I mean.')
    await ann.page.getByRole('log').getByText('On Sunday, I mean.').waitFor()
    await widget.log.getByText('Seen').waitFor()
    await keepScreenshot(page, 'widget-seen')

    await page.keyboard.press('Escape')
    await ann.page.close()
    await agentView.answer({ text: 'It is, from nine to five.' })
    await nudge.getByText('It is, from nine to five.').waitFor()
    await nudge.getByText('Ann de Vries').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'widget-nudge')
    await page.reload()
    await nudge.getByText('It is, from nine to five.').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await nudge.waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('button', { name: 'Open chat, 1 new' }).waitFor()
    expect(await nudge.isVisible()).toBe(false)
    // Another answer is news again; by keyboard it opens the chat, in which it is read.
    await agentView.answer({ text: 'On Mondays it is closed.' })
    await nudge.getByRole('button', { name: /On Mondays it is closed/ }).focus()
    await page.keyboard.press('Enter')
    await widget.log.getByText('On Mondays it is closed.').waitFor()
    expect(await nudge.isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open chat', exact: true }).waitFor()
    await context.close()
  })

  it('shows the greeting where the page asks for it, and nothing before that is asked of the server', async () => {
    const service = await makeWebService(world.office)
    const page = (attributes: string): string =>
      `<!doctype html><html lang="en"><title>Site</title><main><h1>Site</h1></main>
       <script src="${world.office.url}/widget.js" data-service="${service}" ${attributes}></script></html>`
    let attributes = ''
    const site = await startHostSite(
      () => page(attributes),
      () => null,
    )
    try {
      const tab = await world.open('about:blank', { viewport: { width: 375, height: 600 }, colorScheme: 'dark' })
      const asked: string[] = []
      tab.page.on('request', (request) => asked.push(request.url()))
      await tab.page.goto(`${site.origin}/`)
      await tab.page.getByRole('button', { name: 'Open chat' }).waitFor()
      await tab.page.waitForLoadState('networkidle')
      expect(asked.filter((url) => url.startsWith(world.office.url))).toEqual([`${world.office.url}/widget.js`])
      attributes = 'data-nudge'
      await tab.page.reload()
      await tab.page.locator('.nudge').getByText('Ahoy. Ask us anything.').waitFor()
      await expectAccessible(tab.page)
      await keepScreenshot(tab.page, 'widget-greeting-dark-375')
      await tab.page.getByRole('button', { name: 'Ahoy. Ask us anything.' }).click()
      await widgetOf(tab.page).message.waitFor()
    } finally {
      await site.close()
    }
  })
})
