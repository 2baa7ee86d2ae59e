import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { until } from '../support/until.js'
import { bodyOf, NUMBER, startCloudApi, type CloudApi } from '../touchpoints/whatsapp/cloud-api.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'

const HOUR_MS = 3_600_000

const template = (name: string, language: string, text: string, ...others: object[]): object => ({
  id: `90${name.length}${language}`,
  name,
  language,
  category: 'UTILITY',
  status: 'APPROVED',
  components: [{ type: 'BODY', text }, ...others],
})

describeInBrowser(
  'the way of an answer in the composer',
  (world) => {
    let cloud: CloudApi
    let service: string
    let people = 0

    beforeAll(async () => {
      cloud = await startCloudApi()
      cloud.templates.push(
        template('boat_ready', 'en', 'Hello {{1}}, your boat is ready on {{2}}.', {
          type: 'FOOTER',
          text: 'Harbour Boats',
        }),
        template('boat_ready', 'nl', 'Dag {{1}}, uw boot ligt klaar op {{2}}.'),
        template('thanks', 'en', 'Thank you for your visit.'),
      )
      service = await make({ type: 'whatsapp', params: { ...NUMBER, apiUrl: cloud.url } })
      await until(async () => {
        const query = 'query ($service: ID!) { templates(service: $service) { id } }'
        return (await world.office.gql(world.office.ann, query, { service })).data.templates.length === 3
      })
    })
    afterAll(() => cloud.close())

    async function make(input: object): Promise<string> {
      const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
      const { data, errors } = await world.office.gql(world.office.owner, create, { input })
      if (errors) throw new Error(errors[0]!.message)
      return data.createService.id
    }

    const sql = (text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
      world.office.server.database.query(text, values)

    /** A message of a person, who wrote it some hours ago. */
    async function write(phone: string, body: string, hoursAgo = 0): Promise<void> {
      const timestamp = String(Math.floor((Date.now() - hoursAgo * HOUR_MS) / 1_000))
      const said = { id: `wamid.in.${phone}.${body.length}`, from: phone, timestamp, type: 'text', text: { body } }
      const value = { contacts: [{ profile: { name: 'Konstantina P' }, wa_id: phone }], messages: [said] }
      expect(await cloud.call(`${world.office.url}/inbound/whatsapp/${service}`, bodyOf(value))).toBe(200)
    }

    /** A conversation that Ann has accepted. */
    async function begun(hoursAgo: number): Promise<{ phone: string; id: string }> {
      const phone = `316${String(30_000_000 + ++people)}`
      await write(phone, `Is she ready? ${people}`, hoursAgo)
      const [row] = await until(async () => {
        const rows = await sql(
          `select c.id from conversation c join contact_handle h on h.contact_id = c.contact_id where h.address = $1`,
          phone,
        )
        return rows.length > 0 && rows
      })
      const id = row!.id as string
      const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }'
      expect((await world.office.gql(world.office.ann, accept, { id })).errors).toBeUndefined()
      return { phone, id }
    }

    const endsIn = (phone: string, ms: number) =>
      sql(
        `update contact_handle set open_until = $2, machines_until = $2 where address = $1`,
        phone,
        new Date(Date.now() + ms),
      )

    /** As when the page is looked at again. */
    const look = (page: Page): Promise<void> =>
      page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`) as Promise<void>

    const box = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
    const closed = (page: Page) => page.getByText(/WhatsApp has been closed since .*, until Konstantina writes/)
    const sentTo = (phone: string) => cloud.sent.filter(({ to }) => to === phone)

    it('is shown with its end, closes while the agent writes, and loses nothing of what was written', async () => {
      const { phone, id } = await begun(21.5)
      const { page, context } = await world.openConsole(world.office.ann, `/c/${id}`)
      await page.getByText('to Konstantina by WhatsApp').waitFor()
      await page.getByText(/^Open until (?:\w+ )?\d\d:\d\d, 2 h left$/).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'route-open')
      await box(page).fill('She is')
      await box(page).press('Enter')
      await until(() => sentTo(phone).length === 1)
      await box(page).fill('And she floats')
      await endsIn(phone, 3_000)
      await look(page)
      await page.getByText('WhatsApp closes in less than 10 minutes').waitFor({ state: 'attached' })
      await closed(page).waitFor()
      await page.getByText('What you wrote stays here.').waitFor()
      await box(page).press('Enter')
      const choose = page.getByRole('status').getByRole('button', { name: 'Choose a template' })
      await choose.and(page.locator(':focus')).waitFor()
      expect(await box(page).inputValue()).toBe('And she floats')
      await expectAccessible(page)
      await keepScreenshot(page, 'route-closed')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 812 })
      await expectAccessible(page)
      await keepScreenshot(page, 'route-closed-dark-375')
      // A note goes in any case.
      await page.getByRole('radio', { name: 'Note' }).check()
      await closed(page).waitFor({ state: 'detached' })
      await page.getByRole('radio', { name: 'Reply' }).check()
      await closed(page).waitFor()
      const { page: elsewhere } = await world.open(`/console/c/${id}`, { context })
      await closed(elsewhere).waitFor()
      await until(async () => (await box(elsewhere).inputValue()) === 'And she floats')
      // Her next message opens it, in both tabs.
      await write(phone, 'Are you there?')
      await closed(page).waitFor({ state: 'detached' })
      await closed(elsewhere).waitFor({ state: 'detached' })
      await box(page).press('Enter')
      await until(() => sentTo(phone).some(({ text }) => text?.body === 'And she floats'))
      await until(async () => (await box(elsewhere).inputValue()) === '')
    })

    it('takes a template by the keyboard alone once it is closed, and refuses missing values in words', async () => {
      const { phone, id } = await begun(30)
      const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
      await closed(page).waitFor()
      await box(page).fill('My own words')
      await page.keyboard.press('Enter')
      const choose = page.getByRole('status').getByRole('button', { name: 'Choose a template' })
      await choose.and(page.locator(':focus')).waitFor()
      // Sooner it would still be the end of the text.
      await page.waitForTimeout(700)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Choose a template' })
      const search = dialog.getByRole('searchbox', { name: 'Find a template' })
      await dialog.getByRole('radio', { name: /thanks/ }).waitFor()
      await search.press('b')
      await dialog.getByRole('radio', { name: /thanks/ }).waitFor({ state: 'detached' })
      await dialog.getByRole('combobox', { name: 'Language' }).selectOption('en')
      expect(await dialog.getByRole('radio').count()).toBe(1)
      await dialog.getByText('Hello {{1}}, your boat is ready on {{2}}.').waitFor()
      await search.press('Enter')
      await dialog.getByRole('alert').getByText('Fill in “1”.').waitFor()
      await dialog.getByRole('textbox', { name: '1' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type('Konstantina')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Thursday')
      await dialog.getByText('Hello Konstantina, your boat is ready on Thursday.').waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'template')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 812 })
      await expectAccessible(page)
      await keepScreenshot(page, 'template-dark-375')
      // Closed and opened again, all is there.
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await box(page).inputValue()).toBe('My own words')
      await page.getByRole('status').getByRole('button', { name: 'Choose a template' }).click()
      await dialog.getByText('Hello Konstantina, your boat is ready on Thursday.').waitFor()
      // The provider pauses it meanwhile.
      await sql(`update message_template set status = 'paused' where service_id = $1 and language = 'en'`, service)
      await dialog.getByRole('button', { name: 'Send the template' }).click()
      await dialog.getByRole('alert').getByText('does not take this template any more').waitFor()
      await sql(`update message_template set status = 'approved' where service_id = $1`, service)
      await page.keyboard.press('Escape')
      await page.getByRole('status').getByRole('button', { name: 'Choose a template' }).click()
      await dialog.getByText('Hello Konstantina, your boat is ready on Thursday.').waitFor()
      await dialog.getByRole('textbox', { name: '2' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('log').getByText('Hello Konstantina, your boat is ready on Thursday.').waitFor()
      await until(() => sentTo(phone).some(({ template: sent }) => sent?.name === 'boat_ready'))
      expect(await box(page).inputValue()).toBe('My own words')
    })

    it('is another one where one is open, and goes back to the closed one only on purpose', async () => {
      const { id } = await begun(30)
      await make({ type: 'email', name: 'Harbour mail', params: { address: 'desk@harbour.example' } })
      const [{ contact_id: contact }] = (await sql('select contact_id from conversation where id = $1', id)) as [
        { contact_id: string },
      ]
      const patch = { profile: { name: 'Konstantina P', email: 'konstantina@boats.example' } }
      const update = 'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }'
      expect((await world.office.gql(world.office.owner, update, { id: contact, patch })).errors).toBeUndefined()
      const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
      await page.getByText('Your answer goes by Email.').waitFor()
      await box(page).fill('A letter')
      const way = page.getByRole('combobox', { name: 'Send by' })
      expect(await way.locator('option').allTextContents()).toEqual([
        'to Konstantina by Email',
        'to Konstantina by WhatsApp (not now)',
      ])
      await way.selectOption('to Konstantina by WhatsApp (not now)')
      await closed(page).waitFor()
      expect(await box(page).inputValue()).toBe('A letter')
      await keepScreenshot(page, 'route-other')
      await page.getByRole('button', { name: 'By Email instead' }).click()
      await box(page).and(page.locator(':focus')).waitFor()
      await closed(page).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const query = `query ($id: ID!) { conversation(id: $id) { messages(last: 1) { edges { node { text touchpoint } } } } }`
      const last = await until(async () => {
        const { data } = await world.office.gql(world.office.ann, query, { id })
        const [{ node }] = data.conversation.messages.edges
        return node.text === 'A letter' && node
      })
      expect(last.touchpoint).toBe('EMAIL')
    })

    it('says below a message that met a closed window what to do', async () => {
      const { id } = await begun(30)
      const send =
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }'
      const message = { role: 'AGENT', text: 'Too late', touchpoint: 'MESSENGER' }
      expect((await world.office.gql(world.office.ann, send, { id, message })).errors).toBeUndefined()
      const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
      await page.getByRole('log').getByRole('button', { name: 'Choose a template' }).click()
      await page.getByRole('dialog', { name: 'Choose a template' }).getByRole('radio').first().waitFor()
      await expectAccessible(page)
    })

    it.each([
      ['nl', 'WhatsApp is gesloten sinds', 'Kies een sjabloon'],
      ['de', 'WhatsApp ist seit', 'Vorlage wählen'],
      ['fr', 'WhatsApp est fermé depuis', 'Choisir un modèle'],
    ])('speaks %s, accessible and within a telephone', async (locale, says, choose) => {
      const { id } = await begun(30)
      const { page } = await world.open('/console', { locale, viewport: { width: 375, height: 812 } })
      await page.locator('input[type=email]').fill(world.office.ann.email)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.locator('input[type=password]').press('Enter')
      await page.locator('.rail').waitFor()
      await page.goto(`${world.office.url}/console/c/${id}`)
      await page.getByText(says).waitFor()
      await page.getByRole('button', { name: choose }).last().click()
      await page.getByRole('dialog', { name: choose }).getByRole('radio').first().waitFor()
      await expectAccessible(page)
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      expect(overflow).toBe(0)
      await keepScreenshot(page, `template-${locale}-375`)
    })
  },
  { WEBHOOK_ALLOW_PRIVATE: 'true' },
)
