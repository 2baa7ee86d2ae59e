import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, launch, openTab } from './support/browser.js'
import { expectHarmless } from './support/harmless.js'
import { HOSTILE, hostileAt } from './support/hostile-html.js'
import { startOffice, type TestOffice } from './support/office.js'

const describeInBrowser = hasBrowser ? describe : describe.skip

/** The page is of the makers of the client: nothing that somebody else gives to it may do anything. */
describeInBrowser('the page at /graphql, given by somebody else', () => {
  let office: TestOffice
  let browser: Browser
  /** A server of an attacker, who would take whatever comes. */
  let elsewhere: Server
  let attacker: string
  let connections = 0
  beforeAll(async () => {
    elsewhere = createServer((_request, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('{}')
    })
    elsewhere.on('connection', () => (connections += 1))
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    attacker = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    office = await startOffice()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await office?.close()
    elsewhere?.close()
  })

  /** Opens the page, with the requests that left it for another origin. */
  async function open(path: string): Promise<{ page: Page; foreign: string[] }> {
    const { page, context } = await openTab(browser, { url: 'about:blank' })
    const foreign: string[] = []
    // One that the policy refuses ends before it begins.
    const isForeign = (url: string): boolean =>
      !['data:', 'blob:', 'about:'].includes(new URL(url).protocol) && new URL(url).origin !== office.url
    context.on('requestfinished', (request) => isForeign(request.url()) && foreign.push(request.url()))
    context.on('requestfailed', (request) => {
      if (isForeign(request.url()) && request.failure()?.errorText !== 'csp') foreign.push(request.url())
    })
    page.on('dialog', (dialog) => foreign.push(`a dialog: ${dialog.message()}`))
    await page.goto(office.url + path)
    return { page, foreign }
  }
  const tab = (page: Page, name: string) => page.locator('app-window-switcher-item').filter({ hasText: name })
  const editor = (page: Page) => page.locator('app-query-editor .cm-content:visible').first()
  const result = (page: Page) => page.locator('app-query-result:visible')
  const send = (page: Page) => page.getByText('Send Request').filter({ visible: true }).click()
  async function expectNothing(page: Page, foreign: readonly string[]): Promise<void> {
    // Its own scripts have a nonce, and its dialogs are fixed.
    await expectHarmless(page, page.url(), ['script:not([src])', '[style*="fixed"]'])
    expect(foreign).toEqual([])
    expect(connections).toBe(0)
  }

  it('answers a link with a query as an operation, in JSON', async () => {
    const response = await fetch(`${office.url}/graphql?query=${encodeURIComponent(HOSTILE)}`, {
      headers: { accept: 'text/html' },
    })
    expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const { page, foreign } = await open(`/graphql?query=${encodeURIComponent(HOSTILE)}`)
    await expectNothing(page, foreign)
  })

  // The name of the parameter is written so that the server takes the address for that of the page.
  it.each([
    ['of an attacker', (): string => `${attacker}/graphql`],
    ['that is a script', (): string => 'javascript:window.ran=1'],
    ['that is a page', (): string => `data:text/html,${encodeURIComponent(HOSTILE)}`],
  ])('sends a query of its address to no endpoint %s', async (_, endpointOf) => {
    const query = `query Q { me { id } } # ${HOSTILE}`
    const given = { variables: JSON.stringify({ a: hostileAt(attacker) }), endpoint: endpointOf() }
    const { page, foreign } = await open(
      `/graphql?%71uery=${encodeURIComponent(query)}&${new URLSearchParams(given).toString()}#${encodeURIComponent(HOSTILE)}`,
    )
    await tab(page, 'From url').click()
    await editor(page).filter({ hasText: 'onerror' }).waitFor()
    await send(page)
    // It has tried, and says that nothing came of it.
    await result(page)
      .filter({ hasText: /error|failed/i })
      .first()
      .waitFor()
    await expectNothing(page, foreign)
  })

  it('shows hostile data as text, and loads nothing that it names', async () => {
    const { page, foreign } = await open('/graphql')
    const name = hostileAt(attacker)
    await office.arrive(name.slice(0, 200), name)
    const token = await office.tokenFor(office.ann)
    await page.evaluate((kept) => sessionStorage.setItem('switchboard authorization', kept), `Bearer ${token}`)
    for (const window of ['The queue, live', 'Me']) {
      await tab(page, window).click()
      await page.locator('.window-switcher__item--active').filter({ hasText: window }).waitFor()
      if (window === 'Me') {
        await editor(page).click()
        await page.keyboard.press('Control+A')
        await page.keyboard.insertText(
          '{ conversations(first: 5) { nodes { name preview contact { profile { name } } } } }',
        )
      }
      await send(page)
      await page.getByText('onerror=').filter({ visible: true }).first().waitFor()
      // Addresses in an answer may be shown as pictures, or be opened.
      for (const address of await page.getByText(attacker).filter({ visible: true }).all()) await address.hover()
      await expectNothing(page, foreign)
    }
  })
})
