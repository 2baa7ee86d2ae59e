import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { buildWeb, eventually, hasBrowser, keepScreenshot, launch, openTab } from './support/browser.js'
import { startVictimOffice, type VictimOffice } from './support/victim-office.js'
import { widgetOf } from './support/widget.js'

const withBrowser = hasBrowser ? describe : describe.skip

withBrowser('a server that is killed while both sides write', () => {
  let office: VictimOffice
  let browser: Browser
  beforeAll(async () => {
    buildWeb()
    office = await startVictimOffice()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await office?.close()
  })

  it('loses no typed text, and receives messages sent meanwhile once', async () => {
    const agent = await openTab(browser, { url: `${office.url}/console` })
    await office.signIn(agent.page)
    const visitor = await openTab(browser, { url: `${office.url}/widget/demo?service=${office.service}` })
    const widget = widgetOf(visitor.page)
    await widget.open()
    await widget.say('before')
    const row = agent.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: 'before' })
    const accept = agent.page.getByRole('button', { name: 'Accept' })
    // Again, as a person would: a row that is drawn anew between press and release of the button takes no click.
    await eventually(async () => {
      await row.click()
      return accept.isVisible()
    })
    await accept.click()
    await agent.page.getByText('Active', { exact: true }).waitFor()
    const reply = agent.page.getByRole('textbox', { name: 'Reply' })
    const log = agent.page.getByRole('log')

    await office.victim.kill()
    await reply.fill('an answer to nobody')
    await agent.page.getByRole('button', { name: 'Send' }).click()
    await reply.fill('half a sent')
    await widget.say('a question to nobody')
    await widget.message.fill('half a quest')
    await agent.page
      .getByRole('status')
      .getByText(/^Offline since/)
      .waitFor()
    await visitor.page.getByText(/No connection since/).waitFor()
    await agent.page.getByText('Waits for the connection').waitFor()
    // Of the visitor nobody knows now.
    await agent.page.locator('.panel').getByText('Online', { exact: true }).waitFor({ state: 'detached' })
    await keepScreenshot(agent.page, 'killed-console')
    await keepScreenshot(visitor.page, 'killed-widget')
    // The agent's page is back first: an answer would be held after a question that the agent has not seen.
    await visitor.context.setOffline(true)
    await office.victim.start()
    await agent.page.getByText('Waits for the connection').waitFor({ state: 'detached' })
    await visitor.context.setOffline(false)

    await log.getByText('a question to nobody').waitFor()
    await widget.log.getByText('an answer to nobody').waitFor()
    // The word is silent where the rail has a page of that name.
    await agent.page.locator('.rail .live .good').waitFor()
    await agent.page.getByText('Waits for the connection').waitFor({ state: 'detached' })
    await eventually(async () => (await visitor.page.locator('.waits').count()) === 0)
    expect(await reply.inputValue()).toBe('half a sent')
    expect(await widget.message.inputValue()).toBe('half a quest')
    expect((await office.texts()).toSorted()).toEqual(['a question to nobody', 'an answer to nobody', 'before'])
    expect(await log.getByText('a question to nobody').count()).toBe(1)
    expect(await widget.log.getByText('an answer to nobody').count()).toBe(1)
    expect([...agent.faults, ...visitor.faults]).toEqual([])
    await agent.context.close()
    await visitor.context.close()
  })
})
