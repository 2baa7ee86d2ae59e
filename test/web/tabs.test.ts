import { expect, it } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'
import { PASSWORD, signIn } from './support/office.js'

/** The database opens, and takes nothing. */
const FULL_DISK = `
  IDBObjectStore.prototype.put = function () {
    this.transaction.abort()
    throw new DOMException('The disk is full', 'QuotaExceededError')
  }`
const NO_DATABASE = `
  IDBFactory.prototype.open = () => { throw new DOMException('Not here', 'InvalidStateError') }`
/** A token is renewed before it is a day old: at once, or the page would have noticed by itself before the key came. */
const SEND_A_DAY_LATER = `(() => {
  const now = Date.now
  Date.now = () => now() + 86_400_000
  const key = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }
  document.querySelector('textarea[aria-label="Reply"]').dispatchEvent(new KeyboardEvent('keydown', key))
})()`

describeInBrowser('several tabs of one browser', (world) => {
  const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
  const live = (page: Page) => page.locator('.rail .live .good')
  const authorsOf = async (text: string): Promise<string[]> => {
    const rows = await world.office.server.database.query<{ author: string }>(
      'select user_id as author from message where text = $1',
      [text],
    )
    return rows.map(({ author }) => author)
  }

  it.each([
    ['takes nothing', FULL_DISK],
    ['cannot be opened', NO_DATABASE],
  ])('send what is written in one whose database %s, once, though another one sends', async (how, breakIt) => {
    const text = `It ${how}`
    const id = await world.office.arrive(`Tab ${how}`, 'a question')
    const { context } = await world.openConsole(world.office.ann)
    const { page } = await world.open('about:blank', { context })
    await page.addInitScript(breakIt)
    await page.goto(`${world.office.url}/console/c/${id}`)
    // Nothing is sent before the conversation has come.
    await page.getByRole('log').getByText('a question').waitFor()
    await reply(page).fill(text)
    await reply(page).press('Control+Enter')
    await page.getByRole('log').getByText(text, { exact: true }).waitFor()
    await eventually(async () => (await authorsOf(text)).length > 0)
    await eventually(async () => (await page.locator('.waits').count()) === 0)
    expect(await authorsOf(text)).toEqual([world.office.ann.id])
  })

  it('never send as another user who has signed in in this browser since', async () => {
    const id = await world.office.arrive('Two Users', 'who are you?')
    const { page, context } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('log').getByText('who are you?').waitFor()
    await reply(page).fill('I am Ann')
    const { url } = world.office
    const data = { email: world.office.bob.email, password: PASSWORD }
    await context.request.post(`${url}/console/session`, { headers: { origin: url }, data })
    await page.evaluate(SEND_A_DAY_LATER)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await authorsOf('I am Ann')).toEqual([])
    await signIn(page, world.office.ann)
    await eventually(async () => (await authorsOf('I am Ann')).length > 0)
    expect(await authorsOf('I am Ann')).toEqual([world.office.ann.id])
  })

  it('sign out once, when the server is back', async () => {
    const first = await world.openConsole(world.office.ann)
    const second = await world.open('/console', { context: first.context })
    await live(second.page).waitFor()
    const ends = countEnds(first.context)
    await first.page.keyboard.press('Control+k')
    await first.page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await first.context.setOffline(true)
    await first.page.keyboard.type('sign out')
    await first.page.keyboard.press('Enter')
    for (const { page } of [first, second]) await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await first.context.setOffline(false)
    // One pays, and is signed in: the other one owes nothing more.
    await signIn(second.page, world.office.ann)
    await signIn(first.page, world.office.ann)
    expect(ends()).toBe(1)
  })
})

/** Counts how often the server ended a session. */
function countEnds(context: BrowserContext): () => number {
  let count = 0
  context.on('response', (response) => {
    if (response.request().method() === 'DELETE' && response.url().endsWith('/console/session')) count += 1
  })
  return () => count
}
