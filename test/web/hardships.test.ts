import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { signIn } from './support/office.js'

/** A disk that is full: the database opens, and takes nothing. */
const FULL_DISK = `
  IDBObjectStore.prototype.put = function () {
    this.transaction.abort()
    throw new DOMException('The disk is full', 'QuotaExceededError')
  }`
/** A clock that is a day and three hours ahead. */
const WRONG_CLOCK = `
  const Right = Date
  globalThis.Date = class extends Right {
    constructor(...given) { super(...(given.length > 0 ? given : [Right.now() + 97_200_000])) }
    static now() { return Right.now() + 97_200_000 }
  }`

/** Shortens the pauses between pings, and for their answers, to a tenth. */
const QUICK_PINGS = `
  const { setTimeout } = globalThis
  globalThis.setTimeout = (run, ms, ...given) => setTimeout(run, ms === 15_000 || ms === 10_000 ? ms / 10 : ms, ...given)`

describeInBrowser('the console in bad circumstances', (world) => {
  const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
  const log = (page: Page) => page.getByRole('log')

  it('catches up without a hole after its tab was frozen', async () => {
    const id = await world.office.arrive('Frosty', 'before 0')
    const { page, context } = await world.open('about:blank')
    await page.addInitScript(QUICK_PINGS)
    await page.goto(`${world.office.url}/console`)
    await signIn(page, world.office.ann)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await log(page).getByText('before 0').waitFor()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
    for (let count = 1; count <= 20; count++) await world.office.say(id, `while frozen ${count}`)
    // Longer than a page waits for a ping, and for its answer: both are due when it goes on. Nothing tells of time passing.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await cdp.send('Page.setWebLifecycleState', { state: 'active' })
    await log(page).getByText('while frozen 20', { exact: true }).waitFor()
    const texts = await log(page).locator('.bub').allTextContents()
    expect(texts).toEqual(['before 0', ...Array.from({ length: 20 }, (_, index) => `while frozen ${index + 1}`)])
    await page.locator('.rail .live .good').waitFor()
  })

  it('leaves no hole between what was scrolled back to and a state that is fetched anew', async () => {
    const { office } = world
    const id = await office.arrive('Gap', 'message 0')
    for (let count = 1; count <= 120; count++) await office.say(id, `message ${count}`)
    const { page } = await world.open('about:blank')
    let isCut = false
    await page.routeWebSocket('**/graphql', (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (!isCut || !String(message).includes('"MessageAdded"')) socket.send(message)
      })
    })
    await page.goto(`${office.url}/console`)
    await signIn(page, office.ann)
    await page.goto(`${office.url}/console/c/${id}`)
    await log(page).getByText('message 120', { exact: true }).waitFor()
    const earlier = page.getByRole('button', { name: 'Load earlier messages' })
    const numbers = async (): Promise<number[]> =>
      (await log(page).locator('.bub').allTextContents()).map((text) => Number(text.replace('message ', '')))
    await earlier.click()
    await eventually(async () => (await numbers())[0]! <= 21)
    isCut = true
    for (let count = 121; count <= 180; count++) await office.say(id, `message ${count}`)
    isCut = false
    await office.say(id, 'message 181')
    await eventually(async () => (await numbers()).at(-1) === 181)
    const isWhole = async (): Promise<boolean> => {
      const shown = await numbers()
      return shown.every((number, index) => number === shown[0]! + index)
    }
    expect(await isWhole()).toBe(true)
    await eventually(async () => {
      expect(await isWhole()).toBe(true)
      if ((await numbers())[0] === 0) return true
      // It may go at any time: with the last of them.
      await earlier.evaluateAll((all) =>
        all.forEach((each) => {
          each.focus()
          each.click()
        }),
      )
      return false
    })
    await earlier.waitFor({ state: 'detached' })
    await log(page).and(page.locator(':focus')).waitFor()
  })

  it('keeps what was typed when the session is revoked, and continues after the next sign-in', async () => {
    const id = await world.office.arrive('Patient', 'are you still there?')
    const { page } = await world.openConsole(world.office.bob, `/c/${id}`)
    await reply(page).fill('half an answer')
    await world.office.gql(
      world.office.owner,
      'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }',
      { id: world.office.bob.id, patch: { password: 'a password for tests' } },
    )
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(page, world.office.bob)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await eventually(async () => (await reply(page).inputValue()) !== '')
    expect(await reply(page).inputValue()).toBe('half an answer')
  })

  it('sends what is typed although the disk is full, and says that nothing is kept', async () => {
    const id = await world.office.arrive('Disk', 'a question')
    const { page } = await world.openConsole(world.office.ann)
    await page.addInitScript(FULL_DISK)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await reply(page).fill('an answer')
    await page
      .getByText('Draft not kept: this browser stores nothing')
      .or(page.getByText('Draft saved'))
      .first()
      .waitFor()
    await reply(page).press('Control+Enter')
    await log(page).getByText('an answer').waitFor()
    await eventually(async () => (await page.locator('.waits').count()) === 0)
    // One alone; it may have left the outbox before its event came.
    await log(page).getByText('an answer', { exact: true }).waitFor()
    expect(await log(page).getByText('an answer', { exact: true }).count()).toBe(1)
  })

  it('tells how long somebody waits by the time of the server, whatever the clock of the computer says', async () => {
    const { page } = await world.open('about:blank')
    await page.addInitScript(WRONG_CLOCK)
    await page.goto(`${world.office.url}/console`)
    await signIn(page, world.office.ann)
    await world.office.arrive('Punctual', 'I came just now')
    const row = page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: 'Punctual' })
    await row.getByText('waiting now', { exact: true }).waitFor()
    await row.click()
    await reply(page).fill('And are answered now')
    await reply(page).press('Control+Enter')
    await log(page).getByText('And are answered now').waitFor()
    await eventually(async () => (await page.locator('.waits').count()) === 0)
    expect(await page.locator('.bub.fail').count()).toBe(0)
  })

  it('is accessible in every dialog, in the dark as well, and writes from right to left', async () => {
    const id = await world.office.arrive('أحمد بن عبد الرحمن', 'هل يوجد رصيف متاح؟')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`, { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    const direction = "getComputedStyle(document.querySelector('[role=log] .bub')).direction"
    expect(await page.evaluate(direction)).toBe('rtl')
    await page.locator('body').press('Escape')
    for (const [key, name] of [
      ['Control+k', 'Command palette'],
      ['?', 'Keys'],
      ['h', 'Hand over'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name }).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, `dialog-${name.toLowerCase().replace(' ', '-')}-dark`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name }).waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: /^Why (me|here)\?$/ }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
  })
})
