import { beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { MadeUser } from '../support/factories.js'
import { botsOf } from './support/bots.js'
import { eventually, keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const TEXT = 'Your order left the harbour yesterday.'
const MAY = [
  { action: 'REPLY', mode: 'APPROVE' },
  { action: 'NOTE', mode: 'APPROVE' },
  { action: 'HAND_OVER', mode: 'APPROVE' },
]

describeInBrowser('what a bot suggests in the console', (world) => {
  let bots: ReturnType<typeof botsOf>
  let bot: MadeUser
  beforeAll(async () => {
    bots = botsOf(world.office)
    bot = await bots.make('Harbour Bot')
    await bots.govern(bot, MAY)
  })
  const cards = (page: Page) => page.getByRole('region', { name: 'Suggestions' }).getByRole('article')
  const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
  const textsOf = async (id: string) => (await bots.messagesOf(id)).map(({ text }) => text)
  const outcomeOf = ({ id }: { id: string }) =>
    bots.run(world.office.owner, 'query ($id: ID!) { proposal(id: $id) { status outcome } }', { id })
  const arrived = async () => world.office.arrive('Lena Vos', 'Where is my order 4711?')
  const opened = async (id: string, who = world.office.ann, options = {}): Promise<Page> => {
    const { page } = await world.openConsole(who, `/c/${id}`, options)
    await page.getByRole('log').getByText('Where is my order 4711?').waitFor()
    return page
  }

  it('comes live, is told once, is shown whole, and is done as it was shown once a person approves it', async () => {
    const id = await arrived()
    const page = await opened(id)
    const text = `${TEXT}\n\n${'It is due on Thursday. '.repeat(20).trim()}`
    await bots.suggest(bot, id, { text, provenance: { model: 'opus-5', tools: ['orders'], sources: [] } })
    const card = cards(page)
    await card.getByText('Harbour Bot suggests: an answer to the consumer').waitFor()
    await card.getByText(text, { exact: true }).waitFor()
    await card.getByText('Written with opus-5, using orders').waitFor()
    const told = page.getByRole('status').getByText('Harbour Bot suggests: an answer to the consumer')
    await told.waitFor({ state: 'attached' })
    expect(await told.count()).toBe(1)
    await expectAccessible(page)
    await keepScreenshot(page, 'suggestion')
    await card.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('log').getByText('approved by Ann de Vries').waitFor()
    await card.waitFor({ state: 'detached' })
    expect((await bots.messagesOf(id)).at(-1)).toMatchObject({
      text,
      userId: bot.id,
      approvedById: world.office.ann.id,
    })
    await expectAccessible(page)
    await keepScreenshot(page, 'suggestion-approved')
  })

  it('is a command in words, and is gone everywhere once it was rejected', async () => {
    const id = await arrived()
    const suggestion = await bots.suggest(bot, id, { type: 'COMMAND', role: 'BOT', text: '/enqueue' })
    const one = await opened(id)
    const other = await world.open(`/console/c/${id}`, { context: one.context() })
    for (const page of [one, other.page]) {
      await cards(page).getByText('Harbour Bot suggests: give to the queue').waitFor()
      await cards(page).getByText('/enqueue').waitFor()
    }
    await cards(one).getByRole('button', { name: 'Reject' }).click()
    for (const page of [one, other.page]) await cards(page).waitFor({ state: 'detached' })
    expect(await bots.statusOf(suggestion)).toBe('REJECTED')
  })

  /** Keeps what decides on it from the server until it is let go. */
  const holdDecisions = async (pages: Page[], { id }: { id: string }) => {
    const waiting: (() => void)[] = []
    for (const page of pages)
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes(id)) await new Promise<void>((go) => waiting.push(go))
        await route.continue()
      })
    return { count: () => waiting.length, letGo: () => waiting.forEach((go) => go()) }
  }

  it('is not done once the consumer has written since: that is said, and its text can still be taken', async () => {
    const id = await arrived()
    const suggestion = await bots.suggest(bot, id)
    const page = await opened(id)
    const card = cards(page)
    const held = await holdDecisions([page], suggestion)
    await card.getByRole('button', { name: 'Approve' }).click()
    await eventually(() => held.count() === 1)
    await world.office.say(id, 'Never mind, it is here.')
    await page.getByRole('log').getByText('Never mind, it is here.').waitFor()
    held.letGo()
    await card
      .getByRole('alert')
      .getByText(/since then came a message of the consumer|something came after it/)
      .waitFor()
    await card.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
    await expectAccessible(page)
    await keepScreenshot(page, 'suggestion-stale')
    expect(await bots.statusOf(suggestion)).toBe('STALE')
    expect(await textsOf(id)).toEqual(['Where is my order 4711?', 'Never mind, it is here.'])
    await card.getByRole('button', { name: 'Take into the box' }).click()
    await eventually(async () => (await boxOf(page).inputValue()) === TEXT)
    await card.getByRole('button', { name: 'Dismiss' }).click()
    await card.waitFor({ state: 'detached' })
  })

  it('whose refusal comes while another conversation is looked at is told above its own', async () => {
    const [id, elsewhere] = [await arrived(), await world.office.arrive('Tom Berg', 'Hello there')]
    const suggestion = await bots.suggest(bot, id)
    const page = await opened(id)
    const held = await holdDecisions([page], suggestion)
    await cards(page).getByRole('button', { name: 'Approve' }).click()
    await eventually(() => held.count() === 1)
    await world.office.say(id, 'Never mind.')
    await page.locator(`a[href*="${elsewhere}"]`).first().click()
    await page.getByRole('log').getByText('Hello there').waitFor()
    held.letGo()
    await eventually(async () => (await bots.statusOf(suggestion)) === 'STALE')
    await page.locator(`a[href*="${id}"]`).first().click()
    await page.getByText(/since then came a message of the consumer|something came after it/).waitFor()
    expect(await textsOf(id)).toEqual(['Where is my order 4711?', 'Never mind.'])
  })

  it('is done once when two people approve it at the same moment, and both see what became of it', async () => {
    const id = await arrived()
    const suggestion = await bots.suggest(bot, id)
    const pages = [await opened(id), await opened(id, world.office.bob)]
    // Both decide before either hears of the other.
    const held = await holdDecisions(pages, suggestion)
    for (const page of pages) await cards(page).getByRole('button', { name: 'Approve' }).click()
    await eventually(() => held.count() === 2)
    held.letGo()
    for (const page of pages)
      await page
        .getByRole('log')
        .getByText(/approved by (Ann de Vries|Bob Jansen)/)
        .waitFor()
    expect(await textsOf(id)).toEqual(['Where is my order 4711?', TEXT])
    const refused = (page: Page) => cards(page).getByRole('alert').getByText('It was approved already.')
    await eventually(async () => (await refused(pages[0]!).count()) + (await refused(pages[1]!).count()) === 1)
  })

  it('is taken into the box and sent as one’s own, and loses nothing that is typed there', async () => {
    const id = await arrived()
    const suggestion = await bots.suggest(bot, id)
    const page = await opened(id)
    const card = cards(page)
    const take = card.getByRole('button', { name: 'Take into the box' })
    await boxOf(page).fill('Dear Lena,')
    await take.click()
    await card.getByText('The box has a text of yours already.').waitFor()
    expect(await boxOf(page).inputValue()).toBe('Dear Lena,')
    await card.getByRole('button', { name: 'Add below my text' }).click()
    await eventually(async () => (await boxOf(page).inputValue()) === `Dear Lena,\n\n${TEXT}`)
    // A note never reaches the consumer by being joined with an answer.
    await page.getByRole('radio', { name: 'Note' }).check()
    await page.getByRole('textbox', { name: 'Note' }).fill('She was rude.')
    await take.click()
    await card.getByText('The box has a note of yours').waitFor()
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('She was rude.')
    await page.getByRole('textbox', { name: 'Note' }).fill('')
    await take.click()
    await eventually(async () => (await boxOf(page).inputValue()) === TEXT)
    await boxOf(page).press('End')
    await boxOf(page).pressSequentially(' Ann')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(async () => (await textsOf(id)).includes(`${TEXT} Ann`))
    expect((await bots.messagesOf(id)).at(-1)).toMatchObject({ userId: world.office.ann.id, approvedById: null })
    expect(await outcomeOf(suggestion)).toEqual({ status: 'TAKEN', outcome: 'EDITED' })
    await card.waitFor({ state: 'detached' })
  })

  it('is known to have been taken after a reload, and by another tab', async () => {
    const id = await arrived()
    const suggestion = await bots.suggest(bot, id)
    const first = await opened(id)
    await cards(first).getByRole('button', { name: 'Take into the box' }).click()
    await first.getByText('Draft saved').waitFor()
    await first.reload()
    await eventually(async () => (await boxOf(first).inputValue()) === TEXT)
    const { page } = await world.open(`/console/c/${id}`, { context: first.context() })
    await eventually(async () => (await boxOf(page).inputValue()) === TEXT)
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(async () => (await textsOf(id)).includes(TEXT))
    expect(await outcomeOf(suggestion)).toEqual({ status: 'TAKEN', outcome: 'ACCEPTED' })
    await eventually(async () => (await boxOf(first).inputValue()) === '')
    // What is written then is of nobody but its author.
    await boxOf(page).fill('Anything else?')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(async () => (await textsOf(id)).includes('Anything else?'))
    expect(await textsOf(id)).toEqual(['Where is my order 4711?', TEXT, 'Anything else?'])
  })

  it('that ended after its text was taken keeps nothing of it from the consumer', async () => {
    const id = await arrived()
    const suggestion = await bots.suggest(bot, id)
    const page = await opened(id)
    await cards(page).getByRole('button', { name: 'Take into the box' }).click()
    await bots.run(world.office.bob, 'mutation ($id: ID!) { rejectProposal(proposal: $id) { id } }', suggestion)
    await cards(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(async () => (await textsOf(id)).includes(TEXT))
    expect(await bots.statusOf(suggestion)).toBe('REJECTED')
    expect(await textsOf(id)).toEqual(['Where is my order 4711?', TEXT])
  })

  it('is asked for where a bot listens, and waited for', async () => {
    const { owner } = world.office
    const asks = (page: Page) => page.getByRole('button', { name: 'Suggest an answer' })
    const id = await arrived()
    const before = await opened(id)
    await boxOf(before).waitFor()
    expect(await asks(before).count()).toBe(0)
    const params = { events: ['proposal.requested'], bot: bot.id }
    const { body } = await world.office.rest(owner, 'POST', '/v2/services', { type: 'events', params })
    const page = await opened(id)
    await asks(page).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'suggestion-asked-for')
    await asks(page).click()
    await page.getByRole('button', { name: 'The bots were asked' }).waitFor()
    const take = 'mutation ($s: ID!) { takeEvents(service: $s, waitSeconds: 5) { event payload } }'
    const taken = await bots.run(bot, take, { s: body.id })
    expect(taken).toMatchObject([{ event: 'proposal.requested', payload: { data: { conversation: { id } } } }])
    await bots.suggest(bot, id)
    await cards(page).getByText(TEXT).waitFor()
    // It may be asked again.
    await asks(page).click()
    await page.getByRole('status').getByText('No bot has suggested anything.').waitFor()
    await world.office.rest(owner, 'DELETE', `/v2/services/${body.id}`)
    await asks(page).click()
    await page.getByRole('status').getByText('No bot listens here any more.').waitFor()
  })

  it('of a bot that may only suggest says so, and stays', async () => {
    const timid = await bots.make('Timid Bot')
    await bots.govern(timid, [{ action: 'REPLY', mode: 'SUGGEST' }])
    const id = await arrived()
    const suggestion = await bots.suggest(timid, id)
    const page = await opened(id)
    await cards(page).getByRole('button', { name: 'Approve' }).click()
    await cards(page).getByText('this bot may only suggest it').waitFor()
    expect(await bots.statusOf(suggestion)).toBe('PENDING')
    expect(await textsOf(id)).toEqual(['Where is my order 4711?'])
  })

  it('of a category is set by whoever takes it, and an article is read before it is taken into the box', async () => {
    const { owner, organization } = world.office
    const filing = await bots.make('Filing Bot')
    await bots.govern(filing, [
      { action: 'SET', mode: 'SUGGEST' },
      { action: 'REPLY', mode: 'SUGGEST' },
    ])
    const setCategories =
      'mutation ($id: ID!) { updateOrganization(id: $id, patch: { categories: [{ name: "Shipping" }] }) { id } }'
    await bots.run(owner, setCategories, { id: organization.id })
    const create = 'mutation ($input: CreateArticleInput!) { createArticle(input: $input) { id } }'
    const summary = 'Boats come within two weeks.'
    const { id: article } = await bots.run(owner, create, {
      input: { status: 'PUBLISHED', title: 'Delivery', summary, body: `<p>${summary}</p>` },
    })
    const id = await arrived()
    await bots.suggestToTake(filing, id, { category: 'Shipping' })
    const page = await opened(id)
    const card = cards(page)
    await card.getByText('Filing Bot suggests: set the category Shipping').waitFor()
    await card.getByRole('button', { name: 'Do it' }).click()
    await card.waitFor({ state: 'detached' })
    const categoryOf = 'query ($id: ID!) { conversation(id: $id) { category } }'
    expect(await bots.run(owner, categoryOf, { id })).toEqual({ category: 'Shipping' })
    const suggestion = await bots.suggestToTake(filing, id, { article })
    await card.getByText('Filing Bot suggests: an article to send').waitFor()
    await card.getByText('Delivery', { exact: true }).waitFor()
    await card.getByText(summary).waitFor()
    // The words of the message are the agent's: there is nothing to approve.
    expect(await card.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await expectAccessible(page)
    await keepScreenshot(page, 'suggestion-article')
    await card.getByRole('button', { name: 'Take into the box' }).click()
    await eventually(async () => (await boxOf(page).inputValue()) === summary)
    await card.getByRole('button', { name: 'Reject' }).click()
    await card.waitFor({ state: 'detached' })
    expect(await bots.statusOf(suggestion)).toBe('REJECTED')
  })

  it('is reached by the keyboard, decided by no letter, and not without a connection', async () => {
    const id = await arrived()
    const suggestion = await bots.suggest(bot, id)
    const page = await opened(id)
    const approve = cards(page).getByRole('button', { name: 'Approve' })
    await approve.waitFor()
    await pressKeys(page, 'log', 'y', 'p', 'o', 'x')
    expect(await bots.statusOf(suggestion)).toBe('PENDING')
    await page.context().setOffline(true)
    await cards(page).getByText('To decide needs a connection.').waitFor()
    await expect(approve.getAttribute('aria-disabled')).resolves.toBe('true')
    await page.context().setOffline(false)
    await cards(page).getByText('To decide needs a connection.').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or command' }).fill('Go to the sugg')
    await page.getByRole('option', { name: 'Go to the suggestion' }).waitFor()
    await page.keyboard.press('Enter')
    await approve.and(page.locator(':focus')).waitFor()
    // What follows at once on a typed text is taken for its end; what a key of movement leads to counts.
    await page.keyboard.press('Tab')
    await cards(page).getByRole('button', { name: 'Reject' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Shift+Tab')
    await approve.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('approved by Ann de Vries').waitFor()
    expect(await bots.statusOf(suggestion)).toBe('APPROVED')
  })

  it('fits a telephone, in the dark and in other languages', async () => {
    const id = await arrived()
    await bots.suggest(bot, id)
    await bots.suggest(bot, id, { role: 'BOT', text: 'She has asked twice before.' })
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: 375, height: 760 }
      const page = await opened(id, world.office.bob, { colorScheme, viewport })
      await cards(page).getByText('She has asked twice before.').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
      await expectAccessible(page)
      await keepScreenshot(page, `suggestion-375-${colorScheme}`)
      const wide = await opened(id, world.office.bob, { colorScheme, viewport: { width: 1440, height: 900 } })
      await cards(wide).getByText('She has asked twice before.').waitFor()
      await keepScreenshot(wide, `suggestion-1440-${colorScheme}`)
    }
    for (const [locale, words] of [
      ['nl', 'Harbour Bot stelt voor: een antwoord aan de klant'],
      ['de', 'Harbour Bot schlägt vor: eine Antwort an den Kunden'],
      ['fr', 'Harbour Bot propose : une réponse au client'],
    ] as const) {
      const page = await opened(id, world.office.bob)
      await bots.run(
        world.office.bob,
        'mutation ($l: UserLocale!) { updateMySettings(patch: { locale: $l }) { id } }',
        {
          l: locale.toUpperCase(),
        },
      )
      await page.reload()
      await page.getByRole('article').getByText(words).waitFor()
    }
  })
})
