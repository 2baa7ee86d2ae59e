import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

describeInBrowser("an agent's own message", (world) => {
  const log = (page: Page) => page.getByRole('log')
  const edit = (page: Page) => page.getByRole('button', { name: 'Edit message' })
  const remove = (page: Page) => page.getByRole('button', { name: 'Delete message' })
  async function openThread(who: 'owner' | 'ann', id: string): Promise<Page> {
    const { page } = await world.openConsole(world.office[who], `/c/${id}`)
    await log(page).waitFor()
    return page
  }
  async function reply(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Reply' }).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
    await log(page).getByText(text).waitFor()
  }

  it('is edited and deleted by an administrator, and every screen shows it', async () => {
    const service = await makeWebService(world.office)
    const visitor = await world.open(`/widget/demo?service=${service}`)
    const widget = widgetOf(visitor.page)
    await widget.open()
    await widget.say('When do you open?')
    const { id } = await agentViewOf(world.office, 'When do you open?')
    const olga = await openThread('owner', id)
    const ann = await openThread('ann', id)
    await reply(olga, 'We open at nine.')
    const everywhere = [log(olga), log(ann), widget.log]
    for (const place of everywhere) await place.getByText('We open at nine.').waitFor()
    // Section 5: an agent may change no message, and nobody is offered another's.
    await reply(ann, 'And we close at six.')
    await log(olga).getByText('And we close at six.').waitFor()
    expect(await edit(ann).count()).toBe(0)
    expect(await remove(ann).count()).toBe(0)
    await edit(olga).waitFor()
    expect([await edit(olga).count(), await remove(olga).count()]).toEqual([1, 1])

    // By keyboard; Escape leaves the text as it was.
    await edit(olga).press('Enter')
    const box = olga.getByRole('textbox', { name: 'Text of the message' })
    await box.and(olga.locator(':focus')).waitFor()
    await box.fill('We open at noon.')
    await olga.keyboard.press('Escape')
    await log(olga).getByText('We open at nine.').waitFor()
    await edit(olga).and(olga.locator(':focus')).waitFor()

    // A refused text stays in its box with the reason.
    await edit(olga).press('Enter')
    const tooLong = 'We open at ten. '.repeat(8_000)
    await box.fill(tooLong)
    await olga.getByRole('button', { name: 'Save' }).click()
    await olga.getByRole('alert').getByText('text').waitFor()
    expect(await box.inputValue()).toBe(tooLong)
    expect(await box.getAttribute('aria-invalid')).toBe('true')
    await box.fill('We open at ten.')
    await keepScreenshot(olga, 'message-edited')
    await expectAccessible(olga)

    // What was typed waits while another list is looked at.
    await olga.getByRole('link', { name: 'Queue' }).click()
    await olga.waitForURL('**/console/queue')
    await olga.goBack()
    await eventually(async () => (await box.inputValue()) === 'We open at ten.')
    await box.press('Control+Enter')
    for (const place of everywhere) {
      await place.getByText('We open at ten.').waitFor()
      await place.getByText('edited').waitFor()
      expect(await place.getByText('We open at nine.').count()).toBe(0)
    }

    await remove(olga).click()
    const dialog = olga.getByRole('dialog', { name: 'Delete message' })
    await dialog.waitFor()
    await keepScreenshot(olga, 'message-deleted')
    await expectAccessible(olga)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await log(ann).getByText('We open at ten.').waitFor()
    await remove(olga).click()
    await dialog.getByRole('button', { name: 'Delete message' }).click()
    for (const place of everywhere) await place.getByText('We open at ten.').waitFor({ state: 'detached' })
    await log(olga).and(olga.locator(':focus')).waitFor()
    expect(await log(ann).getByText('And we close at six.').count()).toBe(1)
  })

  it('that is deleted is no longer unread in the widget', async () => {
    const service = await makeWebService(world.office)
    const { page } = await world.open(`/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('Is anybody there?')
    const agentView = await agentViewOf(world.office, 'Is anybody there?')
    await page.keyboard.press('Escape')
    const id = await agentView.answer({ text: 'Yes!' })
    await page.getByRole('button', { name: 'Open chat, 1 new' }).waitFor()
    await world.office.gql(world.office.owner, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id })
    await page.getByRole('button', { name: 'Open chat', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Open chat, 1 new' }).count()).toBe(0)
  })

  it('changes on screens that have loaded it as an earlier message', async () => {
    const { office } = world
    const id = await office.arrive('Lena Vos', 'the first')
    const { data } = await office.gql(
      office.owner,
      'mutation ($c: ID!) { a: sendMessage(conversation: $c, message: { text: "edit me" }) { id } b: sendMessage(conversation: $c, message: { text: "delete me" }) { id } }',
      { c: id },
    )
    for (let count = 0; count < 55; count++) await office.say(id, `later ${count}`)
    const ann = await openThread('ann', id)
    await ann.getByRole('button', { name: 'Load earlier messages' }).click()
    await log(ann).getByText('delete me').waitFor()
    await office.gql(
      office.owner,
      'mutation ($a: ID!, $b: ID!) { updateMessage(id: $a, patch: { text: "changed" }) { id } deleteMessage(id: $b) }',
      { a: data.a.id, b: data.b.id },
    )
    await log(ann).getByText('changed', { exact: true }).waitFor()
    await eventually(async () => (await log(ann).getByText('delete me').count()) === 0)
    expect(await log(ann).getByText('edit me').count()).toBe(0)
  })

  it('by email waits on the server, is taken back in time, and is sent without the tab', async () => {
    const id = await world.office.arrive('Mila Novak', 'Please write back', { touchpoint: 'EMAIL' })
    const page = await openThread('ann', id)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    const waiting = async () =>
      (await world.office.server.database.query("select 1 from job where kind = 'message.process'")).length
    const box = page.getByRole('textbox', { name: 'Reply' })
    // The five seconds are over when the test says so, for the page and for the server.
    await page.clock.setFixedTime(Date.now())
    world.office.clock.standAt()
    await box.fill('Dear Milo,')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/Sends in \d s/).waitFor()
    await eventually(async () => (await waiting()) === 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await box.inputValue()) === 'Dear Milo,')
    expect(await waiting()).toBe(0)
    // What was typed since the send stands behind what is taken back.
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/Sends in \d s/).waitFor()
    await box.pressSequentially('P.S.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await box.inputValue()) === 'Dear Milo,\n\nP.S.')
    expect(await waiting()).toBe(0)
    await box.fill('Dear Mila,')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(async () => (await waiting()) === 1)
    await page.close()
    world.office.clock.goOn()
    const said = async () =>
      (
        await world.office.server.database.query<{ text: string }>(
          `select text from message where conversation_id = $1 and text like 'Dear%'`,
          [id],
        )
      ).map(({ text }) => text)
    await eventually(async () => (await said()).length > 0)
    expect(await said()).toEqual(['Dear Mila,'])
  })
})
