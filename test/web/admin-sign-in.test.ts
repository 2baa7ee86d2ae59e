import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { startNameServer } from '../support/name-server.js'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { openPublicConsole, publicEnv } from './support/provider-office.js'

const names = await startNameServer()
const env: Record<string, string> & { PUBLIC_URL: string } = { ...(await publicEnv()), DNS_SERVERS: names.address }
const { PUBLIC_URL } = env
const DOMAIN = 'acme.example'

describeInBrowser(
  'Admin, Sign-in',
  (world) => {
    let provider: IdentityProvider
    beforeAll(async () => {
      provider = await startIdentityProvider()
      provider.people.set(`tess@${DOMAIN}`, {
        email: `tess@${DOMAIN}`,
        email_verified: true,
        name: 'Tess Test',
        groups: ['support'],
      })
    })
    afterAll(async () => {
      await provider.close()
      await names.close()
    })

    it('sets up a provider, tries it, verifies a domain, and then its people sign in', async () => {
      const { owner } = world.office
      const { page } = await openPublicConsole(world, PUBLIC_URL, owner, '/admin/signIn')
      await page.getByText('No provider yet').waitFor()
      await page.getByText('No domain yet').waitFor()
      await expectAccessible(page)

      // Its address alone, which is asked.
      await page.getByRole('main').getByRole('button', { name: 'Provider' }).click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByLabel('Name').evaluate((field) => field.matches(':focus'))).toBe(true)
      await dialog.getByLabel('Name').fill('Acme')
      await dialog.getByLabel('Issuer').fill('http://sso.acme.example')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('must begin with https://').waitFor()
      expect(await dialog.getByLabel('Issuer').getAttribute('aria-invalid')).toBe('true')
      await dialog.getByLabel('Issuer').fill(provider.issuer)
      await dialog.getByRole('button', { name: 'Save' }).click()

      // The addresses to register there, and who gets which account.
      const register = dialog.getByRole('region', { name: 'Register this server at the provider' })
      await register.getByText('Redirect URI').waitFor()
      const [redirect, logout, start] = await register.locator('code').allTextContents()
      expect(redirect).toBe(`${PUBLIC_URL}/sso/return`)
      expect([logout, start]).toEqual([
        expect.stringMatching(/\/sso\/[\w-]{36}\/logout$/),
        expect.stringMatching(/\/sso\/[\w-]{36}\/start$/),
      ])
      provider.register({ redirect: redirect!, logout: logout! })
      await dialog.getByLabel('Client ID').fill(provider.client.clientId)
      await dialog.getByLabel('Client secret').fill(provider.client.clientSecret)
      await dialog.getByLabel('Domains for which it speaks').fill(DOMAIN)
      await dialog.getByLabel('Make an account for who has none').check()
      await dialog.getByRole('button', { name: 'Row', exact: true }).click()
      await dialog.getByLabel('Claim of row 1').fill('groups')
      await dialog.getByLabel('Value of row 1').fill('support')
      await dialog.getByText('No channels').click()
      await dialog.getByLabel('Service yard').check()
      await dialog.getByLabel('Hours until a session ends').fill('9000')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText(/maxSessionHours/).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'admin-sign-in-dialog')
      await dialog.getByLabel('Hours until a session ends').fill('12')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('in use', { exact: true }).waitFor()

      // Tokens for SCIM: shown once, two valid while one replaces the other, ended.
      await page.getByRole('button', { name: 'Edit: Acme' }).click()
      const scim = dialog.getByRole('region', { name: 'Users and groups by SCIM' })
      await scim.getByText('No token').waitFor()
      await scim.getByRole('button', { name: 'Make a token' }).click()
      await scim.getByText('This token is shown once').waitFor()
      const [token, address] = await scim.locator('code').allTextContents()
      expect(address).toMatch(/^http.*\/scim\/v2\/[\w-]{36}$/)
      const users = (of: string): Promise<Response> =>
        fetch(`${world.office.url}${new URL(address!).pathname}/Users?count=0`, {
          headers: { authorization: `Bearer ${of}` },
        })
      expect((await users(token!)).status).toBe(200)
      await scim.getByText('It keeps 0 users.').waitFor()
      await scim.getByRole('button', { name: 'Replace the token' }).click()
      await scim.getByText(/ends /).waitFor()
      const [second] = await scim.locator('code').allTextContents()
      expect(second).not.toBe(token)
      expect([(await users(token!)).status, (await users(second!)).status]).toEqual([200, 200])
      await expectAccessible(page)
      await scim.scrollIntoViewIfNeeded()
      await keepScreenshot(page, 'admin-sign-in-scim')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 375, height: 812 })
      await expectAccessible(page)
      await scim.scrollIntoViewIfNeeded()
      await keepScreenshot(page, 'admin-sign-in-scim-375-dark')
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 800 })
      // A third would end the one that the provider may still use.
      await scim.getByRole('button', { name: 'Replace the token' }).click()
      await scim.getByRole('button', { name: 'The older one ends at once. Replace?' }).waitFor()
      expect([(await users(token!)).status, (await users(second!)).status]).toEqual([200, 200])
      await scim.scrollIntoViewIfNeeded()
      await keepScreenshot(page, 'admin-sign-in-scim-ask')
      const older = scim.getByRole('group').filter({ hasText: /ends / })
      await older.getByRole('button').click()
      await older.getByRole('button', { name: 'End at once?' }).click()
      await older.waitFor({ state: 'detached' })
      expect([(await users(token!)).status, (await users(second!)).status]).toEqual([401, 200])
      expect(await scim.getByText(second!).count()).toBe(0)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })

      // A trial: the claims and the role, and no session of that person.
      provider.someone = `tess@${DOMAIN}`
      await page.getByRole('button', { name: 'Trial sign-in: Acme' }).click()
      const trial = page.getByRole('region', { name: 'Trial sign-in' })
      await trial.getByText('It would make a new account').waitFor()
      await trial.getByText('Service yard').waitFor()
      await trial.getByText('Agent', { exact: true }).waitFor()
      await trial.getByText('"support"').waitFor()
      expect(page.url()).toBe(`${PUBLIC_URL}/console/admin/signIn`)
      await expectAccessible(page)
      await keepScreenshot(page, 'admin-sign-in-trial')
      const { data } = await world.office.gql(
        owner,
        'query ($e: String!) { users(first: 1, filter: { email: { eq: $e } }) { totalCount } }',
        {
          e: `tess@${DOMAIN}`,
        },
      )
      expect(data.users.totalCount).toBe(0)
      expect((await world.office.gql(owner, '{ me { id } }')).data.me.id).toBe(owner.id)

      // The domain.
      const domains = page.getByRole('region', { name: 'Domains of your emails' })
      await domains.getByRole('button', { name: 'Domain', exact: true }).click()
      await dialog.getByLabel('Domain').fill('not a domain')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('must be a domain such as example.com').waitFor()
      await dialog.getByLabel('Domain').fill('Acme.Example')
      await dialog.getByRole('button', { name: 'Save' }).click()
      const row = domains.getByRole('group', { name: DOMAIN })
      await row.getByText('not verified').waitFor()
      const [name, value] = await row.locator('code').allTextContents()
      expect(name).toBe(`_switchboard.${DOMAIN}`)
      names.fail()
      await row.getByRole('button', { name: `Verify: ${DOMAIN}` }).click()
      await row.getByText('No name server answers').waitFor()
      names.recover()
      await row.getByRole('button', { name: `Verify: ${DOMAIN}` }).click()
      await row.getByText('There is no such TXT record').waitFor()
      await expectAccessible(page)
      await row.locator('code').last().scrollIntoViewIfNeeded()
      await keepScreenshot(page, 'admin-sign-in-domain')
      names.texts.set(name!, [value!])
      await row.getByRole('button', { name: `Verify: ${DOMAIN}` }).click()
      await row.getByText('verified', { exact: true }).waitFor()
      await domains.getByRole('button', { name: 'Domain', exact: true }).click()
      await dialog.getByLabel('Domain').fill(DOMAIN)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('You have this domain already').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()

      const tess = await world.open(`${PUBLIC_URL}/console`)
      await tess.page.getByRole('textbox', { name: 'Email' }).fill(`tess@${DOMAIN}`)
      await tess.page.getByRole('link', { name: 'Sign in with Acme' }).click()
      await tess.page.locator('.rail .live .good').waitFor()
    })

    it('never shows a secret, keeps it, and says what is refused; archived, the provider is offered no more', async () => {
      const { owner } = world.office
      const { page } = await openPublicConsole(world, PUBLIC_URL, owner, '/admin/signIn', {
        viewport: { width: 375, height: 812 },
        colorScheme: 'dark',
      })
      await page.getByRole('button', { name: 'Edit: Acme' }).waitFor()
      await expectAccessible(page)
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      expect(overflow).toBe(0)
      await keepScreenshot(page, 'admin-sign-in-375')
      await page.getByRole('button', { name: 'Edit: Acme' }).click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByLabel('Client secret').inputValue()).toBe('')
      await dialog.getByText('One is stored').waitFor()
      expect(await dialog.getByLabel('Value of row 1').inputValue()).toBe('support')
      await expectAccessible(page)
      await keepScreenshot(page, 'admin-sign-in-dialog-375')
      // A secret is bound to its application.
      await dialog.getByLabel('Client ID').fill('another')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText(/clientSecret/).waitFor()
      await dialog.getByLabel('Client ID').fill(provider.client.clientId)
      await dialog.getByLabel('Name').fill('Acme Works')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Edit: Acme Works' }).waitFor()

      const visitor = await world.open(`${PUBLIC_URL}/console`)
      await visitor.page.getByRole('textbox', { name: 'Email' }).fill(`tess@${DOMAIN}`)
      await visitor.page.getByRole('link', { name: 'Sign in with Acme Works' }).click()
      await visitor.page.locator('.rail .live .good').waitFor()

      await page.getByRole('button', { name: 'Edit: Acme Works' }).click()
      const answered: string[] = []
      visitor.page.on('requestfinished', (request) => answered.push(request.postData() ?? ''))
      await dialog.getByLabel('State').selectOption('INACTIVE')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('archived', { exact: true }).waitFor()
      // Its sessions end.
      await visitor.page.getByRole('textbox', { name: 'Email' }).fill(`tess@${DOMAIN}`)
      await page.getByRole('button', { name: 'Trial sign-in: Acme Works' }).click()
      await page.getByText('the service is inactive').waitFor()
      await page.getByRole('button', { name: 'Edit: Acme Works' }).click()
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      await dialog.getByRole('button', { name: /^Delete Acme Works/ }).click()
      await page.getByText('No provider yet').waitFor()
      await eventually(() => answered.some((asked) => asked.includes('#SignInMethods.')))
      expect(await visitor.page.getByRole('link', { name: /^Sign in with/ }).count()).toBe(0)
    })

    it.each([
      ['nl', 'Nog geen provider', 'Domeinen van uw e-mailadressen'],
      ['de', 'Noch kein Anbieter', 'Domains Ihrer E-Mail-Adressen'],
      ['fr', 'Aucun fournisseur', 'Domaines de vos adresses e-mail'],
    ])('speaks %s', async (locale, none, domains) => {
      const { page } = await world.open(`${PUBLIC_URL}/console/admin/signIn`, { locale })
      await page.locator('input[type=email]').fill(world.office.owner.email)
      await page.locator('input[type=password]').fill('a password for tests')
      await page.locator('form button.primary').click()
      await page.getByText(none).waitFor()
      await page.getByRole('region', { name: domains }).waitFor()
      await expectAccessible(page)
    })
  },
  env,
)
