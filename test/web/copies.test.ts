import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startMailbox, type Mailbox } from '../support/mailbox.js'
import { until } from '../support/until.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

let box: Mailbox
/** Environment of the server, which starts after the mailbox. */
const env: Record<string, string> = {}
beforeAll(async () => {
  box = await startMailbox()
  env.SMTP_URL = box.url
})
afterAll(() => box.close())

const mailsTo = (address: string) => box.mails.filter(({ to }) => to.includes(address))

describeInBrowser(
  'copies by email',
  (world) => {
    it('are asked for in the widget with a code, and in the console for the contact', async () => {
      const { office } = world
      const service = await makeWebService(office)
      const { page } = await world.open(`/widget/demo?service=${service}`)
      const widget = widgetOf(page)
      await widget.open()
      const copy = page.getByRole('button', { name: 'Copy by email' })
      await widget.say('is my boat ready?')
      const { id, answer } = await agentViewOf(office, 'is my boat ready?')
      await answer({ text: 'yes, come' })
      await widget.log.getByText('yes, come').waitFor()
      // Nobody offers a person where one has answered.
      await page.getByRole('button', { name: 'Talk to a person' }).waitFor({ state: 'hidden' })
      await copy.click()
      const form = page.getByRole('form', { name: 'Copy by email' })
      await form.getByRole('textbox', { name: 'Your email address' }).fill('boat@example.com')
      await expectAccessible(page)
      await keepScreenshot(page, 'widget-copy')
      await form.getByRole('button', { name: 'Send me a code' }).click()
      const mail = await until(() => mailsTo('boat@example.com')[0])
      const code = /^\d{8}$/m.exec(mail.email.text!)![0]
      const box2 = form.getByRole('textbox', { name: 'Code from the email' })
      await box2.fill('12345678')
      await form.getByRole('button', { name: 'Send the copy' }).click()
      await form
        .getByRole('alert')
        .getByText(/code is wrong/)
        .waitFor()
      await box2.fill(code)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 700 })
      await expectAccessible(page)
      await keepScreenshot(page, 'widget-copy-dark-375')
      await form.getByRole('button', { name: 'Send the copy' }).click()
      await form.getByText('A copy is on its way to boat@example.com.').waitFor()
      await until(() => mailsTo('boat@example.com').some(({ email }) => email.text!.includes('yes, come')))
      await form.getByRole('button', { name: 'Dismiss' }).click()
      await form.waitFor({ state: 'detached' })

      const agent = await world.openConsole(office.ann, `/c/${id}`)
      await agent.page.getByText('sent a copy by email').waitFor()
      const { data } = await office.gql(office.ann, 'query ($id: ID!) { conversation(id: $id) { contactId } }', { id })
      const changed = await office.gql(
        office.owner,
        'mutation ($id: ID!) { updateContact(id: $id, patch: { profile: { email: "carl-boat@example.com" } }) { id } }',
        { id: data.conversation.contactId },
      )
      expect(changed.errors).toBeUndefined()
      await agent.page.keyboard.press('Control+k')
      const palette = agent.page.getByRole('dialog')
      await palette.getByRole('combobox').fill('copy by')
      await palette.getByRole('option', { name: 'Send a copy by email' }).click()
      const dialog = agent.page.getByRole('dialog', { name: 'Send a copy by email' })
      await dialog.getByText('carl-boat@example.com').waitFor()
      await expectAccessible(agent.page)
      await keepScreenshot(agent.page, 'console-copy')
      await agent.page.emulateMedia({ colorScheme: 'dark' })
      await agent.page.setViewportSize({ width: 375, height: 812 })
      await expectAccessible(agent.page)
      await keepScreenshot(agent.page, 'console-copy-dark-375')
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await until(() => mailsTo('carl-boat@example.com').some(({ email }) => email.text!.includes('yes, come')))
    })
  },
  env,
)
