import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { until } from '../support/until.js'

const CONTACT_OF = 'query ($id: ID!) { conversation(id: $id) { contactId } }'
const ADD = 'mutation ($contact: ID!, $text: String!) { addContactNote(contact: $contact, text: $text) { id version } }'

describeInBrowser('the page of a contact', (world) => {
  const contactOf = async (conversation: string): Promise<string> =>
    (await world.office.gql(world.office.ann, CONTACT_OF, { id: conversation })).data.conversation.contactId as string
  const add = async (contact: string, text: string, as = world.office.bob): Promise<{ id: string; version: number }> =>
    (await world.office.gql(as, ADD, { contact, text })).data.addContactNote as { id: string; version: number }

  it('takes notes, which colleagues see at once, and keeps what was typed over a reload', async () => {
    const { office } = world
    const contact = await contactOf(await office.arrive('Konstantina', 'Alarm on the engine'))
    const { page } = await world.openConsole(office.ann, `/contacts/${contact}`, {
      viewport: { width: 1440, height: 900 },
    })
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByRole('link', { name: /Alarm on the engine/ }).waitFor()
    const box = timeline.getByRole('textbox', { name: 'Note' })
    await box.fill('Crane 2 is out until Thursday.')
    await page.reload()
    await expect(box.inputValue()).resolves.toBe('Crane 2 is out until Thursday.')
    await box.press('Control+Enter')
    const own = timeline.getByRole('listitem').filter({ hasText: 'Crane 2 is out until Thursday.' })
    await own.getByText('Ann').first().waitFor()
    await until(
      () => box.inputValue(),
      (text) => text === '',
    )
    // A colleague's, who writes it elsewhere.
    await add(contact, 'The impeller is on shelf B4')
    const theirs = timeline.getByRole('listitem').filter({ hasText: 'shelf B4' })
    await theirs.waitFor()
    expect(await theirs.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await expectAccessible(page)
    await keepScreenshot(page, 'contact-page')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
    await keepScreenshot(page, 'contact-page-dark-375')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(375)

    await own.getByRole('button', { name: 'Delete note' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete note' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete note' }).click()
    await own.waitFor({ state: 'detached' })
    await timeline.and(page.locator(':focus')).waitFor()
  })

  it('keeps what is typed while a note is on its way', async () => {
    const { office } = world
    const contact = await contactOf(await office.arrive('Quick Quinten', 'hello'))
    const { page } = await world.openConsole(office.ann, `/contacts/${contact}`)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    const box = timeline.getByRole('textbox', { name: 'Note' })
    await box.fill('The first one.')
    let release = (): void => undefined
    const free = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('AddContactNote')) await free
      await route.continue().catch(() => undefined)
    })
    await box.press('Control+Enter')
    await box.press('Control+End')
    await page.keyboard.type('\nThe second')
    release()
    await timeline.getByRole('listitem').filter({ hasText: 'The first one.' }).waitFor()
    await until(
      () => box.inputValue(),
      (text) => text === 'The second',
    )
    await page.reload()
    expect(await box.inputValue()).toBe('The second')
  })

  it('refuses to replace unseen what another tab wrote, and shows it', async () => {
    const { office } = world
    const contact = await contactOf(await office.arrive('Wim', 'is it ready?'))
    const note = await add(contact, 'First words', office.ann)
    const { page } = await world.openConsole(office.ann, `/contacts/${contact}`)
    const line = page
      .getByRole('region', { name: 'Timeline' })
      .getByRole('listitem')
      .filter({ has: page.locator('.notebox') })
    await line.getByRole('button', { name: 'Edit' }).click()
    const box = line.getByRole('textbox', { name: 'Note' })
    await box.fill('Mine')
    await office.gql(
      office.ann,
      'mutation ($id: ID!) { updateContactNote(id: $id, patch: { text: "Theirs" }) { id } }',
      { id: note.id },
    )
    await line.getByRole('button', { name: 'Save' }).click()
    await line.getByText('Somebody changed this note meanwhile.').waitFor()
    await line.getByText('Theirs', { exact: true }).waitFor()
    expect(await box.inputValue()).toBe('Mine')
    await expectAccessible(page)
    await keepScreenshot(page, 'contact-note-changed')
    await line.getByRole('button', { name: 'Replace it with mine' }).click()
    await line.getByText('Mine', { exact: true }).waitFor()
    await line.getByText('edited').waitFor()
    await line.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor()
  })

  it('loads earlier entries while one scrolls, filters by kind, and is where it was after Back', async () => {
    const { office } = world
    const conversation = await office.arrive('Marja', 'a boat?')
    const contact = await contactOf(conversation)
    for (let number = 1; number <= 75; number++) await add(contact, `Note number ${number}.`)
    const { page } = await world.openConsole(office.ann, `/contacts/${contact}`, {
      viewport: { width: 1440, height: 900 },
    })
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Note number 75.').waitFor()
    await timeline.getByText('Note number 46.').waitFor()
    const link = timeline.getByRole('link', { name: /a boat\?/ })
    await until(async () => {
      await page
        .locator('.scroll')
        .first()
        .evaluate((box) => (box.scrollTop = box.scrollHeight))
      return link.isVisible()
    })
    await timeline.getByText('Note number 1.', { exact: true }).waitFor()
    expect(await timeline.getByRole('button', { name: 'Show earlier' }).count()).toBe(0)
    await link.scrollIntoViewIfNeeded()
    const top = await page
      .locator('.scroll')
      .first()
      .evaluate((box) => box.scrollTop)
    await link.click()
    await page.getByRole('log').waitFor()
    await page.goBack()
    await link.waitFor()
    await until(
      () =>
        page
          .locator('.scroll')
          .first()
          .evaluate((box) => box.scrollTop),
      (now) => now === top,
    )
    await link.and(page.locator(':focus')).waitFor()
    await timeline.getByRole('radio', { name: 'Conversations' }).check()
    await timeline.getByText('Note number 75.').waitFor({ state: 'detached' })
    await link.waitFor()
    await timeline.getByRole('radio', { name: 'Changes' }).check()
    await timeline.getByText('There is nothing of this kind.').waitFor()
  })
})
