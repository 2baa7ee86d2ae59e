import { expect, it } from '@jest/globals'
import { keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('labels and links in the console', (world) => {
  it('an administrator makes labels, an agent puts one on by the keyboard, and every list shows it', async () => {
    const owner = await world.openConsole(world.office.owner, '/admin/labels')
    await owner.page.getByText('No labels yet').waitFor()
    for (const name of ['Refund', 'Motor']) {
      await owner.page.getByRole('button', { name: 'Add a label' }).click()
      const dialog = owner.page.getByRole('dialog', { name: 'New label' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await owner.page.getByRole('rowheader', { name }).waitFor()
    }
    await expectAccessible(owner.page)
    await keepScreenshot(owner.page, 'admin-labels')

    const id = await world.office.arrive('Lena Label', 'see https://harbour.example/cranes, or mail me')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('log').getByText('see').waitFor()
    const link = page.getByRole('log').getByRole('link', { name: 'https://harbour.example/cranes' })
    expect(await link.getAttribute('rel')).toBe('noreferrer noopener')
    expect(await link.getAttribute('target')).toBe('_blank')
    await pressKeys(page, 'log', 'l')
    const dialog = page.getByRole('dialog', { name: 'Label' })
    await dialog.getByRole('textbox', { name: 'Find a label' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('ref')
    await expectAccessible(page)
    await keepScreenshot(page, 'label-dialog')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.head').getByText('Refund').waitFor()
    // In the queue, which hears of it by its stream.
    const row = page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: 'Lena Label' })
    await row.getByText('Refund').waitFor()
    await keepScreenshot(page, 'labelled')
    await page.setViewportSize({ width: 375, height: 812 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'labelled-dark-375')
    // And off again, by the button.
    await page.getByRole('button', { name: 'Label', exact: true }).click()
    await page.getByRole('dialog', { name: 'Label' }).getByRole('checkbox', { name: 'Refund' }).uncheck()
    await page.getByRole('dialog', { name: 'Label' }).getByRole('button', { name: 'Save' }).click()
    await page.locator('.head').getByText('Refund').waitFor({ state: 'detached' })
  }, 240_000)
})
