import { it } from '@jest/globals'
import { keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('snooze in the console', (world) => {
  it('puts a conversation aside by the keyboard, goes on with the next one, and groups Mine by whose turn it is', async () => {
    const { office } = world
    const [one, two, three] = [
      await office.arrive('Sina Snooze', 'please call on Monday'),
      await office.arrive('Wim Waits', 'is it ready?'),
      await office.arrive('Amira Answered', 'thank you'),
    ]
    for (const id of [one, two, three])
      await office.gql(office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
    await office.gql(
      office.ann,
      'mutation ($id: ID!) { sendMessage(conversation: $id, message: { role: AGENT, text: "you are welcome" }) { id } }',
      { id: three },
    )
    const { page } = await world.openConsole(office.ann, '/mine')
    const mine = page.getByRole('list', { name: 'Mine' })
    await mine.getByRole('heading', { name: 'Awaiting your answer 2' }).waitFor()
    await mine.getByRole('heading', { name: 'Answered 1' }).waitFor()
    await mine.getByRole('link', { name: /Sina Snooze/ }).click()
    await page.getByRole('log').getByText('please call on Monday').waitFor()
    await pressKeys(page, 'log', 'z')
    const dialog = page.getByRole('dialog', { name: 'Snooze until' })
    await dialog.getByRole('button', { name: 'In an hour' }).and(page.locator(':focus')).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'snooze-dialog')
    await dialog.getByRole('button', { name: 'Tomorrow morning' }).click()
    await dialog.waitFor({ state: 'detached' })
    await mine.getByRole('heading', { name: 'Snoozed 1' }).waitFor()
    // The next in the list is open.
    await page.getByRole('log').getByText('thank you').waitFor()
    const row = mine.getByRole('listitem').filter({ hasText: 'Sina Snooze' })
    await row.getByText('Snoozed', { exact: true }).waitFor()
    await row.getByText(/08:00/).waitFor()
    await keepScreenshot(page, 'snoozed')
    await row.getByRole('link').click()
    await page
      .locator('.head')
      .getByText(/Snoozed until/)
      .waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 812 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await dialog.getByRole('button', { name: 'Choose a date and time' }).click()
    await dialog.getByLabel('Choose a date and time').and(page.locator(':focus')).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'snooze-dialog-dark-375')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await dialog.getByRole('button', { name: 'Wake it now' }).click()
    await page
      .locator('.head')
      .getByText(/Snoozed until/)
      .waitFor({ state: 'detached' })
    // The consumer wakes it too, and the inbox says so.
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await dialog.getByRole('button', { name: 'Next week' }).click()
    await mine.getByRole('heading', { name: 'Snoozed 1' }).waitFor()
    await office.say(one, 'sooner, please')
    await mine.getByRole('heading', { name: /Snoozed/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Inbox' }).click()
    const inbox = page.getByRole('list', { name: 'Inbox' }).getByRole('listitem').filter({ hasText: 'Sina Snooze' })
    await inbox.getByText('is back').waitFor()
    await keepScreenshot(page, 'snooze-ended')
  }, 240_000)
})
