import { beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { MadeUser } from '../support/factories.js'
import { botsOf, type Line } from './support/bots.js'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const GOVERNANCE = `query ($id: ID!) { user(id: $id) { pausedAt governance { version grants { action mode conditions } } } }`

interface Governed {
  pausedAt: string | null
  governance: { version: number; grants: Line[] } | null
}

describeInBrowser('what bots may do, in the administration', (world) => {
  let bots: ReturnType<typeof botsOf>
  beforeAll(() => {
    bots = botsOf(world.office)
  })
  const governed = (bot: MadeUser): Promise<Governed> => bots.run(world.office.owner, GOVERNANCE, { id: bot.id })
  const pageOf = async (bot: MadeUser, options = {}): Promise<Page> => {
    const { page } = await world.openConsole(world.office.owner, `/admin/users/${bot.id}`, options)
    await page.getByRole('heading', { level: 1, name: / Bot$/ }).waitFor()
    return page
  }
  const boxOf = (page: Page) => page.getByRole('region', { name: 'In conversations of Harbour Boats and below' })
  const lineIn = (page: Page, number: number) => boxOf(page).getByRole('group', { name: `Line ${number}`, exact: true })
  const isSaved = (page: Page) => boxOf(page).getByText('Saved. It is in force.').waitFor()
  const send = (bot: MadeUser, conversation: string, message: object): Promise<{ id: string }> =>
    bots.run(bot, 'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }', {
      c: conversation,
      m: message,
    })

  it('have a budget that is in force, shows what is spent, and is not lost to a colleague', async () => {
    const bot = await bots.make('Thrifty Bot')
    const page = await pageOf(bot)
    const box = page.getByRole('region', { name: 'How much it may do' })
    await box.getByRole('spinbutton', { name: 'Messages a day' }).fill('1')
    await box.getByRole('button', { name: 'Save' }).click()
    await box.getByText('Saved. It is in force.').waitFor()
    const id = await world.office.arrive('Lena Vos', 'Where is my order 4711?')
    await send(bot, id, { role: 'AGENT', text: 'On its way.' })
    await expect(send(bot, id, { role: 'AGENT', text: 'Really.' })).rejects.toThrow(/a day/)
    await page.reload()
    await box.getByText('Today: messages 1.').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'bot-budget')
    // A colleague was faster.
    await box.getByRole('spinbutton', { name: 'Calls of tools a day' }).fill('20')
    const setBudget = 'mutation ($b: ID!) { setBotBudget(bot: $b, budget: { perDay: 5 }) { id } }'
    await bots.run(world.office.owner, setBudget, { b: bot.id })
    await box.getByRole('button', { name: 'Save' }).click()
    await box.getByText('Somebody else changed it meanwhile.').waitFor()
    await box.getByRole('button', { name: 'Save' }).click()
    await box.getByText('Saved. It is in force.').waitFor()
    const budgetOf = 'query ($b: ID!) { user(id: $b) { budget { perConversation perDay toolCallsPerDay } } }'
    expect(await bots.run(world.office.owner, budgetOf, { b: bot.id })).toEqual({
      budget: { perConversation: null, perDay: 1, toolCallsPerDay: 20 },
    })
  })

  it('have masked what they need not read, and it is in force', async () => {
    const bot = await bots.make('Discreet Bot')
    const page = await pageOf(bot)
    const box = page.getByRole('region', { name: 'What it does not read' })
    await box.getByRole('checkbox', { name: 'Card numbers' }).check()
    await box.getByRole('checkbox', { name: 'Email addresses' }).check()
    await expectAccessible(page)
    await keepScreenshot(page, 'bot-mask')
    await box.getByRole('button', { name: 'Save' }).click()
    await box.getByText('Saved. It is in force.').waitFor()
    const id = await world.office.arrive('Lena Vos', 'My card is 4111 1111 1111 1111, my account NL91ABNA0417164300.')
    const texts = 'query ($id: ID!) { conversation(id: $id) { messages(last: 1) { nodes { text } } } }'
    const text = 'My card is [card 1], my account NL91ABNA0417164300.'
    expect(await bots.run(bot, texts, { id })).toEqual({ messages: { nodes: [{ text }] } })
    await page.reload()
    await box.getByRole('checkbox', { name: 'Card numbers', checked: true }).waitFor()
    await box.getByRole('checkbox', { name: 'Card numbers' }).uncheck()
    await box.getByRole('checkbox', { name: 'Email addresses' }).uncheck()
    await box.getByRole('button', { name: 'Save' }).click()
    await box.getByText('Saved. It is in force.').waitFor()
    const masked = () => bots.run(world.office.owner, 'query ($b: ID!) { user(id: $b) { mask } }', { b: bot.id })
    expect(await masked()).toEqual({ mask: null })
    // A colleague was faster.
    await box.getByRole('checkbox', { name: 'Telephone numbers' }).check()
    const setMask = 'mutation ($b: ID!) { updateUser(id: $b, patch: { mask: [CARD] }) { id } }'
    await bots.run(world.office.owner, setMask, { b: bot.id })
    await box.getByRole('button', { name: 'Save' }).click()
    await box.getByText('Somebody else changed it meanwhile.').waitFor()
    expect(await masked()).toEqual({ mask: ['CARD'] })
    await expectAccessible(page)
    await box.getByRole('button', { name: 'Save' }).click()
    await box.getByText('Saved. It is in force.').waitFor()
    expect(await masked()).toEqual({ mask: ['PHONE'] })
  })

  it('are limited in words, and what is saved is in force', async () => {
    const bot = await bots.make('Parcel Bot')
    const { page } = await world.openConsole(world.office.owner, '/admin/users')
    await page.getByRole('link', { name: 'Parcel Bot' }).click()
    await boxOf(page).getByText('Nobody limits it').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'bot-free')
    await boxOf(page).getByRole('button', { name: 'Limit it' }).click()
    // A beginning that harms nobody: answers wait for a person.
    await lineIn(page, 3)
      .getByRole('combobox', { name: 'How far' })
      .selectOption({ label: 'do it once a person approves' })
    await lineIn(page, 3).getByRole('checkbox', { name: 'Only under conditions' }).check()
    await lineIn(page, 3).getByRole('textbox', { name: 'Value' }).fill('Billing')
    await lineIn(page, 3).getByRole('button', { name: 'Move line 3 up' }).click()
    await expectAccessible(page)
    await keepScreenshot(page, 'bot-limits-edited')
    await boxOf(page).getByRole('button', { name: 'Save' }).click()
    await isSaved(page)
    await boxOf(page)
      .getByText('Answer the consumer: do it once a person approves, if conversation.category is Billing')
      .waitFor()
    await boxOf(page).getByText('Everything else in conversations: not at all.').waitFor()
    await keepScreenshot(page, 'bot-limits')
    const { governance } = await governed(bot)
    expect(governance).toMatchObject({
      version: 1,
      grants: [
        { action: 'NOTE', mode: 'ACT', conditions: { all: [] } },
        {
          action: 'REPLY',
          mode: 'APPROVE',
          conditions: { all: [{ fact: 'conversation', path: '.category', operator: 'equal', value: 'Billing' }] },
        },
        { action: 'HAND_OVER', mode: 'ACT', conditions: { all: [] } },
      ],
    })
    const id = await world.office.arrive('Lena Vos', 'hello')
    await send(bot, id, { isBackchannel: true, text: 'noted' })
    await expect(send(bot, id, { role: 'AGENT', text: 'blind' })).rejects.toThrow('grants')
    await boxOf(page).getByRole('button', { name: 'Change what it may do' }).click()
    for (const _ of [1, 2, 3]) await boxOf(page).getByRole('button', { name: 'Remove line 1' }).click()
    await boxOf(page).getByText('Without a line it reads conversations, and does nothing else in them.').waitFor()
    await boxOf(page).getByRole('button', { name: 'Save' }).click()
    await isSaved(page)
    await boxOf(page).getByText('It reads conversations, and does nothing else in them.').waitFor()
    await expect(send(bot, id, { isBackchannel: true, text: 'noted again' })).rejects.toThrow('grants')
    await page.getByRole('button', { name: 'Remove all limits' }).click()
    await page.getByRole('button', { name: 'Remove all limits: it does all' }).click()
    await boxOf(page).getByText('Nobody limits it').waitFor()
    await send(bot, id, { role: 'AGENT', text: 'seen' })
    // The first save of a visit, too.
    await boxOf(page).getByRole('button', { name: 'Limit it' }).click()
    await boxOf(page).getByRole('button', { name: 'Save' }).click()
    await isSaved(page)
    await boxOf(page).getByText('Contacts: it reads and changes them.').waitFor()
    // A double click asks, and does nothing.
    await page.getByRole('button', { name: 'Remove all limits' }).dblclick()
    await page.getByRole('button', { name: 'Remove all limits: it does all' }).waitFor()
    expect((await governed(bot)).governance).not.toBeNull()
    await page.getByRole('button', { name: 'Remove all limits: it does all' }).click()
    await boxOf(page).getByText('Nobody limits it').waitFor()
  })

  it('keep what is typed while a first budget is saved, and show what was saved', async () => {
    const bot = await bots.make('Typing Bot')
    const page = await pageOf(bot)
    const box = page.getByRole('region', { name: 'How much it may do' })
    const perDay = box.getByRole('spinbutton', { name: 'Messages a day' })
    const letGo: (() => void)[] = []
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('SetBotBudget')) await new Promise<void>((go) => letGo.push(go))
      await route.continue()
    })
    await perDay.fill('100')
    await box.getByRole('button', { name: 'Save' }).click()
    await eventually(() => letGo.length === 1)
    await box.getByRole('spinbutton', { name: 'Calls of tools a day' }).fill('7')
    letGo[0]!()
    await box.getByText('Not saved yet').waitFor()
    expect(await perDay.inputValue()).toBe('100')
    await box.getByRole('button', { name: 'Save' }).click()
    await eventually(() => letGo.length === 2)
    letGo[1]!()
    await box.getByText('Saved. It is in force.').waitFor()
    const budgetOf = 'query ($b: ID!) { user(id: $b) { budget { perDay toolCallsPerDay } } }'
    expect(await bots.run(world.office.owner, budgetOf, { b: bot.id })).toEqual({
      budget: { perDay: 100, toolCallsPerDay: 7 },
    })
    // The first budget of two administrators is not that of whoever was slower.
    const other = await bots.make('Shared Bot')
    const slow = await pageOf(other)
    const slowBox = slow.getByRole('region', { name: 'How much it may do' })
    await slowBox.getByRole('spinbutton', { name: 'Messages a day' }).fill('3')
    await bots.run(world.office.owner, 'mutation ($b: ID!) { setBotBudget(bot: $b, budget: { perDay: 5 }) { id } }', {
      b: other.id,
    })
    await slowBox.getByRole('button', { name: 'Save' }).click()
    await slowBox.getByText('Somebody else changed it meanwhile.').waitFor()
  })

  it('keep what was changed here when somebody else saves first, and when the page is left', async () => {
    const bot = await bots.make('Order Bot')
    await bots.govern(bot, [{ action: 'NOTE', mode: 'ACT' }])
    const page = await pageOf(bot)
    await boxOf(page).getByRole('button', { name: 'Change what it may do' }).click()
    await lineIn(page, 1).getByRole('combobox', { name: 'What' }).selectOption({ label: 'Answer the consumer' })
    await bots.govern(bot, [{ action: 'CLOSE', mode: 'APPROVE' }])
    await boxOf(page).getByRole('button', { name: 'Save' }).click()
    await boxOf(page).getByRole('alert').getByText('Close conversations: do it once a person approves').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'bot-limits-conflict')
    expect((await governed(bot)).governance?.grants).toMatchObject([{ action: 'CLOSE', mode: 'APPROVE' }])
    await page.getByRole('link', { name: 'All users' }).click()
    await page.getByRole('link', { name: 'Order Bot' }).click()
    expect(await lineIn(page, 1).getByRole('combobox', { name: 'What' }).inputValue()).toBe('REPLY')
    await boxOf(page).getByRole('button', { name: 'Replace it' }).click()
    await isSaved(page)
    expect((await governed(bot)).governance?.grants).toMatchObject([{ action: 'REPLY', mode: 'ACT' }])
  })

  it('say which line the server refuses, and why', async () => {
    const bot = await bots.make('Odd Bot')
    await bots.govern(bot, [
      { action: 'NOTE', mode: 'ACT' },
      { action: 'REPLY', mode: 'ACT' },
    ])
    const page = await pageOf(bot)
    await boxOf(page).getByRole('button', { name: 'Change what it may do' }).click()
    await lineIn(page, 2).getByRole('checkbox', { name: 'Only under conditions' }).check()
    await lineIn(page, 2).getByRole('combobox', { name: 'Operator' }).selectOption('between')
    await boxOf(page).getByRole('button', { name: 'Save' }).click()
    await lineIn(page, 2).getByRole('alert').getByText('conditions').waitFor()
    expect((await governed(bot)).governance).toMatchObject({ version: 1 })
    await boxOf(page).getByRole('button', { name: 'Cancel' }).click()
    await boxOf(page).getByText('Answer the consumer: do it by itself').waitFor()
  })

  it('are paused one by one and all together, with who did it, and go on', async () => {
    const bot = await bots.make('Night Bot')
    const page = await pageOf(bot)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByRole('button', { name: 'Pause Night Bot everywhere' }).click()
    await page.getByRole('status').getByText('Paused by Olga Owner since').waitFor()
    expect((await governed(bot)).pausedAt).not.toBeNull()
    await expectAccessible(page)
    await keepScreenshot(page, 'bot-paused')
    await page.getByRole('link', { name: 'All users' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Night Bot' })
    await row.getByText('paused').waitFor()
    await page.getByRole('link', { name: 'Organizations' }).click()
    await page.getByRole('button', { name: 'Edit: Harbour Boats' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Pause all bots' }).click()
    await dialog.getByRole('button', { name: 'Pause all bots of Harbour Boats and below' }).click()
    await dialog.getByText('All bots of Harbour Boats were paused by Olga Owner').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'bots-paused')
    await page.goto(`${world.office.url}/console/admin/users/${bot.id}`)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('All bots of Harbour Boats were paused by Olga Owner').waitFor()
    await page.getByText('Paused by Olga Owner since').waitFor({ state: 'detached' })
    expect((await governed(bot)).pausedAt).not.toBeNull()
    await page.goto(`${world.office.url}/console/admin/organizations`)
    await page.getByRole('row').filter({ hasText: 'bots paused' }).waitFor()
    await page.getByRole('button', { name: 'Edit: Harbour Boats' }).click()
    await dialog.getByRole('button', { name: 'Resume all bots' }).click()
    await dialog.getByText('Its bots are not paused together.').waitFor()
    expect((await governed(bot)).pausedAt).toBeNull()
  })

  it('are stopped and let go on by a supervisor from a conversation, and by no other agent', async () => {
    const bot = await bots.make('Loud Bot')
    const id = await world.office.arrive('Lena Vos', 'hello')
    await send(bot, id, { role: 'AGENT', text: 'HELLO!!!' })
    const supervise = `mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }`
    const members = [{ user: world.office.ann.id, supervisor: true }, { user: world.office.bob.id }]
    await bots.run(world.office.owner, supervise, { id: world.office.channel, patch: { members } })
    const bob = (await world.openConsole(world.office.bob, `/c/${id}`)).page
    const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Contact' })
    await panelOf(bob).getByText('Loud Bot').waitFor()
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    const loud = panelOf(page)
      .getByRole('region', { name: 'Bots' })
      .getByRole('listitem')
      .filter({ hasText: 'Loud Bot' })
    await loud.getByRole('button', { name: 'Pause', exact: true }).click()
    await loud.getByRole('button', { name: 'Pause Loud Bot everywhere' }).click()
    await loud.getByText('Paused by Ann de Vries since').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'bot-paused-in-panel')
    await expect(send(bot, id, { role: 'AGENT', text: 'AGAIN' })).rejects.toThrow('paused')
    expect(await panelOf(bob).getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0)
    await loud.getByRole('button', { name: 'Resume' }).click()
    await loud.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await eventually(async () => (await governed(bot)).pausedAt === null)
  })

  it('fit a telephone, in the dark and in other languages', async () => {
    const bot = await bots.make('Small Bot')
    await bots.govern(bot, [
      { action: 'NOTE', mode: 'ACT' },
      {
        action: 'REPLY',
        mode: 'APPROVE',
        conditions: {
          any: [
            { fact: 'conversation', path: '.category', operator: 'equal', value: 'Billing' },
            { fact: 'contact', path: '.worksFor', operator: 'defined', value: true },
          ],
        },
      },
    ])
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [width, height] of [
        [375, 760],
        [1440, 900],
      ] as const) {
        const page = await pageOf(bot, { colorScheme, viewport: { width, height } })
        await boxOf(page).getByRole('button', { name: 'Change what it may do' }).click()
        await lineIn(page, 2).getByRole('textbox', { name: 'Value' }).first().waitFor()
        await expectAccessible(page)
        await keepScreenshot(page, `bot-limits-${width}-${colorScheme}`)
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
        await boxOf(page).getByRole('button', { name: 'Cancel' }).click()
      }
    const page = await pageOf(bot)
    for (const [locale, words] of [
      ['NL', 'Alle gebruikers'],
      ['DE', 'Alle Benutzer'],
      ['FR', 'Tous les utilisateurs'],
    ] as const) {
      const set = 'mutation ($l: UserLocale!) { updateMySettings(patch: { locale: $l }) { id } }'
      await bots.run(world.office.owner, set, { l: locale })
      await page.reload()
      await page.getByRole('link', { name: words }).waitFor()
      await expectAccessible(page)
    }
  })
})
