import { expect, it } from '@jest/globals'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('the reports in the console', (world) => {
  it('show what happened as numbers, as a drawing and as a table, with the conversations behind each number', async () => {
    await world.office.arrive('Lena Vos', 'my boat leaks')
    await world.office.arrive('Piet Bos', 'mine too')
    const { page } = await world.openConsole(world.office.owner, '/reports')
    await page.getByRole('combobox', { name: 'What' }).selectOption({ label: 'Conversations created' })
    await page.getByRole('combobox', { name: 'By' }).selectOption({ label: 'Day' })
    await page.getByRole('img', { name: 'Conversations created by day' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'By' }).selectOption({ label: 'Touchpoint' })
    const table = page.getByRole('table', { name: 'Conversations created by touchpoint' })
    await table.getByRole('rowheader', { name: 'Total' }).waitFor()
    const count = table.getByRole('button', { name: /Show what is counted/ }).first()
    expect(Number((await count.innerText()).trim())).toBeGreaterThanOrEqual(2)
    await count.click()
    const behind = page.getByRole('region', { name: /Conversations created: web/ })
    await eventually(async () => (await behind.getByRole('link').count()) >= 2)
    await expectAccessible(page)
    await keepScreenshot(page, 'reports')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('created-touchpoint.csv')
  })

  it('show on the wallboard what waits, as it changes', async () => {
    const { page } = await world.openConsole(world.office.owner, '/reports/wallboard')
    const waiting = page.locator('.tiles.large dd').first()
    await waiting.waitFor()
    const before = Number(await waiting.innerText())
    await world.office.arrive('Mia Roos', 'hello')
    await eventually(async () => Number(await waiting.innerText()) === before + 1)
    await page.getByRole('region', { name: 'Channels' }).getByRole('rowheader').first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'wallboard')
  })

  it("show an agent her own figures alone, where everybody's reports are", async () => {
    const { ann, owner } = world.office
    const { page } = await world.openConsole(ann)
    await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('heading', { name: 'My figures', level: 1 }).waitFor()
    const sections = page.getByRole('navigation', { name: 'Reports' }).getByRole('link')
    expect(await sections.allInnerTexts()).toEqual(['My figures'])
    const taken = page.getByRole('listitem').filter({ hasText: 'Taken from the queue' })
    const before = Number((await taken.innerText()).replace(/\D/g, ''))
    const id = await world.office.arrive('Noor Smit', 'hello')
    const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }'
    expect((await world.office.gql(ann, accept, { id })).errors).toBeUndefined()
    await page.reload()
    await eventually(async () => Number((await taken.innerText()).replace(/\D/g, '')) === before + 1)
    await page.getByRole('combobox', { name: 'When' }).selectOption({ label: 'Yesterday' })
    await eventually(async () => Number((await taken.innerText()).replace(/\D/g, '')) === 0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 700 })
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
    await keepScreenshot(page, 'my-figures-375')
    // Supervisors have theirs beside the others'.
    const { page: other } = await world.openConsole(owner, '/reports/mine')
    await other.getByRole('heading', { name: 'My figures', level: 1 }).waitFor()
    expect(await other.getByRole('navigation', { name: 'Reports' }).getByRole('link').allInnerTexts()).toEqual([
      'Numbers',
      'Wallboard',
      'My figures',
    ])
  })
})
