import { afterAll, expect, it } from '@jest/globals'
import { rawMail } from '../touchpoints/email/mails.js'
import { startMailbox } from '../support/mailbox.js'
import { until } from '../support/until.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const SUPPORT = 'support@harbour.example'
const SECRET = 'an inbound secret of the test'
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)])

const box = await startMailbox()
afterAll(() => box.close())

describeInBrowser(
  'mail in the console',
  (world) => {
    let service: string
    async function receive(raw: string): Promise<{ conversation: string; message: string }> {
      const { office } = world
      if (!service) {
        const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
        const input = { type: 'email', params: { address: SUPPORT, inboundSecret: SECRET } }
        service = (await office.gql(office.owner, create, { input })).data.createService.id
      }
      const posted = await fetch(`${office.url}/inbound/email/${service}`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
        body: raw,
      })
      return (await posted.json()) as { conversation: string; message: string }
    }

    it('is forwarded with a click or by keyboard, and the answer stands in the thread with who wrote it', async () => {
      const { office } = world
      const { conversation, message } = await receive(
        rawMail({
          from: 'Lena Vos <lena@boats.example>',
          to: SUPPORT,
          subject: 'A leak',
          text: 'She leaks, see the picture.',
          attachments: [{ name: 'leak.png', type: 'image/png', content: PNG }],
        }),
      )
      const { page } = await world.openConsole(office.ann, `/c/${conversation}`)
      const log = page.getByRole('log')
      await log.getByText('She leaks').waitFor()
      const forward = log.getByRole('button', { name: 'Forward' })
      await until(async () => (await forward.count()) === 2)
      await forward.first().press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Forward the message' })
      const to = dialog.getByRole('textbox', { name: 'To', exact: true })
      await to.and(page.locator(':focus')).waitFor()
      await dialog.getByText('leak.png').waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'forward')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 800 })
      await expectAccessible(page)
      await keepScreenshot(page, 'forward-dark-375')
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 860 })
      // What is refused is said, and stays.
      await to.fill(SUPPORT)
      await dialog.getByRole('button', { name: 'Forward' }).click()
      await dialog.getByText('is the address of a service').waitFor()
      await to.fill('sara@supplier.example, tom@supplier.example')
      await dialog.getByRole('textbox', { name: 'Your text above it' }).fill('Can you mend this?')
      await dialog.getByRole('button', { name: 'Forward' }).click()
      await dialog.waitFor({ state: 'detached' })
      await log.getByText('Forwarded to: sara@supplier.example, tom@supplier.example').waitFor()
      await log.getByText('Can you mend this?').waitFor()
      const arrived = await until(() => Promise.resolve(box.mails.at(-1)))
      await log.getByText('Sent', { exact: false }).first().waitFor()
      const { email } = arrived
      expect([arrived.to, email.subject]).toEqual([['sara@supplier.example', 'tom@supplier.example'], 'Fwd: A leak'])
      const { message: answer } = await receive(
        rawMail({
          from: 'Sara Smit <sara@supplier.example>',
          to: email.replyTo![0]!.address!,
          text: 'On Monday we can.',
          messageId: 'answer@supplier.example',
        }),
      )
      expect(answer).not.toBe(message)
      await log.getByText('On Monday we can.').waitFor()
      await log.getByText('Sara Smit').waitFor()
      await log.getByText('answers a forward').waitFor()
      expect(await log.getByText('To: support').count()).toBe(0)
      // Who forwarded it is told, where it is not open.
      await page.goto(`${office.url}/console/queue`)
      await receive(
        rawMail({
          from: 'Sara Smit <sara@supplier.example>',
          to: email.replyTo![0]!.address!,
          text: 'Or on Tuesday.',
          messageId: 'answer-2@supplier.example',
        }),
      )
      await page.getByRole('link', { name: /^Inbox/ }).click()
      await page.getByText('a forward was answered').waitFor()
      await page.goto(`${office.url}/console/c/${conversation}`)
      await log.getByText('Or on Tuesday.').waitFor()
      // An answer is forwarded in its turn, with a warning.
      await until(async () => (await forward.count()) === 5)
      await forward.last().click()
      await dialog.getByText('The consumer does not see this message').waitFor()
      await page.keyboard.press('Escape')
      await keepScreenshot(page, 'forwarded')
      await expectAccessible(page)
    })

    it('has the signature that its writer set, which the composer shows and the settings preview', async () => {
      const { office } = world
      const { conversation } = await receive(
        rawMail({ from: 'Nora <nora@boats.example>', to: SUPPORT, subject: 'Sails', text: 'How much?' }),
      )
      const { page } = await world.openConsole(office.ann, '/settings')
      const box = page.getByRole('region', { name: 'Signature' })
      await box.getByRole('textbox', { name: 'Text or HTML' }).fill('Kind regards,\n{{ agent.name }} <Harbour & co>')
      await box.getByText('Harbour & co').waitFor()
      await box.scrollIntoViewIfNeeded()
      await keepScreenshot(page, 'signature-settings')
      await box.getByRole('button', { name: 'Save' }).click()
      await page.getByText('All saved').waitFor()
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 800 })
      await box.scrollIntoViewIfNeeded()
      await expectAccessible(page)
      await keepScreenshot(page, 'signature-settings-dark-375')
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 860 })
      await page.goto(`${office.url}/console/c/${conversation}`)
      const line = page.locator('summary', { hasText: 'Signature' })
      await line.click()
      await page.locator('details', { hasText: 'Kind regards,' }).waitFor()
      await keepScreenshot(page, 'signature-composer')
      await expectAccessible(page)
      // A note has none.
      await page.getByRole('radio', { name: 'Note' }).check({ force: true })
      await line.waitFor({ state: 'detached' })
      // The channel's takes its place.
      const { page: admin } = await world.openConsole(office.owner, '/admin/channels')
      await admin.getByRole('button', { name: /^Edit/ }).first().click()
      const text = admin.getByRole('textbox', { name: 'Signature of answers by email' })
      await text.fill('The boats\nof the harbour')
      await keepScreenshot(admin, 'signature-channel')
      await admin.getByRole('button', { name: 'Save' }).click()
      await text.waitFor({ state: 'detached' })
      const { data } = await office.gql(office.owner, '{ channels(first: 9) { edges { node { signature } } } }')
      expect(JSON.stringify(data)).toContain('<p>The boats<br />of the harbour</p>')
    })
  },
  { SMTP_URL: box.url, MAIL_SENDERS: 'any' },
)
