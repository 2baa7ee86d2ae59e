import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

const ARRIVALS = 170
/** Messages in the document at the end of a conversation, however many came while it was open. */
const DRAWN_MAX = 151

describeInBrowser('a long conversation in the console', (world) => {
  const bubbles = (page: Page) => page.getByRole('log').locator('.bub')
  /** Measures where a message is on the screen. */
  const topOf = (page: Page, text: string): Promise<number> =>
    page
      .getByRole('log')
      .getByText(text, { exact: true })
      .evaluate((element) =>
        Math.round((element as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top),
      )
  /** As soon as it stays there for twenty frames: what was drawn above it is laid out by then. */
  const restingTopOf = async (page: Page, text: string): Promise<number> => {
    let top = NaN
    await eventually(async () => {
      const last = await topOf(page, text)
      await page.evaluate(`new Promise((resolve) => {
        let frames = 20
        const next = () => (frames-- > 0 ? requestAnimationFrame(next) : resolve())
        next()
      })`)
      top = await topOf(page, text)
      return top === last
    })
    return top
  }
  const scroll = (page: Page, to: number) => page.evaluate(`document.querySelector('[role=log]').scrollTop = ${to}`)

  it('draws the messages near its end, and more for whoever scrolls back, without moving what is read', async () => {
    const { office } = world
    const id = await office.arrive('Long Story', 'message 0')
    for (let count = 1; count <= 60; count++) await office.say(id, `message ${count}`)
    const { page } = await world.openConsole(office.ann, `/c/${id}`)
    await page.getByRole('log').getByText('message 60', { exact: true }).waitFor()
    const last = 60 + ARRIVALS
    for (let count = 61; count <= last; count++) await office.say(id, `message ${count}`)
    await page.getByRole('log').getByText(`message ${last}`, { exact: true }).waitFor()
    await eventually(async () => (await bubbles(page).count()) < DRAWN_MAX)
    // What has come is drawn again without asking the server; what came before it was opened is asked for.
    const drawsAll = async (): Promise<boolean> => {
      await scroll(page, -100_000)
      return (await page.getByRole('log').getByText('message 11', { exact: true }).count()) === 1
    }
    await eventually(drawsAll)
    await scroll(page, -100_000)
    const before = await restingTopOf(page, 'message 11')
    await page.getByRole('button', { name: 'Load earlier messages' }).click()
    await page.getByRole('log').getByText('message 0', { exact: true }).waitFor()
    // The day and the speaker are said further up now.
    await eventually(async () => Math.abs((await topOf(page, 'message 11')) - before) < 80)
    await eventually(async () => (await bubbles(page).count()) === last + 1)

    await scroll(page, -3_000)
    const read = await page.evaluate<string>(`(() => {
      const log = document.querySelector('[role=log]').getBoundingClientRect()
      return [...document.querySelectorAll('.log .bub')].find((each) => each.getBoundingClientRect().top > log.top + 100).textContent
    })()`)
    const top = await restingTopOf(page, read)
    for (let count = 1; count <= 3; count++) await office.say(id, `news ${count}`)
    const newest = page.getByRole('button', { name: '3 new' })
    await newest.waitFor()
    await eventually(async () => Math.abs((await restingTopOf(page, read)) - top) <= 1)
    await newest.click()
    await page.getByRole('log').getByText('news 3', { exact: true }).waitFor()
    await newest.waitFor({ state: 'detached' })
    await eventually(async () => (await bubbles(page).count()) < DRAWN_MAX)
    expect(await page.evaluate(`document.activeElement.role`)).toBe('log')
  })

  it('says where the messages begin that came while the window was left', async () => {
    const id = await world.office.arrive('Patient Reader', 'read already')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('log').getByText('read already', { exact: true }).waitFor()
    expect(await page.getByText('New messages', { exact: true }).count()).toBe(0)
    await page.evaluate(`window.dispatchEvent(new FocusEvent('blur'))`)
    await world.office.say(id, 'not read yet')
    await page.getByRole('log').getByText('not read yet', { exact: true }).waitFor()
    const words = await page.getByRole('log').innerText()
    expect(words.indexOf('read already')).toBeLessThan(words.indexOf('New messages'))
    expect(words.indexOf('New messages')).toBeLessThan(words.indexOf('not read yet'))
  })
})
