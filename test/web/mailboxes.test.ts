import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Dovecot, hasDovecot } from '../support/dovecot.js'
import { deliver, letter, trustLoopback } from '../touchpoints/mailbox/mail-client.js'
import { mailboxParams } from '../touchpoints/mailbox/mailbox-fixture.js'
import { until } from '../support/until.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const MANY_PARTS = ['Content-Type: multipart/mixed; boundary=b', '', ...Array(1_200).fill('--b\r\n\r\nx'), '--b--']

let mail: Dovecot
let distrust: () => void
beforeAll(async () => {
  if (!hasDovecot()) return
  distrust = trustLoopback()
  mail = await Dovecot.start()
})
afterAll(async () => {
  await mail?.close()
  distrust?.()
})

const withDovecot = hasDovecot() ? describe : describe.skip

withDovecot('with a mail server', () => {
  describeInBrowser(
    'the ledger of a mailbox in the console',
    (world) => {
      it('says of every mail what became of it, filters, and reads one again', async () => {
        const { office } = world
        const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
        const input = { type: 'mailbox', name: 'Support', params: mailboxParams(mail) }
        const { data, errors } = await office.gql(office.owner, create, { input })
        expect(errors).toBeUndefined()
        const { page } = await world.openConsole(office.owner, '/admin/services')
        await page.getByRole('link', { name: 'Mails: Support' }).click()
        const ledger = page.getByRole('region', { name: 'Support', exact: true })
        await ledger.getByText('0 listed = 0 stored + 0 named').waitFor()
        await expectAccessible(page)
        const kept = 'query ($id: ID!) { service(id: $id) { mailbox { readAt pending listed } } }'
        const listed = async (): Promise<number> =>
          (await office.gql(office.owner, kept, { id: data.createService.id })).data.service.mailbox.listed
        // What came before the first look is not the service's.
        await until(
          async () =>
            (await office.gql(office.owner, kept, { id: data.createService.id })).data.service.mailbox?.readAt,
        )
        await deliver(mail, [
          letter({ subject: 'Where is my boat?', from: 'Lena Vos <lena@boats.example>' }),
          letter({
            subject: 'Out of office',
            text: 'Back on Monday',
            head: ['Auto-Submitted: auto-replied'],
            from: 'otto@boats.example',
          }),
          letter({ subject: 'A puzzle', body: MANY_PARTS.join('\r\n'), from: 'pit@boats.example' }),
          letter({ subject: 'An invoice', from: 'ivo@boats.example' }),
        ])
        await until(async () => (await listed()) === 4)
        await page.reload()
        await ledger.getByText('4 listed = 2 stored + 2 named').waitFor()
        await ledger.getByRole('group', { name: 'Health' }).getByText('1 automatic answer · 1 unreadable').waitFor()
        await ledger.getByRole('rowheader', { name: 'Where is my boat?' }).waitFor()
        await ledger.getByText('the mail cannot be parsed: it has more than 1000 parts').waitFor()
        await expectAccessible(page)
        await keepScreenshot(page, 'mailbox-ledger')
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.setViewportSize({ width: 375, height: 800 })
        await expectAccessible(page)
        await keepScreenshot(page, 'mailbox-ledger-dark-375')
        await page.setViewportSize({ width: 1280, height: 800 })
        await ledger.getByRole('combobox', { name: 'What became of it' }).selectOption('AUTOMATIC')
        await ledger.getByRole('rowheader', { name: 'Where is my boat?' }).waitFor({ state: 'detached' })
        await ledger.getByRole('button', { name: /^Read again/ }).click()
        await ledger.getByText('4 listed = 3 stored + 1 named').waitFor()
        await ledger.getByRole('combobox', { name: 'What became of it' }).selectOption('')
        await ledger.getByRole('rowheader', { name: 'Out of office' }).waitFor()
        await ledger.getByRole('link', { name: 'Out of office' }).click()
        await page.getByRole('log').getByText('Back on Monday').first().waitFor()
      })

      it('says why a mailbox is not read, and loses nothing meanwhile', async () => {
        const { office } = world
        const { page } = await world.openConsole(office.owner, '/admin/mailboxes')
        mail.setPassword('another')
        mail.cutSessions()
        const ledger = page.getByRole('region', { name: 'Support', exact: true })
        await ledger.getByText(/the server refuses the sign-in/).waitFor()
        await ledger.getByText('failing').waitFor()
        await expectAccessible(page)
        await keepScreenshot(page, 'mailbox-failing')
      })
    },
    { WEBHOOK_ALLOW_PRIVATE: 'true' },
  )
})
