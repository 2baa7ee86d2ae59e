import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { CLIENT, startMailProvider, type MailProvider } from '../touchpoints/mailbox/mail-provider.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'
import { openPublicConsole, publicEnv } from './support/provider-office.js'

const env = await publicEnv()
const { PUBLIC_URL } = env
const ACCOUNT = 'support@harbour.example'

describeInBrowser(
  'a sign-in for a mailbox in the console',
  (world) => {
    let provider: MailProvider
    beforeAll(async () => {
      provider = await startMailProvider(ACCOUNT)
      const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
      const params = { address: ACCOUNT, user: ACCOUNT, access: 'microsoft', tokenUrl: provider.tokenUrl, ...CLIENT }
      const { office } = world
      for (const input of [
        { type: 'mailbox', status: 'INACTIVE', name: 'Support', params },
        { type: 'mailbox', status: 'INACTIVE', name: 'Unready', params: {} },
      ]) {
        expect((await office.gql(office.owner, create, { input })).errors).toBeUndefined()
      }
    })
    afterEach(() => provider.reset())
    afterAll(() => provider.close())

    it('leads to the provider and back, and says what came of it', async () => {
      const { page } = await openPublicConsole(world, PUBLIC_URL, world.office.owner, '/admin/services')
      await page.getByRole('button', { name: 'Set up: Support' }).click()
      const section = page.getByRole('dialog').getByRole('region', { name: 'Sign in', exact: true })
      await section.getByText(`${PUBLIC_URL}/services/authorized`).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'mailbox-sign-in')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 800 })
      await expectAccessible(page)
      await keepScreenshot(page, 'mailbox-sign-in-dark-375')
      await section.getByRole('button', { name: 'Sign in at Microsoft 365' }).click()
      await page.getByRole('status').getByText('Signed in. The provider has granted its use.').waitFor()
      // What came of it stays in no history.
      expect(page.url()).toBe(`${PUBLIC_URL}/console/admin/services`)
      await expectAccessible(page)
      await keepScreenshot(page, 'mailbox-signed-in-dark-375')
    })

    it('says of another account which one it was, in the language of the user', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/console/admin/services`, { locale: 'de' })
      await page.locator('input[type=email]').fill(world.office.owner.email)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.locator('form button.primary').click()
      provider.account = 'boss@harbour.example'
      await page.getByRole('button', { name: 'Einrichten: Support' }).click()
      await page.getByRole('button', { name: 'Bei Microsoft 365 anmelden' }).click()
      const said = page.getByRole('alert').getByText(/als boss@harbour\.example angemeldet/)
      await said.waitFor()
      expect(await said.textContent()).toContain(ACCOUNT)
      await expectAccessible(page)
      await keepScreenshot(page, 'mailbox-signed-in-as-another')
      await page.getByRole('button', { name: 'Schließen', exact: true }).click()
      await said.waitFor({ state: 'detached' })
    })

    it('is not offered to a mailbox of other servers, and shows no words of others', async () => {
      const { page } = await openPublicConsole(world, PUBLIC_URL, world.office.owner, '/admin/services')
      await page.getByRole('button', { name: 'Set up: Unready' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Test now' }).waitFor()
      expect(await page.getByRole('button', { name: /^Sign in at/ }).count()).toBe(0)
      const words = new URLSearchParams({
        fault: 'OTHER_ACCOUNT',
        account: 'call 555-1234 now@x',
        expected: '<b>x</b>@y',
        error: 'call us',
      })
      await page.goto('about:blank')
      await page.goto(`${PUBLIC_URL}/console/admin/services#authorization=${words.toString()}`)
      await page.getByRole('alert').getByText('you signed in as another account').waitFor()
      expect(await page.locator('main').textContent()).not.toMatch(/555|call us|<b>/)
    })
  },
  env,
)
