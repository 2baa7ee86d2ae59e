import { expect, it } from '@jest/globals'
import { keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const NOTE = `She was promised a refund for order 4711 last week, by telephone.
The bank sent it back: the account was closed. Ask for the new one, and tell accounting.`

describeInBrowser('the note of a hand-over', (world) => {
  it('is pinned for whoever takes the conversation, until it is closed', async () => {
    const { ann, bob } = world.office
    const id = await world.office.arrive('Lena Vos', 'Where is my refund?')
    const { page: giver } = await world.openConsole(ann, `/c/${id}`)
    await giver.getByRole('button', { name: 'Accept' }).click()
    await giver.getByRole('textbox', { name: 'Reply' }).and(giver.locator(':focus')).waitFor()
    await giver.keyboard.press('Escape')
    await pressKeys(giver, 'log', 'h')
    const dialog = giver.getByRole('dialog', { name: 'Hand over' })
    await dialog.getByLabel('Hand over to').selectOption({ label: 'Bob Jansen' })
    await dialog.getByLabel('Note').fill(NOTE)
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await dialog.waitFor({ state: 'detached' })

    const { page } = await world.openConsole(bob, `/c/${id}`)
    const pinned = page.getByRole('region', { name: 'Note of the hand-over' })
    await pinned.getByText('She was promised a refund').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'hand-over-note')
    await page.emulateMedia({ colorScheme: 'dark' })
    await keepScreenshot(page, 'hand-over-note-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 375, height: 700 })
    await keepScreenshot(page, 'hand-over-note-375')
    await pinned.getByRole('button', { name: 'Show all' }).click()
    await pinned.getByRole('button', { name: 'Show less' }).waitFor()
    await page.setViewportSize(size)

    await page.getByRole('button', { name: 'Close conversation' }).click()
    await page.goto(`${world.office.url}/console/c/${id}`)
    await page.getByRole('log').getByText('Where is my refund?').waitFor()
    expect(await pinned.count()).toBe(0)
  })
})
