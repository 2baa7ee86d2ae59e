import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD, signIn } from './support/office.js'
import { publicEnv } from './support/provider-office.js'

// Browsers make passkeys for sites with a name.
const env = await publicEnv()

/** A key that is built into the device, and opens by a finger that is always there. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

describeInBrowser(
  'passkeys in the console',
  (world) => {
    it('are added, sign in alone and after the password, are renamed and removed', async () => {
      const { ann } = world.office
      const { page } = await world.open(`${env.PUBLIC_URL}/console`, { viewport: { width: 375, height: 812 } })
      await addAuthenticator(page)
      await signIn(page, ann)
      await page.goto(`${env.PUBLIC_URL}/console/settings`)
      const box = page.getByRole('region', { name: 'Security' })
      const dialog = page.getByRole('dialog')
      await box.getByRole('button', { name: 'Add a passkey' }).click()
      await dialog.getByLabel('Name').fill('Phone')
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await expectAccessible(page)
      await keepScreenshot(page, 'passkey-add')
      // Codes that are on their way must not be lost.
      const asked = Promise.withResolvers<void>()
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes('"Phone"')) {
          asked.resolve()
          await released
        }
        await route.continue()
      })
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await asked.promise
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true })
      release()
      const codes = (await dialog.locator('code', { hasText: '-' }).textContent())!.split('\n')
      expect(codes).toHaveLength(10)
      await page.unroute('**/graphql')
      await dialog.getByRole('button', { name: 'I have kept them' }).click()
      await box.getByText('never used').waitFor()
      await box.getByText('10 of 10 left').waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'passkey-settings')

      await page.getByRole('button', { name: 'Sign out' }).click()
      const use = page.getByRole('button', { name: 'Use a passkey' })
      await use.waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'passkey-sign-in')
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'light' })
      await use.click()
      await box.getByText('last used').waitFor()

      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('textbox', { name: 'Email' }).fill(ann.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('textbox', { name: 'Code' }).waitFor()
      await use.waitFor()
      await expectAccessible(page)
      await use.click()

      await box.getByRole('button', { name: 'Rename: Phone' }).click()
      await dialog.getByLabel('Name').fill('Work phone')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await box.getByRole('button', { name: 'Remove: Work phone' }).click()
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await expectAccessible(page)
      // Without a code, the passkey proves it.
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await box.getByText('Signing in takes your password only').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signIn(page, ann)
    })
  },
  env,
)
