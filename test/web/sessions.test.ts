import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { signIn } from './support/office.js'

describeInBrowser('sessions in the console', (world) => {
  it('are seen and ended: the other browser is signed out', async () => {
    const lost = await world.openConsole(world.office.ann, '/queue', { viewport: { width: 375, height: 812 } })
    const { page } = await world.openConsole(world.office.ann, '/settings')
    const own = page.getByRole('region', { name: 'Where you are signed in' })
    await own.getByText('this session').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'sessions')
    await own.getByRole('button', { name: 'End all others' }).click()
    await own.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
    await lost.page.getByRole('textbox', { name: 'Email' }).waitFor()
    await own.getByText('this session').waitFor()
    await signIn(lost.page, world.office.ann)
  })

  it("of others are ended by an administrator in the user's dialog", async () => {
    const agent = await world.openConsole(world.office.bob, '/queue')
    const { page } = await world.openConsole(world.office.owner, '/admin/users')
    await page.getByRole('button', { name: /^Edit: Bob/ }).click()
    const sessions = page.getByRole('dialog').getByRole('region', { name: 'Sessions' })
    await sessions.getByRole('button', { name: 'End all' }).click()
    await sessions.getByText('Signed in nowhere').waitFor()
    await expectAccessible(page)
    await agent.page.getByRole('textbox', { name: 'Email' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
  })
})
