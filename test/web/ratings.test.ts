import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

describeInBrowser('ratings', (world) => {
  it('are set up for a channel, asked for in the widget, and shown in the thread and on the contact page', async () => {
    const { office } = world
    const owner = await world.openConsole(office.owner, '/admin/channels')
    await owner.page.getByRole('button', { name: /^Edit/ }).first().click()
    const settings = owner.page.getByRole('dialog')
    await settings.getByLabel('Ask consumers for a rating after closing').selectOption('1 to 5')
    await settings.getByLabel('Days in which a contact is asked once').fill('400')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.getByText(/onceDays/).waitFor()
    await settings.getByLabel('Days in which a contact is asked once').fill('0')
    await settings.getByRole('textbox', { name: 'Question', exact: true }).fill('Are you happy with us?')
    await expectAccessible(owner.page)
    await settings.getByRole('textbox', { name: 'Question', exact: true }).scrollIntoViewIfNeeded()
    await keepScreenshot(owner.page, 'channel-survey')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })

    const service = await makeWebService(office)
    const { page } = await world.open(`/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('is my boat ready?')
    const { id, answer } = await agentViewOf(office, 'is my boat ready?')
    await answer({ text: 'yes, come' })
    const closed = await office.gql(
      office.ann,
      'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }',
      {
        id,
      },
    )
    expect(closed.errors).toBeUndefined()
    // The question comes when the closing can no longer be undone.
    await widget.log.getByText('Are you happy with us?').waitFor()
    const form = widget.log.getByRole('form', { name: 'Your rating' })
    await form.getByRole('radio', { name: '4' }).check()
    await form.getByRole('textbox', { name: /Anything to add/ }).fill('Quick.')
    await expectAccessible(page)
    await keepScreenshot(page, 'widget-rating')

    // The same person in another tab.
    const other = await page.context().newPage()
    await other.goto(page.url())
    const second = widgetOf(other)
    await second.open()
    await second.log.getByRole('form', { name: 'Your rating' }).waitFor()
    await form.getByRole('button', { name: 'Send' }).click()
    await widget.log.getByRole('status').getByText('Thank you for your rating: 4').waitFor()
    await second.log.getByRole('status').getByText('Thank you for your rating: 4').waitFor()
    await keepScreenshot(page, 'widget-rated')

    const agent = await world.openConsole(office.ann, `/c/${id}`)
    const shown = agent.page.getByRole('region', { name: 'Rating' })
    await shown.getByText('4 / 5').waitFor()
    await shown.getByText('Quick.').waitFor()
    await expectAccessible(agent.page)
    await keepScreenshot(agent.page, 'thread-rating')
    await agent.page.setViewportSize({ width: 375, height: 812 })
    await agent.page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(agent.page)
    await keepScreenshot(agent.page, 'thread-rating-dark-375')
    const { data } = await office.gql(office.ann, 'query ($id: ID!) { conversation(id: $id) { contactId } }', { id })
    const contact = await world.openConsole(office.owner, `/contacts/${data.conversation.contactId}`)
    const list = contact.page.getByRole('list', { name: 'Ratings' })
    await list.getByText('4 / 5').waitFor()
    await list.getByText('Quick.').waitFor()
    await expectAccessible(contact.page)
    await keepScreenshot(contact.page, 'contact-ratings')
  })
})
