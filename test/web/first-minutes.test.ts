import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { buildWeb, hasBrowser, keepScreenshot, launch, openTab } from './support/browser.js'
import { expectAccessible } from './support/in-browser.js'
import { widgetOf } from './support/widget.js'

const withBrowser = hasBrowser ? describe : describe.skip

withBrowser("a person's first ten minutes", () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    buildWeb()
    server = await startTestServer()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it.each(['light', 'dark'] as const)(
    'lead from the first sign-in to an answer in the demo, %s',
    async (colorScheme) => {
      const { page, context, faults } = await openTab(browser, { url: `${server.url}/console`, colorScheme })
      const keep = (shown: Page, name: string) => keepScreenshot(shown, `first-${name}-${colorScheme}`)
      await keep(page, '1-sign-in')
      await page.getByRole('textbox', { name: 'Email' }).fill('owner@example.com')
      await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.locator('.rail .live .good').waitFor()
      await page.waitForTimeout(400)
      await keep(page, '2-signed-in')
      // Nothing is there yet the first time, and the empty queue leads on.
      await page.getByRole('link', { name: colorScheme === 'light' ? 'First steps' : 'Admin' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Add a channel' }).or(page.getByText('Channels')).first().waitFor()
      await keep(page, '3-guide')
      await expectAccessible(page)
      const dialog = page.getByRole('dialog')
      const save = async (): Promise<void> => {
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await page.getByRole('link', { name: 'Add a channel' }).click()
      await page.getByRole('button', { name: 'Channel', exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill(`Front desk ${colorScheme}`)
      await keep(page, '4-channel')
      await save()
      await page.getByRole('link', { name: 'First steps' }).click()
      await page.getByRole('link', { name: 'Copy the code' }).click()
      await page.getByRole('button', { name: 'Service', exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill(`Our site ${colorScheme}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByRole('textbox', { name: 'Greeting' }).fill('Ahoy. Ask us anything.')
      await keep(page, '5-service')
      await save()
      const [demo] = await Promise.all([
        context.waitForEvent('page'),
        page
          .getByRole('region', { name: `The code for your site: Our site ${colorScheme}` })
          .getByRole('link', { name: 'Open the demo page' })
          .click(),
      ])
      await keep(page, '6-line')
      const widget = widgetOf(demo)
      await widget.open()
      await widget.say(`Is anybody there? ${colorScheme}`)
      await page.getByRole('link', { name: 'Queue', exact: true }).click()
      const row = page
        .getByRole('list', { name: 'Queue' })
        .getByRole('listitem')
        .filter({ hasText: `Is anybody there? ${colorScheme}` })
      await row.waitFor()
      await keep(page, '7-queue')
      await row.click()
      await page.getByRole('button', { name: 'Accept' }).click()
      await page.getByRole('textbox', { name: 'Reply' }).fill('I am. What can I do for you?')
      await page.getByRole('button', { name: 'Send' }).click()
      await widget.log.getByText('I am. What can I do for you?').waitFor()
      await keep(demo, '8-demo')
      await keep(page, '9-thread')
      await page.getByRole('link', { name: 'Admin' }).click()
      await page.getByText(/\d of 5 done/).waitFor()
      await keep(page, '10-guide')
      expect(faults).toEqual([])
      await context.close()
    },
  )
})
