import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { buildPages } from '../support/built-pages.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { hasBrowser, keepScreenshot, launch, openTab } from './support/browser.js'

const describeInBrowser = hasBrowser ? describe : describe.skip

describeInBrowser('pages that take no HTML but as trusted types', () => {
  let app: TestServer
  let browser: Browser
  beforeAll(async () => {
    buildPages()
    app = await startTestServer()
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  it('/docs/: the search finds, shows and opens a section, without a fault', async () => {
    const { page, context, faults } = await openTab(browser, { url: `${app.url}/docs/` })
    await page.getByLabel('Search the pages').fill('EVENT_RETENTION_DAYS')
    const first = page.locator('#found a').first()
    expect(await first.getAttribute('href')).toMatch(/^\.\/docs\/[\w/-]+\.html/)
    await keepScreenshot(page, 'docs-search')
    await first.click()
    await page.waitForURL(/\/docs\/docs\//)
    await page.getByLabel('Search the pages').fill('message travels')
    expect(await page.locator('#found a').first().textContent()).toMatch(/How one message travels/i)
    expect(faults).toEqual([])
    // What is refused here is a fault: the pages that were opened are under the policy.
    const refused = await page.evaluate(`(() => {
      try { document.body.innerHTML = '<p></p>' } catch (error) { return error.name }
    })()`)
    expect(refused).toBe('TypeError')
    await context.close()
  })

  it('/r/: what a link that is over says has its style, without a fault', async () => {
    const { page, context, faults } = await openTab(browser, { url: `${app.url}/r/none` })
    expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('512px')
    expect(faults).toEqual([])
    await context.close()
  })
})
