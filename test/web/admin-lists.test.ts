import { expect, it } from '@jest/globals'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('lists of the administration', (world) => {
  it('show what another browser changes, without being asked again by time', async () => {
    const { page: one } = await world.openConsole(world.office.owner, '/admin/canned')
    const { page: other } = await world.openConsole(world.office.owner)
    /** Requests and live events of canned responses in the other browser, in this order. */
    const seen: ('asked' | 'told')[] = []
    other.on('request', (request) => (request.postData() ?? '').includes('AdminCanned') && seen.push('asked'))
    other.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => String(payload).includes('"cannedResponse"') && seen.push('told')),
    )
    await other.goto(`${world.office.url}/console/admin/canned`)
    await other.getByText('No canned response yet').waitFor()
    await one.getByRole('button', { name: 'Response' }).click()
    await one.getByRole('textbox', { name: 'Shortcut' }).fill('hours')
    await one.getByRole('textbox', { name: 'Text' }).fill('We open at nine.')
    await one.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('rowheader', { name: ';hours' }).waitFor()
    // Other kinds of records are no reason to ask.
    // It may have asked before it was told, as it does when it begins to follow: it asks once more then.
    await eventually(() => seen.includes('told') && seen.at(-1) === 'asked')
    const before = seen.filter((each) => each === 'asked').length
    const { errors } = await world.office.gql(
      world.office.owner,
      'mutation { createLabel(input: { name: "Urgent" }) { id } }',
    )
    expect(errors).toBeUndefined()
    await one.getByRole('button', { name: 'Edit: hours' }).click()
    await one.getByRole('button', { name: 'Delete' }).click()
    await one.getByRole('button', { name: 'Delete hours?' }).click()
    await other.getByText('No canned response yet').waitFor()
    expect(seen.filter((each) => each === 'asked').length).toBe(before + 1)
  })
})
