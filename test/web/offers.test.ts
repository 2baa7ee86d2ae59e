import { beforeAll, expect, it } from '@jest/globals'
import type { Page, WebSocketRoute } from 'playwright-core'
import type { MadeUser } from '../support/factories.js'
import { eventually, keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { signIn } from './support/office.js'

/** Counts the notes that are played, and rings ten times as often. */
const COUNT_NOTES = `
  globalThis.notes = 0
  const { setInterval } = globalThis
  globalThis.setInterval = (run, ms, ...given) => setInterval(run, ms === 3_000 ? 300 : ms, ...given)
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...given) { globalThis.notes++; return start.apply(this, given) }`

describeInBrowser("an agent's status and the offers to it", (world) => {
  beforeAll(async () => {
    const answer = await world.office.gql(
      world.office.owner,
      'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }',
      { id: world.office.channel, patch: { assignment: { mode: 'OFFER', offerSeconds: 300 } } },
    )
    expect(answer.errors).toBeUndefined()
    // Off at the top by default (2.3).
    for (const user of [world.office.ann, world.office.bob]) await setFocus(user, true)
  })
  async function setFocus({ id }: MadeUser, focusOnAccept: boolean): Promise<void> {
    const { errors } = await world.office.gql(
      world.office.owner,
      'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }',
      { id, patch: { settings: { focusOnAccept } } },
    )
    expect(errors).toBeUndefined()
  }
  const statusOf = (page: Page) => page.getByRole('button', { name: /^Status:/ })
  const offerOf = (page: Page, name: string) => page.getByRole('region', { name: `${name} is offered to you` })
  const notes = (page: Page): Promise<number> => page.evaluate('notes')
  const outcomesOf = async (id: string): Promise<string[]> => {
    const { data } = await world.office.gql(
      world.office.owner,
      'query ($id: ID!) { conversation(id: $id) { routingTrace { offers { outcome } } } }',
      { id },
    )
    return data.conversation.routingTrace.flatMap(({ offers }: { offers: { outcome: string }[] }) =>
      offers.map(({ outcome }) => outcome),
    )
  }
  /** The page shows no offer that it has answered, whether the server has heard of that or not. */
  const untilAccepted = async (id: string): Promise<void> => {
    await eventually(async () => (await outcomesOf(id)).join() === 'ACCEPTED')
  }
  async function setStatus(page: Page, name: string): Promise<void> {
    // Keys are heard once the workspace stands.
    await statusOf(page).waitFor()
    await pressKeys(page, 'list', 'g', 'v')
    const dialog = page.getByRole('dialog', { name: 'Your status' })
    await dialog.getByRole('radio', { name }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }

  /** Ends it, answered: who has accepted much is offered no more. */
  async function close(id: string): Promise<void> {
    const { errors } = await world.office.gql(
      world.office.ann,
      `mutation ($id: ID!) {
        sendMessage(conversation: $id, message: { role: AGENT, text: "Goodbye" }) { id }
        leaveConversation(conversation: $id) { id }
      }`,
      { id },
    )
    expect(errors).toBeUndefined()
  }

  it('are set, ring, count down, and are declined and accepted, by keys alone', async () => {
    const { page } = await world.openConsole(world.office.ann)
    await page.addInitScript(COUNT_NOTES)
    await page.goto(`${world.office.url}/console/queue`)
    await statusOf(page).waitFor()
    await pressKeys(page, 'list', 'g', 'v')
    const dialog = page.getByRole('dialog', { name: 'Your status' })
    await dialog.waitFor()
    await expectAccessible(page)
    // With a reason, which stays with the status.
    await dialog.getByRole('radio', { name: 'Paused' }).focus()
    await page.keyboard.press('Space')
    await keepScreenshot(page, 'status-dialog')
    await dialog.getByRole('textbox', { name: 'Reason, which colleagues see' }).focus()
    await page.keyboard.type('lunch')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Status: Paused/ }).waitFor()
    await setStatus(page, 'Available')
    await page.getByRole('button', { name: /^Status: Available/ }).waitFor()

    const declined = await world.office.arrive('Lena Vos', 'The bilge pump runs all night')
    const offer = offerOf(page, 'Lena Vos')
    await offer.getByText(/\d+ s left/).waitFor()
    await offer.getByText('The bilge pump runs all night').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'offer')
    const first = await eventually(() => notes(page))
    await eventually(async () => (await notes(page)) > first)
    const seconds = async (): Promise<number> => Number.parseInt(await offer.getByText(/s left/).innerText())
    const left = await seconds()
    await eventually(async () => (await seconds()) < left)
    // Whoever declines is passed over: the next in line has it.
    const bob = await world.openConsole(world.office.bob)
    await setStatus(bob.page, 'Available')
    await pressKeys(page, 'list', 'Shift+Y')
    await offer.waitFor({ state: 'detached' })
    await offerOf(bob.page, 'Lena Vos').waitFor()
    await pressKeys(bob.page, 'list', 'y')
    await bob.page.getByRole('log').waitFor()
    await eventually(async () => (await outcomesOf(declined)).join() === 'DECLINED,ACCEPTED')
    await setStatus(bob.page, 'On a call')

    const accepted = await world.office.arrive('Piet Bos', 'May I moor for a night?')
    await offerOf(page, 'Piet Bos').waitFor()
    await pressKeys(page, 'list', 'y')
    await page.getByRole('log').getByText('May I moor for a night?').waitFor()
    await page.getByText('Active', { exact: true }).waitFor()
    await offerOf(page, 'Piet Bos').waitFor({ state: 'detached' })
    await untilAccepted(accepted)
    // It is quiet again: no ring while the page comes twice to the time for one. Of the message itself it may be told once.
    await eventually(async () => {
      const before = await notes(page)
      await page.evaluate(
        'new Promise((resolve) => { let turns = 0; setInterval(() => { if (++turns === 2) resolve() }, 3_000) })',
      )
      return (await notes(page)) === before
    })
  })

  it('and the status are the same in every tab', async () => {
    const { page: first, context } = await world.openConsole(world.office.ann, '/queue')
    await setStatus(first, 'On a call')
    const { page: second } = await world.open('/console/queue', { context })
    await second.locator('.rail .live .good').waitFor()
    await setStatus(first, 'Available')
    await second.getByRole('button', { name: /^Status: Available/ }).waitFor()
    const id = await world.office.arrive('Two Tabs', 'Who sees me?')
    for (const page of [first, second]) await offerOf(page, 'Two Tabs').waitFor()
    await pressKeys(second, 'list', 'y')
    for (const page of [second, first]) await offerOf(page, 'Two Tabs').waitFor({ state: 'detached' })
    await close(id)
    await setStatus(second, 'On a call')
    await first.getByRole('button', { name: /^Status: Paused/ }).waitFor()
    expect(await offerOf(second, 'Two Tabs').count()).toBe(0)
  })

  it('are read when the connection is back, whatever was missed', async () => {
    const { page } = await world.open('about:blank')
    let isCut = false
    let cut = 0
    const sockets = new Set<WebSocketRoute>()
    await page.routeWebSocket('**/graphql', (socket) => {
      sockets.add(socket)
      socket.connectToServer().onMessage((message) => {
        if (!isCut || !String(message).includes('"OfferMade"')) socket.send(message)
        else cut += 1
      })
    })
    await page.goto(`${world.office.url}/console`)
    await signIn(page, world.office.ann)
    await setStatus(page, 'Available')
    isCut = true
    const id = await world.office.arrive('Missed', 'Nobody heard of me')
    await eventually(async () => (await outcomesOf(id)).length > 0 && cut > 0)
    expect(await offerOf(page, 'Missed').count()).toBe(0)
    for (const socket of [...sockets]) await socket.close({ code: 4_100 })
    await offerOf(page, 'Missed').waitFor()
    await pressKeys(page, 'list', 'y')
    await offerOf(page, 'Missed').waitFor({ state: 'detached' })
    await untilAccepted(id)
    await close(id)
    await setStatus(page, 'On a call')
  })

  it('says how many more are pending, and of a name written right to left in the direction of its own words', async () => {
    const { office } = world
    const capacity = await office.gql(
      office.owner,
      'mutation ($user: ID!) { updateStaff(user: $user, patch: { capacity: 100 }) { capacity } }',
      { user: office.ann.id },
    )
    expect(capacity.errors).toBeUndefined()
    const { page } = await world.openConsole(office.ann, '/queue')
    await setStatus(page, 'Available')
    const first = await office.arrive('أحمد', 'the first of two')
    const title = offerOf(page, 'أحمد').getByRole('alert')
    await title.waitFor()
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.offer-band [role=alert]')).direction`)).toBe(
      'ltr',
    )
    const second = await office.arrive('Second', 'the second of two')
    await offerOf(page, 'أحمد').getByText('+1', { exact: true }).waitFor()
    // Declined it would be offered again at once, since nobody else is there.
    await pressKeys(page, 'list', 'y')
    await offerOf(page, 'Second').waitFor()
    expect(await offerOf(page, 'Second').getByText('+1').count()).toBe(0)
    await untilAccepted(first)
    for (const id of [first, second]) await close(id)
    await setStatus(page, 'On a call')
  })

  // [2.3 focusOnAccept]
  it.each([
    ['opens the accepted conversation', true],
    ['leaves the agent where they are', false],
  ])('%s if focusOnAccept is %s', async (_, focusOnAccept) => {
    const { office } = world
    await setFocus(office.ann, focusOnAccept)
    const { page } = await world.openConsole(office.ann, '/queue')
    await setStatus(page, 'Available')
    const name = `Focus ${focusOnAccept}`
    const id = await office.arrive(name, 'Shall we talk?')
    await offerOf(page, name).waitFor()
    await pressKeys(page, 'list', 'y')
    await untilAccepted(id)
    await offerOf(page, name).waitFor({ state: 'detached' })
    if (focusOnAccept) await page.getByRole('log').getByText('Shall we talk?').waitFor()
    await eventually(() => new URL(page.url()).pathname.startsWith('/console/c/') === focusOnAccept)
    expect(await outcomesOf(id)).toEqual(['ACCEPTED'])
    await close(id)
    await setStatus(page, 'On a call')
  })

  it('shows why an offer was refused, wherever the agent wants to stay', async () => {
    const { office } = world
    await setFocus(office.ann, false)
    const { page } = await world.openConsole(office.ann, '/queue')
    await setStatus(page, 'Available')
    const id = await office.arrive('Taken', 'Who is faster?')
    await offerOf(page, 'Taken').waitFor()
    // Somebody else takes it, before the page has heard of it.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"notification"')) {
        await office.gql(office.bob, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
      }
      await route.continue()
    })
    await pressKeys(page, 'list', 'y')
    await page.getByRole('log').getByText('Who is faster?').waitFor()
    await page
      .getByText(/Bob Jansen/)
      .first()
      .waitFor()
    await eventually(() => new URL(page.url()).pathname.startsWith('/console/c/'))
    expect(await offerOf(page, 'Taken').count()).toBe(0)
    await close(id)
    await setFocus(office.ann, true)
    await setStatus(page, 'On a call')
  })

  it.each([
    ['on a telephone', 375, 'dark'],
    ['in a window', 1280, 'light'],
  ] as const)('cover nothing that is being written, %s', async (_, width, colorScheme) => {
    const name = `Offered ${width}`
    const preview = 'a very long preview, longer than the card is wide, so that it has to be cut'
    await world.office.gql(world.office.ann, 'mutation { setAvailability(availability: BUSY) { load } }')
    const id = await world.office.arrive(name, preview)
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`, {
      viewport: { width, height: 812 },
      colorScheme,
    })
    await page.getByRole('textbox', { name: 'Reply' }).fill('half a sentence')
    await world.office.gql(world.office.ann, 'mutation { setAvailability(availability: AVAILABLE) { load } }')
    await offerOf(page, name).waitFor()
    const offer = (await offerOf(page, name).boundingBox())!
    const composer = (await page.getByRole('form', { name: 'Composer' }).boundingBox())!
    const isApart = offer.y + offer.height <= composer.y || composer.x + composer.width <= offer.x
    expect({ offer, composer, isApart }).toMatchObject({ isApart: true })
    await keepScreenshot(page, `offer-${width}`)
    await expectAccessible(page)
    await offerOf(page, name).getByRole('button', { name: 'Accept the offer' }).click()
    await offerOf(page, name).waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('half a sentence')
    // Before the page is closed with what it has to tell: it would be offered again, before the next one.
    await untilAccepted(id)
  })
})
