import { expect, it } from '@jest/globals'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('a draft', (world) => {
  it('that is typed without a pause is kept when the tab crashes', async () => {
    const id = await world.office.arrive('Crash Test', 'hello')
    const { page, context } = await world.openConsole(world.office.ann, `/c/${id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.pressSequentially('a reply that is typed without any pause', { delay: 40 })
    const session = await context.newCDPSession(page)
    void session.send('Page.crash').catch(() => undefined)
    await new Promise((resolve) => page.once('crash', resolve))
    const again = await context.newPage()
    await again.goto(page.url())
    const draft = async () => await again.getByRole('textbox', { name: 'Reply' }).inputValue()
    await eventually(async () => (await draft()) !== '')
    // The last keys may be lost.
    expect(await draft()).toMatch(/^a reply that is typed without any/)
  })
})
