import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

/** Far from today, so that the targets of the tests are counted in ordinary hours. */
const YEAR = new Date().getFullYear() + 1
const DAYS = `${YEAR}-12-25..${YEAR}-12-26 Christmas Day\n${YEAR}-12-31 09:00-12:00`

describeInBrowser('hours and targets in the console', (world) => {
  it('are set up by an administrator, refused in words, and shown for a year', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/hours')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Office')
    await dialog.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Nowhere')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Europe/Nowhere').waitFor()
    await dialog.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Amsterdam')
    await dialog.getByRole('textbox', { name: 'Weekly hours' }).fill('MON-SUN 00:00-24:00')
    await dialog.getByRole('textbox', { name: 'Days with other hours' }).fill(DAYS)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'Office' }).waitFor()
    await page.getByRole('button', { name: 'Edit: Office' }).click()
    expect(await dialog.getByRole('textbox', { name: 'Weekly hours' }).inputValue()).toBe('MON-SUN 00:00-24:00')
    expect(await dialog.getByRole('textbox', { name: 'Days with other hours' }).inputValue()).toBe(DAYS)
    await dialog.getByText(/^Hours of \d{4}/).click()
    await dialog.getByRole('button', { name: String(YEAR), exact: true }).click()
    await dialog.getByRole('table', { name: 'December' }).getByText('Christmas Day').first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'schedule-year')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'SLA policy', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Standard')
    await dialog.getByRole('combobox', { name: 'Schedule' }).selectOption('Office')
    await dialog.getByRole('textbox', { name: 'Acceptance' }).fill('240')
    await dialog.getByRole('textbox', { name: 'First response' }).fill('300, 300')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('targets[1].warnSeconds').waitFor()
    await dialog.getByRole('textbox', { name: 'First response' }).fill('300, 60')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'Standard' }).waitFor()
    await expectAccessible(page)
  })

  it('show in the queue and in the thread what is due, in words', async () => {
    await world.office.arrive('Lena Vos', 'my boat leaks')
    const { page } = await world.openConsole(world.office.ann)
    const row = page.getByRole('link', { name: /Lena Vos .*due in [34] h/ })
    await row.waitFor()
    await page.getByRole('combobox', { name: 'Order of the queue' }).selectOption('Due next')
    await row.click()
    const clocks = page.getByRole('list', { name: 'Targets' })
    await clocks.getByText(/^Acceptance: due in/).waitFor()
    await clocks.getByText(/^First response: due in/).waitFor()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await clocks.getByText(/^Acceptance/).waitFor({ state: 'detached' })
    await expectAccessible(page)
    await keepScreenshot(page, 'thread-clocks')
  })
})
