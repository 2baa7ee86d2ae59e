import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Locator, Page } from 'playwright-core'
import { eventually, hasBrowser, launch, openTab, type Tab } from './support/browser.js'
import { PASSWORD, startOffice, type TestOffice } from './support/office.js'

const describeInBrowser = hasBrowser ? describe : describe.skip

/** One browser that keeps what it was told: each test goes on where the one before it ended. */
describeInBrowser('the page at /graphql', () => {
  let office: TestOffice
  let browser: Browser
  let tab: Tab
  let page: Page
  let conversation: string
  beforeAll(async () => {
    office = await startOffice()
    conversation = await office.arrive('Carl', 'I would like to buy a boat.')
    browser = await launch()
    tab = await openTab(browser, { url: `${office.url}/graphql` })
    page = tab.page
  })
  afterAll(async () => {
    await browser?.close()
    await office?.close()
  })

  const open = async (name: string): Promise<void> => {
    await page.locator('app-window-switcher-item').filter({ hasText: name }).click()
    await page.locator('.window-switcher__item--active').filter({ hasText: name }).waitFor()
  }
  const editor = (): Locator => page.locator('app-query-editor .cm-content:visible').first()
  const result = (): Locator => page.locator('app-query-result:visible')
  const write = async (text: string): Promise<void> => {
    await editor().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text)
  }
  const send = () => page.getByText('Send Request').filter({ visible: true }).click()

  it('opens with its first tab and the schema, without an error', async () => {
    await page.locator('.window-switcher__item--active').filter({ hasText: 'Sign in' }).waitFor()
    await page.locator('app-window-switcher-item').nth(4).waitFor()
    expect(await page.locator('app-window-switcher-item').allInnerTexts()).toEqual(
      ['Sign in', 'Me', 'The queue, live', 'A conversation, live', 'Send'].map((name) => expect.stringContaining(name)),
    )
    await editor().filter({ hasText: 'createToken' }).waitFor()
    await page.getByText('Docs', { exact: true }).filter({ visible: true }).click()
    await page.locator('app-doc-viewer').getByText('Mutation').first().waitFor()
    await page.getByText('Docs', { exact: true }).filter({ visible: true }).click()
    expect(await page.locator('.toast-error').allInnerTexts()).toEqual([])
  })

  it('signs in, and all tabs are signed in', async () => {
    await write(
      `mutation SignIn { createToken(email: "${office.ann.email}", password: "${PASSWORD}") { token expiresAt } }`,
    )
    await send()
    await result().getByText('expiresAt').first().waitFor()
    await open('Me')
    await send()
    await result().getByText('Ann de Vries').first().waitFor()
    expect(await result().innerText()).not.toContain('UNAUTHENTICATED')
  })

  it('completes input by the schema', async () => {
    await write('query Me { me { dis')
    // The key does nothing before this tab has its schema.
    const offered = await eventually(
      async () => {
        await page.keyboard.press('Control+Space')
        return page.locator('.cm-tooltip-autocomplete').allInnerTexts()
      },
      (texts) => texts.join().includes('displayName'),
    )
    expect(offered).toHaveLength(1)
    await page.keyboard.press('Escape')
  })

  it('shows the queue and a conversation live, and what is sent in it', async () => {
    await open('The queue, live')
    await send()
    await page.getByText('I would like to buy a boat.').first().waitFor()
    await open('A conversation, live')
    await editor().filter({ hasText: 'id: ""' }).waitFor()
    await write(
      (await editor().innerText()).replace(/.*Send subscription.*\n/, '').replace('id: ""', `id: "${conversation}"`),
    )
    await send()
    await page.getByText('ConversationSnapshot').first().waitFor()
    await open('Send')
    await write(
      `mutation Send { sendMessage(conversation: "${conversation}", message: { type: CHAT, role: AGENT, text: "Sail or motor?" }) { position } }`,
    )
    await send()
    await result().getByText('position').first().waitFor()
    await open('A conversation, live')
    await page.getByText('Sail or motor?').first().waitFor()
    await page.getByText('MessageAdded').first().waitFor()
    expect(await page.getByText('Sail or motor?').count()).toBeGreaterThan(0)
  })

  it('logs no error', () => {
    expect(tab.faults).toEqual([])
  })
})

describeInBrowser('the page at /', () => {
  it('leads to the console, to GraphQL, to the pages of /v2 and to the health of the server', async () => {
    const office = await startOffice()
    const browser = await launch()
    try {
      const { page, faults } = await openTab(browser, { url: office.url })
      const links = await page.locator('a').evaluateAll((all) => all.map((each) => each.getAttribute('href')!))
      expect(links).toEqual(expect.arrayContaining(['/console', '/graphql', '/v2/docs', '/healthz']))
      // The pages of the documentation are made by npm run build: test/docs-site.test.ts.
      for (const link of links.filter((each) => each !== '/docs/')) {
        const { status } = await fetch(new URL(link, office.url), { headers: { accept: 'text/html' } })
        expect([link, status]).toEqual([link, 200])
      }
      expect(faults).toEqual([])
    } finally {
      await browser.close()
      await office.close()
    }
  })
})
