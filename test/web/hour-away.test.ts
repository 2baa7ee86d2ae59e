import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { buildWeb, hasBrowser, keepScreenshot, launch, openTab, type Tab } from './support/browser.js'
import { startVictimOffice, type VictimOffice } from './support/victim-office.js'
import { widgetOf } from './support/widget.js'

const withBrowser = hasBrowser ? describe : describe.skip
const HOUR = '01:00:00'

/** Time is the page's own: an hour passes there in seconds, with every timer in it. */
withBrowser('a server that is away for an hour', () => {
  let office: VictimOffice
  let browser: Browser
  const tabs: Tab[] = []
  beforeAll(async () => {
    buildWeb()
    office = await startVictimOffice()
    browser = await launch()
  })
  afterAll(async () => {
    for (const { context } of tabs) await context.close()
    await browser?.close()
    await office?.close()
  })

  async function open(path: string, context?: Tab['context']): Promise<Tab> {
    const tab = await openTab(browser, { url: 'about:blank', ...(context && { context }) })
    await tab.page.clock.install()
    await tab.page.goto(office.url + path)
    tabs.push(tab)
    return tab
  }
  /** Counts how often the page asks for anything, a socket included. */
  function countAttempts(page: Page): () => number {
    let attempts = 0
    page.on('request', () => attempts++)
    page.on('websocket', () => attempts++)
    return () => attempts
  }

  it('says so, keeps what was typed, and asks seldom', async () => {
    const agent = await open('/console')
    await office.signIn(agent.page)
    const visitor = await open(`/widget/demo?service=${office.service}`)
    const widget = widgetOf(visitor.page)
    await widget.open()
    await widget.say('before')
    await agent.page.getByRole('list', { name: 'Queue' }).getByText('before').click()
    await agent.page.getByRole('button', { name: 'Accept' }).click()
    await agent.page.getByText('Active', { exact: true }).waitFor()
    const reply = agent.page.getByRole('textbox', { name: 'Reply' })

    await office.victim.kill()
    try {
      for (const text of ['one', 'two']) {
        await reply.fill(text)
        await reply.press('Control+Enter')
      }
      await reply.fill('half a sent')
      await widget.say('a question')
      await widget.message.fill('half a quest')
      const [agentAttempts, visitorAttempts] = [countAttempts(agent.page), countAttempts(visitor.page)]
      await Promise.all([agent, visitor].map(({ page }) => page.clock.runFor(HOUR)))
      await agent.page
        .getByRole('status')
        .getByText(/^Offline since/)
        .waitFor()
      await agent.page.getByText('2 messages wait, safe even if you close the tab.').waitFor()
      await visitor.page.getByText(/No connection since/).waitFor()
      await keepScreenshot(agent.page, 'hour-away-console')
      await keepScreenshot(visitor.page, 'hour-away-widget')
      // A thousand such screens ask some hundred times a second together: they neither storm nor give up.
      for (const attempts of [agentAttempts(), visitorAttempts()]) {
        expect(attempts).toBeGreaterThan(60)
        expect(attempts).toBeLessThan(1_500)
      }
      expect(await reply.inputValue()).toBe('half a sent')
      expect(await widget.message.inputValue()).toBe('half a quest')
      expect([...agent.faults, ...visitor.faults]).toEqual([])
    } finally {
      await office.victim.start()
    }
  })

  it('is told of a sign-out as soon as it is back, before the next sign-in', async () => {
    const { page } = await open('/console')
    await office.signIn(page)
    // The word is silent where the rail has a page of that name.
    await page.locator('.rail .live .good').waitFor()
    // Its code is loaded after the first screen.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    await office.victim.kill()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await office.victim.start()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'switchboard_session')
    expect(cookie).toBeUndefined()
  })
})
