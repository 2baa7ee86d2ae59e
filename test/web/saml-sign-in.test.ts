import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { hasSimpleSamlPhp, startSimpleSamlPhp, type SimpleSamlPhp } from '../sso/simplesamlphp.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { openPublicConsole, publicEnv } from './support/provider-office.js'

const env = await publicEnv()
const { PUBLIC_URL } = env

if (!hasSimpleSamlPhp) {
  process.stderr.write('*** simplesamlphp and php-cli are not installed: sign-ins by it are NOT TESTED ***\n')
}
/** Skipped, as without a browser. */
const todo: typeof describeInBrowser = (name) => it.todo(`${name} needs simplesamlphp`)
const describeWithBoth = hasSimpleSamlPhp ? describeInBrowser : todo

describeWithBoth(
  'SAML in the console',
  (world) => {
    let provider: SimpleSamlPhp
    beforeAll(async () => {
      provider = await startSimpleSamlPhp({
        'sam:secret': { uid: ['sam-1'], mail: ['sam@saml.example'], displayName: ['Sam Test'], groups: ['support'] },
      })
    })
    afterAll(() => provider.close())

    it('sets up a provider, tries it, and signs in by the form that its page posts from another site', async () => {
      const { owner } = world.office
      const { page } = await openPublicConsole(world, PUBLIC_URL, owner, '/admin/signIn')
      await page.getByRole('main').getByRole('button', { name: 'Provider' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Works')
      await dialog.getByLabel('Kind').selectOption('saml')
      await expectAccessible(page)
      await keepScreenshot(page, 'admin-saml-new')
      await dialog.getByRole('button', { name: 'Save' }).click()

      const register = dialog.getByRole('region', { name: 'Register this server at the provider' })
      await register.getByText('Assertion consumer service URL').waitFor()
      const [entity, consumer, start] = await register.locator('code').allTextContents()
      expect(entity).toMatch(/\/sso\/[\w-]{36}\/metadata$/)
      expect(consumer).toMatch(/\/sso\/return\/[\w-]{36}$/)
      provider.register({ entity: entity!, consumer: consumer! })
      await dialog.getByLabel('Metadata of the provider').fill('<a/>')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText(/they are not those of one provider/).waitFor()
      await dialog.getByLabel('Metadata of the provider').fill(provider.metadata)
      await dialog.getByLabel('Make an account for who has none').check()
      await dialog.getByRole('button', { name: 'Row', exact: true }).click()
      await dialog.getByLabel('Claim of row 1').fill('groups')
      await dialog.getByLabel('Value of row 1').fill('support')
      await expectAccessible(page)
      await keepScreenshot(page, 'admin-saml-dialog')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('in use', { exact: true }).waitFor()

      // What was read is shown, and kept by a save that changes nothing.
      await page.getByRole('button', { name: 'Edit: Works' }).click()
      expect(await dialog.getByLabel('Entity ID of the provider').inputValue()).toBe(provider.metadata)
      expect(await dialog.getByLabel('Signing certificates').inputValue()).toContain('-----BEGIN CERTIFICATE-----')
      expect(await dialog.getByLabel('Hours until a session ends').inputValue()).toBe('12')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('in use', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Trial sign-in: Works' }).click()
      await page.locator('input[name=username]').fill('sam')
      await page.locator('input[name=password]').fill('secret')
      await page.locator('input[name=password]').press('Enter')
      const trial = page.getByRole('region', { name: 'Trial sign-in' })
      await trial.getByText('It would make a new account').waitFor()
      await trial.getByText('"displayName"').waitFor()
      expect(page.url()).toBe(`${PUBLIC_URL}/console/admin/signIn`)
      await keepScreenshot(page, 'admin-saml-trial')

      const sam = await world.open(start!)
      const cookies: (string | null)[] = []
      const isReturn = (url: string): boolean => url.startsWith(consumer!)
      sam.page.on('request', (request) => {
        if (isReturn(request.url())) void request.headerValue('cookie').then((cookie) => cookies.push(cookie))
      })
      await sam.page.locator('input[name=username]').fill('sam')
      await sam.page.locator('input[name=password]').fill('secret')
      await sam.page.locator('input[name=password]').press('Enter')
      await sam.page.locator('.rail .live .good').waitFor()
      // The provider's form came without the cookie, and the redirect behind it with it.
      expect(cookies).toEqual([null, expect.stringContaining('switchboard_sso=')])
    })

    it('shows the form on a small dark screen', async () => {
      const { page } = await openPublicConsole(world, PUBLIC_URL, world.office.owner, '/admin/signIn', {
        viewport: { width: 375, height: 812 },
        colorScheme: 'dark',
      })
      await page.getByRole('button', { name: 'Edit: Works' }).click()
      await page.getByRole('dialog').getByLabel('Signing certificates').scrollIntoViewIfNeeded()
      await expectAccessible(page)
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      expect(overflow).toBe(0)
      await keepScreenshot(page, 'admin-saml-dialog-375')
    })
  },
  env,
)
