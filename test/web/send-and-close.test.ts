import { expect, it } from '@jest/globals'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('what is sent and closed by one key', (world) => {
  const stateOf = async (id: string): Promise<{ status: string; texts: string[] }> => {
    const [row] = await world.office.server.database.query<{ status: string; texts: string[] }>(
      `select status, (select array_agg(text order by position) from message where conversation_id = c.id and role = 'agent'
         and type = 'chat') as texts from conversation c where id = $1`,
      [id],
    )
    return row!
  }

  it('is in the conversation before it is closed, and the next is there at once; it can be undone', async () => {
    const { office } = world
    const ids = [await office.arrive('First Caller', 'a question'), await office.arrive('Second Caller', 'another')]
    for (const id of ids) {
      await office.gql(
        office.ann,
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        { id, message: { type: 'COMMAND', text: '/accept' } },
      )
    }
    const { page } = await world.openConsole(office.ann, '/mine')
    await page.getByRole('list', { name: 'Mine' }).getByText('First Caller', { exact: true }).click()
    await page.getByRole('button', { name: 'Close conversation' }).waitFor()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('It is on its way. Good bye!')
    await reply.press('Control+Shift+Enter')
    await page.getByText('Closed: First Caller').waitFor()
    await page.getByRole('heading', { name: 'Second Caller' }).waitFor()
    await eventually(async () => (await stateOf(ids[0]!)).status === 'closed')
    expect((await stateOf(ids[0]!)).texts).toEqual(['It is on its way. Good bye!'])
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await stateOf(ids[0]!)).status === 'active')
    expect((await stateOf(ids[1]!)).status).toBe('active')
    await page.keyboard.press('Escape')
  })

  it('is not closed if what was written is refused: it is there again, with what was written', async () => {
    const { office } = world
    const id = await office.arrive('Third Caller', 'a question')
    await office.gql(
      office.ann,
      'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
      { id, message: { type: 'COMMAND', text: '/accept' } },
    )
    const { page, context } = await world.openConsole(office.ann, `/c/${id}`)
    await page.getByRole('button', { name: 'Close conversation' }).waitFor()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('refused words')
    await context.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('refused words')) return route.fallback()
      const error = { message: 'It is refused.', extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_VALUE' } }
      await route.fulfill({
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ data: null, errors: [error] }),
      })
    })
    await reply.press('Control+Shift+Enter')
    await page.getByRole('heading', { name: 'Third Caller' }).waitFor()
    await page.getByText('Not sent').first().waitFor()
    expect(await stateOf(id)).toEqual({ status: 'active', texts: null })
    await page.getByText('refused words').first().waitFor()
  })
})
