import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Page, Route } from 'playwright-core'
import { eventually, keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

/** Everything that the page asks the server to change, by the name of the operation. */
function watchCommands(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const name = /"query":"#(\w+)\./.exec(request.postData() ?? '')?.[1]
    if (name && /^(?:Accept|Close|UndoClose|Leave|HandOver|Follow|Unfollow|DeclineOffer)/.test(name))
      asked.push(/"trigger":"shortkey"/.test(request.postData()!) ? `${name} by key` : name)
  })
  return asked
}

/** Answers come late, by as much as the function says. */
async function slow(page: Page, delayMs: () => number): Promise<void> {
  await page.route('**/graphql', async (route: Route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs()))
    await route.continue().catch(() => undefined)
  })
}

/** Closes the dialog that is open as `Esc` does, and presses a key before the browser has told of it. */
const ESCAPE_AND = `(key) => {
  const dialog = document.querySelector('dialog[open]')
  dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  dialog.close()
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}`

/**
 * The time of events stands still while it is told to, so that letters come fast one after the other (`commands/focus-clock.ts`)
 * however slow the machine is.
 */
const STILL_CLOCK = `
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  let stoodAt = null
  globalThis.standStill = (isStill) => void (stoodAt = isStill ? performance.now() : null)
  Object.defineProperty(Event.prototype, 'timeStamp', { get() { return stoodAt ?? get.call(this) } })`

const THIEVES = ['[role=log]', '.rows a', 'body', '.head button']

const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.tagName')

describeInBrowser('focus and keys', (world) => {
  const box = (page: Page, name = 'Reply') => page.getByRole('textbox', { name })

  it('a click on Accept, twice, accepts once and lets what is typed be a reply, however late the answer is', async () => {
    for (const delayMs of [0, 400, 800]) {
      const id = await world.office.arrive(`Late ${delayMs}`, 'is this the right part?')
      const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
      const asked = watchCommands(page)
      await page.getByRole('log').getByText('is this the right part?').waitFor()
      await slow(page, () => delayMs)
      await page.getByRole('button', { name: 'Accept' }).dblclick()
      await page.keyboard.type('Yes, here is what a chef needs')
      expect(await focused(page)).toBe('Reply')
      expect(await box(page).inputValue()).toBe('Yes, here is what a chef needs')
      await page.getByText('Active', { exact: true }).waitFor()
      expect(asked).toEqual(['Accept'])
      expect(await box(page).inputValue()).toBe('Yes, here is what a chef needs')
      await page.context().close()
    }
  }, 180_000)

  it('a conversation of the agent opens with the focus in its composer, before it has come; another one in the log', async () => {
    const own = await world.office.arrive('Own Olaf', 'mine')
    await world.office.gql(world.office.ann, 'mutation ($c: ID!) { acceptConversation(conversation: $c) { id } }', {
      c: own,
    })
    await world.office.arrive('Waiting Wim', 'not mine')
    const { page } = await world.openConsole(world.office.ann, '/mine')
    await page.getByRole('list', { name: 'Mine' }).getByText('mine', { exact: true }).waitFor()
    await page.getByRole('list', { name: 'Mine' }).getByText('Own Olaf').click()
    await page.keyboard.type('at once')
    await page.getByRole('log').getByText('mine', { exact: true }).waitFor()
    expect([await focused(page), await box(page).inputValue()]).toEqual(['Reply', 'at once'])
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Conversation with Own Olaf')
    await page.getByRole('link', { name: 'Queue', exact: true }).click()
    await page.getByRole('list', { name: 'Queue' }).getByText('Waiting Wim').click()
    await page.getByRole('log', { name: 'Conversation with Waiting Wim' }).and(page.locator(':focus')).waitFor()
    await keepScreenshot(page, 'accept-bar')
    await expectAccessible(page)
  }, 120_000)

  it('a letter acts in the list and the log, some time after the last letter of a text, and nowhere else', async () => {
    const id = await world.office.arrive('Keys Karl', 'press')
    const { page } = await world.openConsole(world.office.ann)
    await page.addInitScript(STILL_CLOCK)
    await page.goto(`${world.office.url}/console/c/${id}`)
    const asked = watchCommands(page)
    const log = page.getByRole('log')
    await log.getByText('press').waitFor()
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Accept' }).focus()
    await page.waitForTimeout(700)
    await page.keyboard.press('a')
    expect(asked).toEqual([])
    // Typed on, while something took the focus away.
    await box(page).focus()
    await page.keyboard.type('Yes, ')
    await page.evaluate('standStill(true)')
    await log.focus()
    await page.keyboard.type('a chef a ')
    await page.evaluate('standStill(false)')
    expect(asked).toEqual([])
    await page.waitForTimeout(700)
    await page.keyboard.press('a')
    await page.getByText('Active', { exact: true }).waitFor()
    expect(asked).toEqual(['Accept by key'])
    await box(page).and(page.locator(':focus')).waitFor()
    // What moves the focus by a key is meant, at once, also just after the last letter of a text.
    await page.keyboard.type('Yes')
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await box(page, 'Note').and(page.locator(':focus')).waitFor()
  }, 120_000)

  it('no letter that is meant as text runs a command, whatever is clicked, however slow the answers are', async () => {
    const { page } = await world.openConsole(world.office.bob)
    await page.addInitScript(STILL_CLOCK)
    const asked = watchCommands(page)
    let delayMs = 0
    await slow(page, () => delayMs)
    const text = fc.string({ unit: fc.constantFrom(...'aehnrjkgqmylzx? '), minLength: 1, maxLength: 8 })
    const act = fc.oneof(
      fc.record({ is: fc.constant('type' as const), text }),
      fc.record({ is: fc.constant('accept' as const) }),
      fc.record({ is: fc.constant('open' as const) }),
      // Something takes the focus while the agent types on.
      fc.record({ is: fc.constant('steal' as const), from: fc.constantFrom(...THIEVES), text }),
      fc.record({ is: fc.constant('slow' as const), ms: fc.integer({ min: 0, max: 800 }) }),
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 16 }), async (acts) => {
        const name = `Random ${++count}`
        const id = await world.office.arrive(name, 'hello')
        await page.goto(`${world.office.url}/console/c/${id}`)
        await page.getByRole('log').getByText('hello').waitFor()
        await box(page).click()
        asked.length = 0
        for (const each of acts) {
          const isOwn = (await page.getByRole('button', { name: 'Accept' }).count()) === 0
          if (each.is === 'type') await page.keyboard.type(each.text)
          else if (each.is === 'slow') delayMs = each.ms
          else if (each.is === 'steal') {
            await box(page).focus()
            await page.keyboard.type('e')
            await page.evaluate('standStill(true)')
            await page.evaluate(`(document.querySelector(${JSON.stringify(each.from)}) ?? document.body).focus()`)
            await page.keyboard.type(each.text)
            await page.evaluate('standStill(false)')
            await box(page).focus()
          } else if (each.is === 'accept' && !isOwn)
            await page
              .getByRole('button', { name: 'Accept' })
              .click({ timeout: 1_000 })
              .catch(() => undefined)
          // One that is not the agent's opens with the focus in its log, where letters are commands.
          else if (each.is === 'open' && isOwn) {
            const row = page.locator(`.row[data-id="${id}"] a`)
            if ((await row.count()) > 0) await row.click({ timeout: 1_000 }).catch(() => undefined)
          }
        }
        delayMs = 0
        // What was clicked is accepted once; nothing else was asked for.
        expect(asked.filter((each) => each !== 'Accept')).toEqual([])
        expect(asked.length).toBeLessThanOrEqual(1)
        expect(await page.locator('dialog[open]').count()).toBe(0)
      }),
      { numRuns: Number(process.env.FOCUS_RUNS ?? 8), endOnFailure: true },
    )
  }, 600_000)

  it('keeps the letters that are typed between a click and the answer, of a note too', async () => {
    const id = await world.office.arrive('Note Nora', 'hello')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('log').getByText('hello').waitFor()
    await slow(page, () => 300)
    await box(page).click()
    await page.getByText('Note', { exact: true }).click()
    await box(page, 'Note').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('a note on engines')
    expect(await box(page, 'Note').inputValue()).toBe('a note on engines')
    await page.keyboard.press('Enter')
    await eventually(async () => (await page.getByRole('log').getByText('a note on engines').count()) > 0)
  }, 120_000)

  it('opens the next dialog by a key that comes at once after the `Esc` of one, and it stays', async () => {
    const id = await world.office.arrive('Hasty', 'one dialog after the other')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await box(page).press('Escape')
    const dialog = (name: string) => page.getByRole('dialog', { name })
    const next = async (key: string, name: string): Promise<void> => {
      await page.evaluate(`(${ESCAPE_AND})('${key}')`)
      await dialog(name).waitFor()
      // By then the browser has told of the one that was closed.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
      expect(await page.getByRole('dialog').count()).toBe(1)
    }
    await page.keyboard.press('Control+k')
    await dialog('Command palette').waitFor()
    await next('?', 'Keys')
    await next('h', 'Hand over')
    await next('z', 'Snooze')
    await next('l', 'Label')
  })
  it('goes to pages by two letters, and to the filters of a list by one', async () => {
    await world.office.arrive('Filtered', 'is anybody there?')
    const { page } = await world.openConsole(world.office.ann)
    const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true })
    const toQueue = async (): Promise<void> => {
      await page.getByRole('link', { name: 'Queue', exact: true }).click()
      await heading('Queue').waitFor()
      await page.getByRole('list', { name: 'Queue' }).getByText('Filtered').waitFor()
    }
    for (const [letter, place] of [
      ['c', 'contacts'],
      ['r', 'reports'],
    ] as const) {
      await toQueue()
      await pressKeys(page, 'list', 'g', letter)
      await page.waitForURL(`**/console/${place}`)
    }
    await toQueue()
    await pressKeys(page, 'list', 'f')
    await heading('Waiting').waitFor()
    await page.getByRole('combobox', { name: 'State' }).and(page.locator(':focus')).waitFor()
    expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('waiting')
  })
})
