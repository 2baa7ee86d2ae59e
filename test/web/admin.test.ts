import { it } from '@jest/globals'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('the administration in the console', (world) => {
  it('tries rules that were not saved on a conversation, draws what they saw, and replays them', async () => {
    const { id: organization } = world.office.organization
    const conditions = { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'boat' }] }
    const event = { type: 'notify', params: { name: 'Boats', channels: [world.office.channel] } }
    await world.office.gql(
      world.office.owner,
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      {
        input: { organization, name: 'Who gets what', rules: [{ conditions, event }] },
      },
    )
    await world.office.arrive('Lena Vos', 'my boat leaks')
    const { page } = await world.openConsole(world.office.owner, '/admin/workflows')
    await page.getByLabel('Facts of').selectOption({ label: 'Lena Vos' })
    await eventually(async () => (await page.locator('#facts').inputValue()).includes('leaks'))
    await page.getByRole('textbox', { name: 'Value' }).fill('car')
    await page.getByRole('textbox', { name: 'Value' }).press('Tab')
    await page.getByText('Not saved yet').waitFor()
    await page.getByRole('button', { name: 'Replay the last week' }).click()
    await page.getByText('1 looked at: 1 would go elsewhere.').waitFor()
    await page.getByText('1 would reach nobody').waitFor()
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.locator('.cond .was').getByText('my boat leaks').waitFor()
    await page.getByRole('button', { name: /Boats/ }).getByText('no match').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'rules-tried')
  })

  it('keeps the canned responses of an organization', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/canned')
    await page.getByRole('button', { name: 'Response' }).click()
    await page.getByRole('textbox', { name: 'Shortcut' }).fill('two words')
    await page.getByRole('textbox', { name: 'Text' }).fill('We open at nine.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('two words').waitFor()
    await page.getByRole('textbox', { name: 'Shortcut' }).fill('hours')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: ';hours' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit: hours' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete hours?' }).click()
    await page.getByText('None yet').waitFor()
  })
})
