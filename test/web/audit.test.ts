import { expect, it } from '@jest/globals'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('the audit log in the console', (world) => {
  it('tells who changed what, narrows to a person, a record and a day, and proves that it is whole', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/canned')
    await page.getByRole('button', { name: 'Response' }).click()
    await page.getByRole('textbox', { name: 'Shortcut' }).fill('hours')
    await page.getByRole('textbox', { name: 'Text' }).fill('We open at nine.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit: hours' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('We open at eight.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit: hours' }).click()
    await page.getByRole('link', { name: 'History' }).click()

    const rows = page.getByRole('row').filter({ hasText: 'CannedResponse' })
    await rows.nth(1).waitFor()
    // The newest first.
    const actions = await rows.locator('summary').allTextContents()
    expect(actions).toEqual(['updateCannedResponse', 'createCannedResponse'])
    await rows.first().locator('summary').click()
    await rows.first().getByText('We open at nine. → We open at eight.').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'audit')
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
    await keepScreenshot(page, 'audit-375')
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByRole('link', { name: 'Show all entries' }).click()
    await page.getByText('signIn', { exact: true }).first().waitFor()
    await page.getByRole('searchbox', { name: 'What' }).fill('canned')
    // Those shown before are gone before those asked for have come.
    await eventually(async () => (await page.locator('summary').count()) === 2)
    await page.getByRole('textbox', { name: 'Up to' }).fill('2020-01-01')
    await page.getByText('No entry fits.').waitFor()

    await page.getByRole('button', { name: 'Verify' }).click()
    await page
      .getByRole('status')
      .getByText(/^Whole: nothing is missing or altered in \d+ entries/)
      .waitFor()
  })
})
