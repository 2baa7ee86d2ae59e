import { expect, it } from '@jest/globals'
import { rawMail } from '../touchpoints/email/mails.js'
import { until } from '../support/until.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const SUPPORT = 'support@harbour.example'
const SECRET = 'an inbound secret of the test'
const LAST = `query ($id: ID!) { conversation(id: $id) { messages(last: 1) { edges { node {
  text touchpoint recipients { to cc bcc subject } deliveries { copies { address } } } } } } }`
const DRAFTS = '{ drafts { text mail { subject } } }'

describeInBrowser('an answer by mail in the console', (world) => {
  it('shows who got the mail, and goes to all of them with one click', async () => {
    const { office } = world
    const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
    const input = { type: 'email', params: { address: SUPPORT, inboundSecret: SECRET } }
    const made = await office.gql(office.owner, create, { input })
    const posted = await fetch(`${office.url}/inbound/email/${made.data.createService.id}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
      body: rawMail({
        from: 'Lena Vos <lena@boats.example>',
        to: `Support <${SUPPORT}>, mate@boats.example`,
        subject: 'Our boat',
        text: 'Is she ready?',
        headers: { Cc: 'Skipper <skipper@boats.example>' },
      }),
    })
    const { conversation } = (await posted.json()) as { conversation: string }
    const { page } = await world.openConsole(office.ann, `/c/${conversation}`)
    await page.getByRole('log').getByText('Is she ready?').waitFor()
    await page.getByText(`To: ${SUPPORT}, mate@boats.example · Cc: skipper@boats.example`).waitFor()
    await page.getByRole('button', { name: 'Reply to all' }).click()
    const copies = page.getByRole('textbox', { name: 'Cc', exact: true })
    await until(async () => (await copies.inputValue()) === 'mate@boats.example,skipper@boats.example')
    await page.getByRole('textbox', { name: 'Subject' }).fill('She is ready')
    await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('Come and see')
    // Saved once more after each field: with all that was typed.
    await until(async () => {
      const { data } = await office.gql(office.ann, DRAFTS)
      return data.drafts.some(
        ({ text, mail }: { text: string; mail: { subject: string } | null }) =>
          text === 'Come and see' && mail?.subject === 'She is ready',
      )
    })
    await page.getByText('Draft saved').waitFor()
    // They belong to the draft: after a reload, in another browser, and where the server refuses them.
    await page.reload()
    await until(async () => (await copies.inputValue()) === 'mate@boats.example,skipper@boats.example')
    // What this page has to save goes before what another one has saved.
    await page.getByText('Draft saved').waitFor()
    const { page: elsewhere } = await world.openConsole(office.ann, `/c/${conversation}`)
    const there = elsewhere.getByRole('textbox', { name: 'Subject' })
    await until(async () => (await there.inputValue()) === 'She is ready')
    await elsewhere.getByRole('textbox', { name: 'Bcc' }).fill(SUPPORT)
    await until(async () => (await page.getByRole('textbox', { name: 'Bcc' }).inputValue()) === SUPPORT)
    await elsewhere.context().close()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('is the address of a service').waitFor()
    await copies.waitFor({ state: 'detached' })
    await page.getByRole('log').getByRole('button', { name: 'Edit' }).click()
    await until(async () => (await copies.inputValue()) === 'mate@boats.example,skipper@boats.example')
    await page.getByRole('textbox', { name: 'Bcc' }).fill('')
    await expectAccessible(page)
    await keepScreenshot(page, 'mail-recipients')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 375, height: 800 })
    await expectAccessible(page)
    await keepScreenshot(page, 'mail-recipients-dark-375')
    await page.setViewportSize({ width: 1280, height: 800 })
    // What is no address is said before anything is sent.
    await copies.fill('mate@boats.example, nobody')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await copies.evaluate((input: { validity: { valid: boolean } }) => input.validity.valid)).toBe(false)
    await copies.fill('mate@boats.example, skipper@boats.example')
    await page.getByRole('button', { name: 'Send' }).click()
    const sent = await until(async () => {
      const { data } = await office.gql(office.owner, LAST, { id: conversation })
      const [{ node }] = data.conversation.messages.edges
      return node.text === 'Come and see' && node.deliveries.length > 0 && node
    })
    expect(sent).toMatchObject({
      touchpoint: 'EMAIL',
      recipients: { to: [], cc: ['mate@boats.example', 'skipper@boats.example'], bcc: [], subject: 'She is ready' },
      deliveries: [{ copies: [{ address: 'mate@boats.example' }, { address: 'skipper@boats.example' }] }],
    })
    // The next one is to the contact alone again.
    await copies.waitFor({ state: 'detached' })
    await page.getByText('Cc: mate@boats.example, skipper@boats.example', { exact: true }).waitFor()
    await keepScreenshot(page, 'mail-recipients-sent')
  })
})
