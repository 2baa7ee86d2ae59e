import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'
import { addProvider, DOMAIN, knowPeople, openPublicConsole, publicEnv } from './support/provider-office.js'

const env = await publicEnv()
const { PUBLIC_URL } = env

describeInBrowser(
  'linked accounts in the console',
  (world) => {
    let provider: IdentityProvider
    beforeAll(async () => {
      provider = await startIdentityProvider()
      await addProvider(world, provider, { name: 'Acme' })
      await knowPeople(world, provider, [`olga@${DOMAIN}`, 'ann@private.example', 'bob@private.example'])
    })
    afterAll(() => provider.close())

    const boxOf = (page: Page) => page.getByRole('region', { name: 'Security' })
    /** Tells whether it is on the screen, however long the page is, and the rest is where it was. */
    async function isInSight(page: Page, what: Locator): Promise<boolean> {
      const [app, box] = [await page.locator('.app').boundingBox(), await what.boundingBox()]
      return app?.y === 0 && box !== null && box.y >= 0 && box.y + box.height <= page.viewportSize()!.height
    }
    /** Goes to the provider, where this person is. */
    async function link(page: Page, person: string, password = PASSWORD): Promise<void> {
      provider.someone = person
      await page.context().clearCookies({ domain: '127.0.0.1' })
      await boxOf(page).getByRole('button', { name: 'Link: Acme' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Current password').fill(password)
      await dialog.getByRole('button', { name: 'Continue' }).click()
    }

    it('are linked while one is signed in, sign in from then on, and are unlinked', async () => {
      const { owner } = world.office
      const { page } = await openPublicConsole(world, PUBLIC_URL, owner, '/settings', {
        viewport: { width: 375, height: 812 },
      })
      const box = boxOf(page)
      await link(page, owner.email, 'another password')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This is not your password').waitFor()
      expect(await dialog.getByLabel('Current password').evaluate((field) => field.matches(':focus'))).toBe(true)
      await expectAccessible(page)
      await keepScreenshot(page, 'identities-link-375')
      await dialog.getByLabel('Current password').fill('')
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByText('Enter your password').waitFor()
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      const said = box.getByText('Acme is linked')
      await said.waitFor()
      await eventually(() => isInSight(page, said))
      await box.getByText(owner.email).waitFor()
      await page.waitForURL(`${PUBLIC_URL}/console/settings`)
      await expectAccessible(page)
      await keepScreenshot(page, 'identities-linked-375')
      // Said once.
      await page.reload()
      await box.getByText(owner.email).waitFor()
      expect(await box.getByText('Acme is linked').count()).toBe(0)

      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('textbox', { name: 'Email' }).fill(owner.email)
      await page.getByRole('link', { name: 'Sign in with Acme' }).click()
      await box.getByText(/last used/).waitFor()
      await box.getByRole('button', { name: 'Unlink: Acme' }).click()
      await box.getByRole('button', { name: /^Unlink, and end its sessions/ }).click()
      await box.getByRole('button', { name: 'Link: Acme' }).waitFor()
      expect(await box.getByText(owner.email).count()).toBe(0)
    })

    it('say why they were not linked', async () => {
      const { ann, bob } = world.office
      const anns = await openPublicConsole(world, PUBLIC_URL, ann, '/settings', { colorScheme: 'dark' })
      await link(anns.page, 'ann@private.example')
      await boxOf(anns.page).getByText('Acme is linked').waitFor()
      const { page } = await openPublicConsole(world, PUBLIC_URL, bob, '/settings')
      const box = boxOf(page)
      await link(page, 'nobody')
      await eventually(() => isInSight(page, box.getByText('The provider did not let you in')))
      // The reason goes from the address after it is on the screen.
      await page.waitForURL(`${PUBLIC_URL}/console/settings`)
      await expectAccessible(page)
      await link(page, 'ann@private.example')
      await eventually(() => isInSight(page, box.getByText('linked to somebody else here')))
      await keepScreenshot(page, 'identities-taken')
      await page.goto(`${PUBLIC_URL}/console/settings#link=${'x'.repeat(43)}`)
      await page.reload()
      await box.getByText('It took too long, or it was done already').waitFor()
      await link(page, 'bob@private.example')
      await box.getByText('Acme is linked').waitFor()
      await world.office.server.database.query('update app_user set password_hash = null where id = $1', [bob.id])
      await box.getByRole('button', { name: 'Unlink: Acme' }).click()
      await box.getByRole('button', { name: /^Unlink, and end its sessions/ }).click()
      await box.getByText('It is your only way to sign in').waitFor()
      await expectAccessible(page)
    })

    it('keep to their places, however long the name of a provider is', async () => {
      const { owner, gql } = world.office
      const other = await startIdentityProvider({ clientId: 'other' })
      const name = `Beta ${'ship'.repeat(30)} שלום`
      const id = await addProvider(world, other, { name })
      const { page } = await openPublicConsole(world, PUBLIC_URL, owner, '/settings', {
        viewport: { width: 375, height: 812 },
      })
      const button = boxOf(page).getByRole('button', { name: /^Link: Beta/ })
      await button.scrollIntoViewIfNeeded()
      const overflow = await page.locator('#main > .scroll').evaluate((main) => main.scrollWidth - main.clientWidth)
      expect(overflow).toBe(0)
      await keepScreenshot(page, 'identities-long-375')
      await button.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Continue' }).waitFor()
      expect(await dialog.locator('.pad').evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
      await keepScreenshot(page, 'identities-long-dialog-375')
      await gql(owner, 'mutation ($id: ID!) { deleteService(id: $id) }', { id })
      await other.close()
    })

    it('of others are unlinked by an administrator in the user’s dialog', async () => {
      const { owner } = world.office
      const { page } = await openPublicConsole(world, PUBLIC_URL, owner, '/admin/users', { colorScheme: 'dark' })
      await page.getByRole('button', { name: /^Edit: Ann/ }).click()
      const box = page.getByRole('dialog').getByRole('region', { name: 'Linked accounts' })
      await box.getByText('ann@private.example').waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'identities-admin')
      await box.getByRole('button', { name: 'Unlink: Acme' }).click()
      await box.getByRole('button', { name: /^Unlink, and end its sessions/ }).click()
      await box.getByText('None').waitFor()
    })
  },
  env,
)
