import { expect, it } from '@jest/globals'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('lists of the administration', (world) => {
  it('show what another browser changes, without being asked again by time', async () => {
    const { page: one } = await world.openConsole(world.office.owner, '/admin/canned')
    const { page: other } = await world.openConsole(world.office.owner, '/admin/canned')
    const asked: string[] = []
    other.on('request', (request) => asked.push(request.postData() ?? ''))
    await other.getByText('No canned response yet').waitFor()
    await one.getByRole('button', { name: 'Response' }).click()
    await one.getByRole('textbox', { name: 'Shortcut' }).fill('hours')
    await one.getByRole('textbox', { name: 'Text' }).fill('We open at nine.')
    await one.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('rowheader', { name: ';hours' }).waitFor()
    // Other kinds of records are no reason to ask.
    const before = asked.filter((body) => body.includes('AdminCanned')).length
    const { errors } = await world.office.gql(
      world.office.owner,
      'mutation { createLabel(input: { name: "Urgent" }) { id } }',
    )
    expect(errors).toBeUndefined()
    await one.getByRole('button', { name: 'Edit: hours' }).click()
    await one.getByRole('button', { name: 'Delete' }).click()
    await one.getByRole('button', { name: 'Delete hours?' }).click()
    await other.getByText('No canned response yet').waitFor()
    expect(asked.filter((body) => body.includes('AdminCanned')).length).toBe(before + 1)
  })
})
