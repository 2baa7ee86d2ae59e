import { expect, it } from '@jest/globals'
import { eventually, keptRows } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('a draft', (world) => {
  async function repliesTo(id: string): Promise<string[]> {
    const rows = await world.office.server.database.query<{ text: string }>(
      "select text from message where conversation_id = $1 and role = 'agent' order by position",
      [id],
    )
    return rows.map(({ text }) => text)
  }

  it('that is typed without a pause is kept when the tab crashes', async () => {
    const id = await world.office.arrive('Crash Test', 'hello')
    const { page, context } = await world.openConsole(world.office.ann, `/c/${id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.pressSequentially('a reply that is typed without any pause', { delay: 40 })
    const session = await context.newCDPSession(page)
    // Keys go on until the tab crashes. Meanwhile what was due to be written is, and it is on the disk.
    const more = reply.pressSequentially(' and so on'.repeat(50), { delay: 40 }).catch(() => undefined)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    await keptRows(page, ['drafts'])
    void session.send('Page.crash').catch(() => undefined)
    await new Promise((resolve) => page.once('crash', resolve))
    await more
    const again = await context.newPage()
    await again.goto(page.url())
    const draft = async () => await again.getByRole('textbox', { name: 'Reply' }).inputValue()
    await eventually(async () => (await draft()) !== '')
    // The last keys may be lost.
    expect(await draft()).toMatch(/^a reply that is typed without any/)
  })

  it('stands before the keys that are pressed while it has not come yet, and all of it is kept', async () => {
    const id = await world.office.arrive('Early Keys', 'hello')
    const { page, context } = await world.openConsole(world.office.ann, `/c/${id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('kept, ')
    await page.locator('.draft-word').waitFor()
    // It is shown a moment before it is written down.
    await eventually(async () => (await keptRows(page, ['drafts'])).length > 0)
    // What the browser keeps is opened late.
    await page.addInitScript(`
      const { importKey } = SubtleCrypto.prototype
      const opened = new Promise((resolve) => { globalThis.letOpen = resolve })
      SubtleCrypto.prototype.importKey = async function (...given) {
        await opened
        return importKey.apply(this, given)
      }`)
    await page.reload()
    await reply.pressSequentially('then typed')
    expect(await reply.inputValue()).toBe('then typed')
    await page.evaluate('letOpen()')
    await eventually(async () => (await reply.inputValue()) === 'kept, then typed')
    const second = await context.newPage()
    await second.goto(page.url())
    const other = second.getByRole('textbox', { name: 'Reply' })
    await eventually(async () => (await other.inputValue()) === 'kept, then typed')
  })

  it('that is sent in two tabs in the same moment goes out once, and once more when it is written again', async () => {
    const id = await world.office.arrive('Two Tabs', 'hello')
    const first = await world.openConsole(world.office.ann, `/c/${id}`)
    const second = await world.open(first.page.url(), { context: first.context })
    const pages = [first.page, second.page]
    const boxes = pages.map((page) => page.getByRole('textbox', { name: 'Reply' }))
    await boxes[0]!.fill('one draft')
    await eventually(async () => (await boxes[1]!.inputValue()) === 'one draft')
    // Both press the keys before either hears of the other.
    const at = Date.now() + 2_000
    const send = `document.querySelector('form.composer').requestSubmit()`
    for (const page of pages) await page.evaluate(`void setTimeout(() => ${send}, ${at} - Date.now())`)
    await eventually(async () => (await repliesTo(id)).length > 0)
    for (const box of boxes) await eventually(async () => (await box.inputValue()) === '')
    // Both outboxes are empty: whatever was to come has come.
    for (const page of pages) await eventually(async () => (await page.locator('.bub.waits').count()) === 0)
    await boxes[1]!.fill('one draft')
    await boxes[1]!.press('Control+Enter')
    await eventually(async () => (await repliesTo(id)).length > 1)
    expect(await repliesTo(id)).toEqual(['one draft', 'one draft'])
  })

  it('that is sent in two tabs goes out once, though one of them has heard of it from the server only', async () => {
    const id = await world.office.arrive('Deaf Tab', 'hello')
    const first = await world.openConsole(world.office.ann, `/c/${id}`)
    const second = await world.open(first.page.url(), { context: first.context })
    const reply = ({ page }: typeof first) => page.getByRole('textbox', { name: 'Reply' })
    // The tab that writes is slow: the server's answers and the other tab's words come late.
    await first.page.addInitScript(`
      const { addEventListener } = EventTarget.prototype
      const heard = new Promise((resolve) => { globalThis.letHear = resolve })
      BroadcastChannel.prototype.addEventListener = function (type, hear) {
        const later = (event) => void heard.then(() => hear(event))
        addEventListener.call(this, type, this.name === 'switchboard drafts' ? later : hear)
      }`)
    await first.page.reload()
    const answers = Promise.withResolvers<void>()
    await first.page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('SaveDraft')) return route.continue()
      const response = await route.fetch()
      await answers.promise
      await route.fulfill({ response })
    })
    await reply(first).fill('one draft')
    await second.page.getByText('Draft saved').waitFor()
    for (const tab of [second, first]) {
      expect(await reply(tab).inputValue()).toBe('one draft')
      await reply(tab).press('Control+Enter')
    }
    await first.page.evaluate('letHear()')
    answers.resolve()
    await eventually(async () => (await repliesTo(id)).length > 0)
    for (const { page } of [first, second])
      await eventually(async () => (await page.locator('.bub.waits').count()) === 0)
    expect(await repliesTo(id)).toEqual(['one draft'])
  })

  it('that was sent says that it waits while nothing is answered, though the socket is open', async () => {
    const id = await world.office.arrive('No Answer', 'hello')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    // Nothing is sent before the conversation has come.
    await page.getByRole('log').getByText('hello').waitFor()
    await page.route('**/graphql', (route) => route.abort())
    for (const text of ['one', 'two']) {
      await reply.fill(text)
      await reply.press('Control+Enter')
    }
    await page.getByText('Waits for the connection, 2 of 2').waitFor()
    await page.locator('.rail .live .good').waitFor()
    await page.unroute('**/graphql')
    await page.getByText('Waits for the connection').first().waitFor({ state: 'detached' })
    // The second one is sent after the first one was answered.
    await eventually(async () => (await repliesTo(id)).length > 1)
    expect(await repliesTo(id)).toEqual(['one', 'two'])
  })
})
