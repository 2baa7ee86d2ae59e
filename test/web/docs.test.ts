import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { hasBrowser, keepScreenshot, launch, openTab } from './support/browser.js'

const describeInBrowser = hasBrowser ? describe : describe.skip
const PASSWORD = 'the admin of the center'

describeInBrowser('the page /v2/docs', () => {
  let app: TestServer
  let browser: Browser
  beforeAll(async () => {
    app = await startTestServer({ PUBLIC_URL: 'https://chat.example' })
    const organization = await app.makeOrganization({ name: 'Harbour' })
    await app.makeUser({ organization, role: 'admin', email: 'ann@example.com', password: PASSWORD })
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  const open = (viewport?: { width: number; height: number }) =>
    openTab(browser, { url: `${app.url}/v2/docs`, viewport })

  it('loads without an error or requests to other servers, and searches', async () => {
    const { page, context, faults } = await openTab(browser, { url: 'about:blank' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${app.url}/v2/docs`)
    await keepScreenshot(page, 'docs')
    const shown = () => page.locator('main details[data-search]:visible code').first().textContent()
    expect(await shown()).toBe('/v2/auth/token')
    await page.getByLabel('Search').fill('channel MEMBERS remove')
    expect(await page.locator('main details[data-search]:visible').count()).toBe(1)
    expect(await shown()).toBe('/v2/channels/{id}/members/{user}')
    expect(await page.locator('nav div[data-group]:visible').count()).toBe(1)
    await page.getByLabel('Search').fill('')
    expect(await page.locator('main details[data-search]:visible').count()).toBeGreaterThan(80)
    expect(asked.filter((url) => new URL(url).pathname !== '/favicon.ico')).toEqual([`${app.url}/v2/docs`])
    expect(faults).toEqual([])
    await context.close()
  })

  it('signs in, sends a request, and shows its response and the error of another', async () => {
    const { page, context, faults } = await open()
    const callOf = (operation: string) => page.locator(`form[data-operation="${operation}"]`)
    const answerOf = async (operation: string): Promise<string> => {
      const output = callOf(operation).locator('output')
      await output.filter({ hasText: /^\d{3} / }).waitFor()
      return (await output.textContent()) ?? ''
    }
    await page.locator('nav a[href="#createToken"]').click()
    const credentials = JSON.stringify({ email: 'ann@example.com', password: PASSWORD })
    await callOf('createToken').getByLabel('body').fill(credentials)
    await callOf('createToken').getByRole('button').click()
    expect(await answerOf('createToken')).toMatch(/^201 /)
    await page.locator('nav a[href="#createChannel"]').click()
    await callOf('createChannel').getByRole('button').click()
    expect(await answerOf('createChannel')).toMatch(/^201 [\s\S]*"name": "Sales"/)
    await page.locator('nav a[href="#listChannels"]').click()
    await callOf('listChannels').getByLabel('query').fill('nothing=1')
    await callOf('listChannels').getByRole('button').click()
    expect(await answerOf('listChannels')).toMatch(/^400 [\s\S]*"field": "nothing"/)
    await keepScreenshot(page, 'docs-call')
    const sample = await page.locator('#createChannel pre').first().textContent()
    expect(sample).toContain(`curl -X POST "https://chat.example/v2/channels"`)
    expect(sample).toContain('"name":"Sales"')
    expect(faults).toEqual([])
    await context.close()
  })

  it('collapses its navigation on a phone, and is never wider than the screen', async () => {
    const { page, context, faults } = await open({ width: 390, height: 800 })
    const link = page.locator('nav a[href="#listChannels"]')
    expect(await link.isVisible()).toBe(false)
    await page.getByText('Contents', { exact: true }).click()
    await link.click()
    expect(await link.isVisible()).toBe(false)
    expect(await page.locator('#listChannels').isVisible()).toBe(true)
    await keepScreenshot(page, 'docs-phone')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(faults).toEqual([])
    await context.close()
  })
})
