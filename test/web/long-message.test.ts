import { expect, it } from '@jest/globals'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('a long message in the console', (world) => {
  it('of 100,000 characters, which the server refuses, is kept, and the console explains why', async () => {
    const id = await world.office.arrive('Patient Reader', 'tell me everything')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    const long = 'ä𝒷\u202Ex'.repeat(20_000)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill(long)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Not sent').waitFor()
    // It waits for the agent, and what is sent after it does not.
    await reply.fill('short and urgent')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const stored = "select 1 from message where conversation_id = $1 and text = 'short and urgent'"
    await eventually(async () => (await world.office.server.database.query(stored, [id])).length === 1)
    await page.getByRole('log').getByRole('button', { name: 'Edit', exact: true }).click()
    await eventually(async () => (await reply.inputValue()) === long)
    await eventually(async () => (await page.getByRole('log').locator('.bub').count()) === 2)
    expect(await reply.inputValue()).toBe(long)
  })
})
