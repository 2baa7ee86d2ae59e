import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'

const REFUSED = {
  en: 'from your organization’s networks only',
  nl: 'alleen vanuit de netwerken van uw organisatie',
  de: 'nur aus den Netzen Ihrer Organisation',
  fr: 'que depuis les réseaux de votre organisation',
}

describeInBrowser('the sign-in policy in the console', (world) => {
  it('is shown in sentences, is changed, and says at its field why not', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/signIn')
    const policy = page.getByRole('region', { name: 'Sign-in policy' })
    await policy.getByText('Users sign in from anywhere.').waitFor()
    await policy.getByRole('button', { name: 'Edit: Sign-in policy' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Networks of users').fill('192.0.2.0/24')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('That would shut out you').waitFor()
    expect(await dialog.getByLabel('Networks of users').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Networks of users').fill('127.0.0.0/8\n::1\n192.0.2.0/24')
    await dialog.getByLabel('Shortest password').fill('14')
    await dialog.getByLabel('Hours until a session ends').fill('12')
    await expectAccessible(page)
    await keepScreenshot(page, 'sign-in-policy-dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await policy.getByText('A session ends after 12 hours').waitFor()
    await policy.getByText('these networks only: 127.0.0.0/8, ::1/128, 192.0.2.0/24').waitFor()
    await policy.getByText('A new password has 14 characters or more').waitFor()
    expect(await policy.getByText('own rule').count()).toBe(3)
    await expectAccessible(page)
    await keepScreenshot(page, 'sign-in-policy')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 375, height: 812 })
    await policy.scrollIntoViewIfNeeded()
    await expectAccessible(page)
    await keepScreenshot(page, 'sign-in-policy-dark-375')
  })

  it('closes the page of who is elsewhere, and the sign-in page says why, in each language', async () => {
    const { office } = world
    const { page } = await world.openConsole(office.ann)
    await page.locator('.rail .live .good').waitFor()
    await office.server.database.query(`update sign_in_policy set allowed_networks = '{192.0.2.0/24}'`)
    await page.locator('input[type=password]').waitFor()
    for (const [locale, words] of Object.entries(REFUSED)) {
      const visitor = await world.open(`${office.url}/console`, { locale })
      await visitor.page.locator('input[type=email]').fill(office.ann.email)
      await visitor.page.locator('input[type=password]').fill(PASSWORD)
      await visitor.page.locator('form button.primary').click()
      await visitor.page.getByText(words).waitFor()
      await expectAccessible(visitor.page)
    }
    await office.server.database.query('update sign_in_policy set allowed_networks = null')
    await page.locator('input[type=email]').fill(office.ann.email)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.locator('form button.primary').click()
    await page.locator('.rail .live .good').waitFor()
  })

  it('says to who chooses a password how long it must be', async () => {
    const { office } = world
    const query = 'mutation ($u: ID!) { createSignInLink(user: $u) { url } }'
    const { data } = await office.gql(office.owner, query, { u: office.ann.id })
    const { page } = await world.open(`${office.url}/console/reset#${data.createSignInLink.url.split('#')[1]}`)
    await page.locator('input[type=password]').fill('twelve chars')
    await page.locator('form button.primary').click()
    await page.getByText('asks for a password of 14 characters or more').waitFor()
    await page.locator('input[type=password]').fill('passwordpassword')
    await page.locator('form button.primary').click()
    await page.getByText('Many use this password').waitFor()
    expect(await page.locator('input[type=password]').getAttribute('aria-invalid')).toBe('true')
    await page.locator('input[type=password]').fill('a quiet meadow at noon')
    await page.locator('form button.primary').click()
    await page.locator('.rail .live .good').waitFor()
  })
})
