import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { bodyOf, NUMBER, startCloudApi, type CloudApi } from '../touchpoints/whatsapp/cloud-api.js'
import { addStoredParams } from '../support/stored-params.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

let cloud: CloudApi
beforeAll(async () => {
  cloud = await startCloudApi()
})
afterAll(() => cloud.close())

describeInBrowser(
  'a service that is set up in the console',
  (world) => {
    it('leads from the provider to a message that has come in, and to its answer', async () => {
      const { office } = world
      const { page } = await world.openConsole(office.owner, '/admin/services')
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Service', exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Harbour phone')
      await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('WhatsApp')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('make an app with WhatsApp').waitFor()
      await dialog.getByRole('textbox', { name: 'Id of the telephone number' }).fill(NUMBER.phoneNumberId)
      await dialog.getByRole('textbox', { name: 'Access token' }).fill(NUMBER.accessToken)
      await dialog.getByRole('textbox', { name: 'Secret of the app' }).fill(NUMBER.appSecret)
      await expectAccessible(page)
      await keepScreenshot(page, 'service-params')
      await dialog.getByRole('button', { name: 'Save' }).click()

      // What the provider is given: its handshake and its messages arrive with nothing else.
      const steps = dialog.getByRole('region', { name: 'At the provider' })
      await steps.waitFor()
      const [address, verifyToken] = await steps.locator('code').allTextContents()
      const service = address!.split('/').at(-1)!
      await addStoredParams(office.server, service, { apiUrl: cloud.url })
      const handshake = new URL(`/inbound/whatsapp/${service}`, office.url)
      const query = { 'hub.mode': 'subscribe', 'hub.challenge': '314', 'hub.verify_token': verifyToken! }
      handshake.search = new URLSearchParams(query).toString()
      expect(await (await fetch(handshake)).text()).toBe('314')

      await dialog.getByRole('button', { name: 'Test now' }).click()
      await dialog.getByText('It works.').waitFor()
      const waits = dialog.getByRole('status', { name: 'Write from your own telephone or address' })
      await waits.getByText(/waiting \d+ s/).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'service-set-up')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 800 })
      await expectAccessible(page)
      await keepScreenshot(page, 'service-set-up-dark-375')

      const from = '31612345678'
      const message = {
        id: 'wamid.own',
        from,
        timestamp: String(Date.now() / 1_000),
        type: 'text',
        text: { body: 'Hello' },
      }
      const contacts = [{ wa_id: from, profile: { name: 'Owner' } }]
      await cloud.call(`${office.url}/inbound/whatsapp/${service}`, bodyOf({ contacts, messages: [message] }))
      await waits.getByText('It has come in.').waitFor()
      const { data } = await office.gql(
        office.owner,
        '{ conversations(first: 1, orderBy: [{ field: CREATED_AT, direction: DESC }]) { edges { node { id } } } }',
      )
      const conversation = data.conversations.edges[0].node.id as string
      await office.gql(office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', {
        id: conversation,
      })
      await office.gql(
        office.ann,
        'mutation ($id: ID!) { sendMessage(conversation: $id, message: { role: AGENT, text: "Good day" }) { id } }',
        { id: conversation },
      )
      await waits.getByText('Your answer has gone out.').waitFor()
      expect(cloud.sent.at(-1)).toMatchObject({ to: from, text: { body: 'Good day' } })

      // Opened again, a secret is not shown.
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await page.getByRole('button', { name: 'Set up: Harbour phone' }).click()
      await dialog.getByText('Not shown again.').waitFor()
      expect(await steps.locator('code').allTextContents()).toEqual([address])
    })

    it('keeps what no field of it was changed: an empty list, and that it has no name', async () => {
      const { office } = world
      const { data } = await office.gql(
        office.owner,
        'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
        { input: { type: 'web', params: { title: 'Harbour', allowedOrigins: ['https://shop.example'] } } },
      )
      const { id } = data.createService as { id: string }
      const { page } = await world.openConsole(office.owner, '/admin/services')
      await page.getByRole('button', { name: 'Edit: Web chat' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Heading' }).fill('The harbour')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const [row] = await office.server.database.query('select name, params from service where id = $1', [id])
      expect(row).toEqual({ name: null, params: { title: 'The harbour', allowedOrigins: ['https://shop.example'] } })
    })

    it('has its fields also if it is opened before the server has described them', async () => {
      const { office } = world
      await office.gql(office.owner, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
        input: { type: 'web', name: 'Early', params: { title: 'Harbour' } },
      })
      const { page } = await world.openConsole(office.owner, '/admin/services')
      const described = Promise.withResolvers<void>()
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes('#AdminServiceKinds')) await described.promise
        await route.continue()
      })
      await page.reload()
      await page.getByRole('button', { name: 'Edit: Early' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Settings' }).waitFor()
      described.resolve()
      await dialog.getByRole('textbox', { name: 'Heading' }).fill('The harbour')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const rows = await office.server.database.query("select params from service where name = 'Early'")
      expect(rows).toEqual([{ params: { title: 'The harbour' } }])
    })
  },
  { WEBHOOK_ALLOW_PRIVATE: 'true' },
)
