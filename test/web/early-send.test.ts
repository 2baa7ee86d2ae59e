import { expect, it } from '@jest/globals'
import type { Page, WebSocketRoute } from 'playwright-core'
import { eventually, keptRows } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('what is sent before its conversation has come', (world) => {
  const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
  const log = (page: Page) => page.getByRole('log')
  const texts = async (id: string): Promise<string[]> => {
    const { data } = await world.office.gql(
      world.office.owner,
      'query ($id: ID!) { conversation(id: $id) { messages(first: 50) { edges { node { text } } } } }',
      { id },
    )
    return data.conversation.messages.edges.map(({ node }: { node: { text: string } }) => node.text)
  }
  /** It is shown a moment before it is written down, and a page that ends between them keeps it as a draft. */
  const isKept = (page: Page) => eventually(async () => (await keptRows(page, ['outbox'])).length > 0)
  const noneWaits = (page: Page) => eventually(async () => (await page.locator('.waits').count()) === 0)

  /** Holds back all that the socket brings, and the answers to what the page asks, until `let go`. */
  async function hold(page: Page): Promise<() => void> {
    const waiting: (() => void)[] = []
    let isHeld = true
    const whenFree = (act: () => void): void => void (isHeld ? waiting.push(act) : act())
    await page.routeWebSocket('**/graphql', (socket: WebSocketRoute) => {
      const server = socket.connectToServer()
      server.onMessage((message) => whenFree(() => socket.send(message)))
    })
    await page.route('**/graphql', (route) => whenFree(() => void route.continue().catch(() => undefined)))
    return () => {
      isHeld = false
      for (const act of waiting.splice(0)) act()
    }
  }

  /** Opens a conversation of which nothing comes before `let go`. */
  async function openHeld(id: string): Promise<{ page: Page; letGo: () => void }> {
    const { page } = await world.openConsole(world.office.ann)
    const letGo = await hold(page)
    await page.goto(`${world.office.url}/console/c/${id}`)
    return { page, letGo }
  }

  /** Types into an email as soon as its box is there, with Enter for a new line. */
  async function beginLetter(name: string): Promise<{ id: string; page: Page; letGo: () => void }> {
    const id = await world.office.arrive(name, 'Dear all', { touchpoint: 'EMAIL' })
    const { page, letGo } = await openHeld(id)
    await reply(page).pressSequentially('Dear Letter,')
    await reply(page).press('Enter')
    await page.locator('.waits').getByText('Dear Letter,').waitFor()
    return { id, page, letGo }
  }

  it('waits, on the screen, and is sent once when the answers come', async () => {
    const id = await world.office.arrive('Early', 'a question')
    const { page, letGo } = await openHeld(id)
    await reply(page).pressSequentially('an answer')
    await reply(page).press('Enter')
    await page.locator('.waits').getByText('an answer').waitFor()
    expect(await reply(page).inputValue()).toBe('')
    await reply(page).pressSequentially('and one more')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.waits').getByText('and one more').waitFor()
    expect(await texts(id)).toEqual(['a question'])
    letGo()
    await log(page).getByText('and one more').waitFor()
    await noneWaits(page)
    // One that was answered leaves the outbox, though its event may come later.
    await log(page).locator('.bub').nth(2).waitFor()
    expect(await log(page).locator('.bub').allTextContents()).toEqual(['a question', 'an answer', 'and one more'])
    expect(await texts(id)).toEqual(['a question', 'an answer', 'and one more'])
  })

  it('is sent after a reload, and though another conversation is looked at', async () => {
    const { office } = world
    const [id, other] = [await office.arrive('Reloaded', 'a question'), await office.arrive('Other', 'something else')]
    const { page } = await world.openConsole(office.ann)
    await hold(page)
    await page.goto(`${office.url}/console/c/${id}`)
    await reply(page).fill('before the reload')
    await reply(page).press('Control+Enter')
    await page.locator('.waits').getByText('before the reload').waitFor()
    await isKept(page)
    const letGo = await hold(page)
    await page.goto(`${office.url}/console/c/${other}`)
    await reply(page).waitFor()
    letGo()
    await log(page).getByText('something else').waitFor()
    await eventually(async () => (await texts(id)).length === 2)
    expect(await texts(id)).toEqual(['a question', 'before the reload'])
    expect(await texts(other)).toEqual(['something else'])
  })

  it('is a new line of a letter, if it was sent by Enter', async () => {
    const { id, page, letGo } = await beginLetter('Letter')
    letGo()
    await log(page).getByText('Dear all').waitFor()
    await eventually(async () => (await reply(page).inputValue()) === 'Dear Letter,\n')
    await noneWaits(page)
    expect(await texts(id)).toEqual(['Dear all'])
  })

  it('is a new line of a letter with what was sent after it', async () => {
    const { id, page, letGo } = await beginLetter('Letter in parts')
    await reply(page).pressSequentially('it comes on Monday.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.waits').getByText('it comes on Monday.').waitFor()
    letGo()
    await eventually(async () => (await reply(page).inputValue()) === 'Dear Letter,\nit comes on Monday.')
    await noneWaits(page)
    expect(await texts(id)).toEqual(['Dear all'])
  })

  it('is held if others have done something since', async () => {
    const { office } = world
    const id = await office.arrive('Held', 'a question')
    const { page, letGo } = await openHeld(id)
    for (const text of ['my answer', 'and more']) {
      await reply(page).fill(text)
      await reply(page).press('Control+Enter')
      await page.locator('.waits').getByText(text).waitFor()
    }
    const sentAt = Date.now()
    // The server's time is known to the second.
    await eventually(async () => Date.now() > sentAt + 2_500)
    for (const message of [
      { role: 'AGENT', text: 'an answer' },
      { type: 'COMMAND', text: '/leave' },
    ])
      await office.gql(
        office.owner,
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        { id, message },
      )
    letGo()
    await eventually(async () => (await reply(page).inputValue()) === 'my answer\n\nand more')
    await page.getByText('Not sent: something came while you wrote').waitFor()
    expect(await texts(id)).toEqual(['a question', 'an answer', '/leave'])
  })

  it('keeps no other conversation waiting while what it needs is gone, as of an older build', async () => {
    const { office } = world
    const [id, other] = [await office.arrive('Gone', 'a question'), await office.arrive('Next', 'something else')]
    const { page } = await world.openConsole(office.ann)
    await page.route('**/web/seen-*.js', (route) => route.fulfill({ status: 404, body: 'not found' }))
    await hold(page)
    await page.goto(`${office.url}/console/c/${id}`)
    await reply(page).pressSequentially('an answer')
    await reply(page).press('Enter')
    await page.locator('.waits').getByText('an answer').waitFor()
    await isKept(page)
    const letGo = await hold(page)
    // A page that was loaded again is not loaded once more.
    await page.reload()
    letGo()
    await log(page).getByText('a question').waitFor()
    await page.getByRole('link', { name: /Next/ }).first().click()
    await log(page).getByText('something else').waitFor()
    await reply(page).fill('an ordinary answer')
    await reply(page).press('Control+Enter')
    await eventually(async () => (await texts(other)).length === 2)
    expect(await texts(id)).toEqual(['a question'])
    await page.unroute('**/web/seen-*.js')
    await eventually(async () => (await texts(id)).length === 2)
  })

  it('stays in sight if there is no such conversation', async () => {
    const { page, letGo } = await openHeld('01a20dff-0000-73a2-b3cc-3df8db338856')
    await reply(page).pressSequentially('to nobody')
    await reply(page).press('Enter')
    await page.locator('.waits').getByText('to nobody').waitFor()
    letGo()
    await page.getByText('This conversation can no longer be shown').waitFor()
    await page.locator('.waits').getByText('to nobody').waitFor()
    await page.getByRole('button', { name: /take back/i }).click()
    await noneWaits(page)
    expect(await page.getByText('to nobody').count()).toBe(0)
  })
})
