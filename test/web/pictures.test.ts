import { mkdirSync, statSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { AcceptConversationDocument } from '@switchboard/client/documents'
import type { Page } from 'playwright-core'
import { createOffice, type Office } from '../../examples/seed/office.js'
import { untilPasses } from '../support/until.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

/** The pictures of the README, of the office that `npm run seed` makes: `npm run pictures` takes them anew. */
const FOLDER = 'docs/pictures'
const BYTES_MAX = 150_000

describeInBrowser('the screens that the README shows', (world) => {
  let office: Office
  const options = { viewport: { width: 1440, height: 860 }, colorScheme: 'light' } as const

  const openAs = async (role: string, path: string): Promise<Page> => {
    office ??= await createOffice(world.office.url, { email: 'owner@example.com', password: 'correct horse battery' })
    const { page } = await world.open('/console', options)
    const { email } = office.accounts.find((account) => account.role === role)!
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(office.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.rail .live .good').waitFor()
    await page.goto(`${world.office.url}/console${path}`)
    return page
  }
  const take = async (page: Page, name: string): Promise<void> => {
    await expectAccessible(page)
    if (process.env.PICTURES !== 'write') return keepScreenshot(page, name)
    mkdirSync(FOLDER, { recursive: true })
    await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' })
  }

  it('are a conversation beside the queue, the rules with what they found, and the wallboard', async () => {
    const queue = await openAs('agent', '/queue')
    // This machine may have no font for it.
    const japanese = await queue.locator('a[href*="/console/c/"]', { hasText: 'HB-' }).getAttribute('href')
    await office.accounts[1]!.client.request(AcceptConversationDocument, { conversation: japanese!.split('/').pop()! })
    await queue.getByRole('main').getByText('5 waiting').waitFor()
    await queue.locator('a[href*="/console/c/"]', { hasText: 'crack in the keel' }).click()
    await queue.locator('.turns .body').first().waitFor()
    await take(queue, 'queue')

    const rules = await openAs('admin', '/admin/workflows')
    await rules.getByRole('button', { name: 'Try', exact: true }).click()
    await rules.locator('.cond .was').first().waitFor()
    await take(rules, 'rules')
    // On a narrower screen what tries the rules lies below them, and not over them.
    await rules.setViewportSize({ width: 1200, height: 700 })
    await untilPasses(async () => {
      const above = (await rules.getByText('Higher runs first.').boundingBox())!
      const below = (await rules.getByRole('heading', { name: 'Try it' }).boundingBox())!
      expect(below.y).toBeGreaterThan(above.y + above.height)
    })

    const wallboard = await openAs('admin', '/reports/wallboard')
    await wallboard.getByRole('region', { name: 'Channels' }).getByRole('rowheader').first().waitFor()
    await take(wallboard, 'wallboard')
  })

  it('are small enough for a page', () => {
    const sizes = ['queue', 'rules', 'wallboard'].map((name) => statSync(`${FOLDER}/${name}.png`).size)
    expect(Math.max(...sizes)).toBeLessThan(BYTES_MAX)
  })
})
