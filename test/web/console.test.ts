import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot, keptRows } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { signIn } from './support/office.js'

describeInBrowser('the console', (world) => {
  it('lets an agent sign in, take a conversation from the queue, answer and close it, with the mouse', async () => {
    const { page } = await world.open('/console')
    await page.getByRole('textbox', { name: 'Email' }).fill(world.office.ann.email)
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('wrong').waitFor()
    await expectAccessible(page)
    await signIn(page, world.office.ann)
    for (const name of ['Queue', 'Mine', 'Inbox', 'Search'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(1)

    const id = await world.office.arrive('Konstantina Papadimitriou', 'The temperature alarm went off')
    const row = page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: 'Konstantina' })
    await row.getByText('The temperature alarm went off').waitFor()
    await keepScreenshot(page, 'queue')
    await row.click()
    await page.getByRole('log').getByText('The temperature alarm went off').waitFor()
    expect(page.url()).toMatch(/\/console\/c\/[\w-]+$/)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Reply' }).fill('Please switch the engine off.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('Please switch the engine off.').waitFor()
    await world.office.say(id, 'It is off now')
    await page.getByRole('log').getByText('It is off now').waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).fill('Good. We come at nine.')
    await page.getByRole('textbox', { name: 'Reply' }).press('Control+Enter')
    await page.getByRole('log').getByText('Good. We come at nine.').waitFor()
    // It is shown before the server has it, and a closing overtakes it.
    await eventually(async () => (await page.locator('.bub.waits').count()) === 0)
    await keepScreenshot(page, 'thread')
    await page.getByRole('button', { name: 'Close conversation' }).click()
    await page.getByRole('status').getByText('Closed: Konstantina Papadimitriou').waitFor()
    await page.waitForURL(/\/queue$/)

    // The next page is shown before the server has answered.
    const { data } = await eventually(
      () =>
        world.office.gql(
          world.office.bot,
          'query ($id: ID!) { conversation(id: $id) { status messages(first: 50) { edges { node { role text } } } } }',
          { id },
        ),
      (answer) => answer.data.conversation.status === 'CLOSED',
    )
    const said = data.conversation.messages.edges.map(({ node }: { node: { text: string } }) => node.text)
    expect(said.filter((text: string) => text === 'Good. We come at nine.')).toHaveLength(1)
  })

  it('shares one socket between tabs, and continues when the tab that owns it is closed', async () => {
    const first = await world.openConsole(world.office.ann)
    const sockets: string[] = []
    first.context.on('page', (page) => page.on('websocket', (socket) => sockets.push(socket.url())))
    const second = await world.open(`/console/queue`, { context: first.context })
    await second.page.locator('.rail .live .good').waitFor()
    const rowOf = (page: Page, name: string) =>
      page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: name })

    await world.office.arrive('Before', 'to both tabs')
    await Promise.all([first, second].map(({ page }) => rowOf(page, 'Before').waitFor()))
    await rowOf(second.page, 'Before').click()
    await second.page.getByRole('log').getByText('to both tabs').waitFor()
    expect(sockets).toEqual([])
    // What is typed in one tab is the other's draft.
    await rowOf(first.page, 'Before').click()
    await second.page.getByRole('textbox', { name: 'Reply' }).fill('half a sentence')
    const draft = first.page.getByRole('textbox', { name: 'Reply' })
    await eventually(async () => (await draft.inputValue()) === 'half a sentence')

    await first.page.close()
    await world.office.arrive('After', 'to the tab that is left')
    await rowOf(second.page, 'After').waitFor()
    expect(sockets).toHaveLength(1)
    await second.page.locator('.rail .live .good').waitFor()
  })

  it('shows when the server is unavailable, keeps sent messages through a reload, and sends them once', async () => {
    const id = await world.office.arrive('Patient', 'is anybody there')
    const { page, context } = await world.openConsole(world.office.bob)
    await page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: 'Patient' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await context.setOffline(true)
    await page
      .getByRole('status')
      .getByText(/^Offline since/)
      .waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).fill('kept one')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('textbox', { name: 'Reply' }).fill('kept two')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Waits for the connection, 2 of 2').waitFor()
    await page.getByText('2 messages wait, safe even if you close the tab.').waitFor()
    // They are shown a moment before they are written down.
    await eventually(async () => (await keptRows(page, ['outbox'])).length === 2)
    await keepScreenshot(page, 'offline')
    await expectAccessible(page)
    await context.setOffline(false)
    await page.reload()
    await page.locator('.rail .live .good').waitFor()
    const sent = async () => {
      const { data } = await world.office.gql(
        world.office.bot,
        'query ($id: ID!) { conversation(id: $id) { messages(first: 50) { edges { node { text } } } } }',
        { id },
      )
      return data.conversation.messages.edges
        .map(({ node }: { node: { text: string } }) => node.text)
        .filter((text: string) => text?.startsWith('kept'))
    }
    await page.getByRole('log').getByText('kept two').waitFor()
    await eventually(async () => (await page.getByText('Waits for').count()) === 0)
    await eventually(async () => (await sent()).length >= 2)
    expect(await sent()).toEqual(['kept one', 'kept two'])
  })
})
