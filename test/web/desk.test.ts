import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { signIn } from './support/office.js'

/** All that the browser keeps of what was typed, as whoever opens its tools sees it. */
const KEPT = `new Promise((resolve, reject) => {
  const request = indexedDB.open('switchboard')
  request.onerror = () => reject(request.error)
  request.onsuccess = async () => {
    const tables = ['drafts', 'outbox'].map((table) => new Promise((done) => {
      const all = request.result.transaction(table).objectStore(table).getAll()
      all.onsuccess = () => done(all.result)
    }))
    const rows = (await Promise.all(tables)).flat()
    request.result.close()
    resolve(rows.map((row) => Object.values(row).map((value) =>
      typeof value === 'object' ? new TextDecoder().decode(value) : String(value)).join(' ')))
  }
})`

describeInBrowser('at the desk', (world) => {
  const rowOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: name })
  const kept = (page: Page): Promise<string[]> => page.evaluate(KEPT)

  it('a click on the text of a row opens the thread, as one on the row does', async () => {
    await world.office.arrive('Clickable Carl', 'click on this very text')
    const { page } = await world.openConsole(world.office.ann)
    await page.getByText('click on this very text').click()
    await page.waitForURL(/\/c\//)
    await page.getByRole('log').getByText('click on this very text').waitFor()
    await page
      .locator('.row[data-on]')
      .getByRole('link', { name: /^Clickable Carl/ })
      .waitFor()
    await page.getByRole('link', { name: 'Queue', exact: true }).click()
    await page.waitForURL(/\/queue$/)
    await rowOf(page, 'Clickable Carl').getByText('Clickable Carl').click()
    await page.waitForURL(/\/c\//)
    await page.getByRole('log').getByText('click on this very text').waitFor()
    await expectAccessible(page)
  }, 180_000)

  it('a conversation that cannot be closed says why', async () => {
    const id = await world.office.arrive('Unanswered Una', 'nobody answers')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('log').getByText('nobody answers').waitFor()
    await page.keyboard.press('e')
    await page.getByText('Only somebody in the conversation can close it: accept it first.').waitFor()
    await page.keyboard.press('a')
    await page.getByText('Active', { exact: true }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('alert').getByText('It is not closed: its last message has no answer').waitFor()
    await page.getByText('Waiting', { exact: true }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'not-closed')
  }, 180_000)

  it('a reload stays in the list from which a conversation was opened', async () => {
    const id = await world.office.arrive('Mine Minna', 'take me')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Mine', exact: true }).click()
    await page.getByRole('list', { name: 'Mine' }).getByText('take me').click()
    await page.getByRole('log').getByText('take me').waitFor()
    await page.reload()
    await page.getByRole('list', { name: 'Mine' }).getByText('take me').waitFor()
    expect(await page.getByRole('link', { name: 'Mine', exact: true }).getAttribute('aria-current')).toBe('page')
  }, 180_000)

  it('an address that names nothing says so, and every page of the navigation is one', async () => {
    const { page } = await world.openConsole(world.office.owner)
    for (const path of ['nowhere', 'queue/nowhere', 'admin/nowhere']) {
      await page.goto(`${world.office.url}/console/${path}`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    }
    await expectAccessible(page)
    await keepScreenshot(page, 'no-page')
    for (const path of ['', 'queue', 'mine', 'inbox', 'search', 'settings', 'admin', 'reports']) {
      const answer = await page.goto(`${world.office.url}/console/${path}`)
      expect([path, answer!.status()]).toEqual([path, 200])
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(await page.getByText('There is no such page').count()).toBe(0)
    }
  }, 180_000)

  it('what an agent leaves in the browser is there at the next sign-in, and nobody else can read it', async () => {
    const id = await world.office.arrive('Discreet Dora', 'between us')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    // Not to the server: what it has, it keeps for the agent anyway.
    await page.route('**/graphql', (route) =>
      /saveDraft/.test(route.request().postData() ?? '') ? route.abort() : route.continue(),
    )
    await reply.fill('a secret of Ann')
    await eventually(async () => (await kept(page)).length > 0)
    await eventually(async () => !(await kept(page)).some((row) => row.includes('secret')))
    await page.goto(`${world.office.url}/console/settings`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(page, world.office.bob)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await page.getByRole('log').getByText('between us').waitFor()
    expect(await reply.inputValue()).toBe('')
    expect(await kept(page)).toEqual([expect.not.stringContaining('secret')])
    await page.goto(`${world.office.url}/console/settings`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, world.office.ann)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await eventually(async () => (await reply.inputValue()) === 'a secret of Ann')
  }, 180_000)

  it('goes on in another tab when the one that owns the socket crashes', async () => {
    const first = await world.openConsole(world.office.bob)
    const second = await world.open('/console/queue', { context: first.context })
    await second.page.getByText('Live', { exact: true }).waitFor()
    await world.office.arrive('Before Crash', 'to both')
    await rowOf(second.page, 'Before Crash').waitFor()
    const crashed = new Promise((resolve) => first.page.once('crash', resolve))
    const cdp = await first.context.newCDPSession(first.page)
    void cdp.send('Page.crash').catch(() => undefined)
    await crashed
    await second.page.bringToFront()
    await world.office.arrive('After Crash', 'to the one that is left')
    await rowOf(second.page, 'After Crash').waitFor({ timeout: 40_000 })
    await second.page.getByText('Live', { exact: true }).waitFor()
    expect(await rowOf(second.page, 'Before Crash').count()).toBe(1)
  }, 180_000)
})
