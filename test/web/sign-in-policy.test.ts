import { afterEach, expect, it } from '@jest/globals'
import { generateSync } from 'otplib'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'

const ANN = 'Ann de Vries'
const REFUSED = {
  en: 'from your organization’s networks only',
  nl: 'alleen vanuit de netwerken van uw organisatie',
  de: 'nur aus den Netzen Ihrer Organisation',
  fr: 'que depuis les réseaux de votre organisation',
}

describeInBrowser('the sign-in policy in the console', (world) => {
  // What a test that failed has left is not in the way of the next.
  afterEach(async () => {
    world.office.clock.goOn()
    await world.office.server.database.query(
      `update sign_in_policy set second_factor = null, all_factor_since = null, admins_factor_since = null,
         grace_days = null, allowed_networks = null`,
    )
  })

  const askForLongPasswords = async (): Promise<void> => {
    const set = 'mutation { updateSignInPolicy(patch: { passwordMinLength: 14 }) { version } }'
    expect((await world.office.gql(world.office.owner, set)).errors).toBeUndefined()
  }

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
    await dialog.getByLabel('Minutes until an unused session ends').fill('30')
    await dialog.getByLabel('People sign in').selectOption({ label: 'By a provider only' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Ends at once:').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Without a password you, or everybody, could not sign in').waitFor()
    await dialog.getByLabel('People sign in').selectOption({ label: 'By a password or a provider' })
    await expectAccessible(page)
    await keepScreenshot(page, 'sign-in-policy-dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await policy.getByText('A session ends after 12 hours').waitFor()
    await policy.getByText('these networks only: 127.0.0.0/8, ::1/128, 192.0.2.0/24').waitFor()
    await policy.getByText('A new password has 14 characters or more').waitFor()
    await policy.getByText('A session ends when nobody has used it for 30 minutes.').waitFor()
    expect(await policy.getByText('own rule').count()).toBe(4)
    await expectAccessible(page)
    await keepScreenshot(page, 'sign-in-policy')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 375, height: 812 })
    await policy.scrollIntoViewIfNeeded()
    await expectAccessible(page)
    await keepScreenshot(page, 'sign-in-policy-dark-375')
  })

  it('says what a change ends at once before it does it, and shows until when a token works', async () => {
    const { office } = world
    const input = { email: 'robot@example.com', displayName: 'Robot', role: 'BOT' }
    const create = 'mutation ($i: CreateUserInput!) { createUser(input: $i) { id apiToken } }'
    const { data } = await office.gql(office.owner, create, { i: input })
    // As if it had been made in 2025: an id has the time of its creation.
    const old = '019470a0-0000-7000-8000-000000000000'
    await office.server.database.query('update app_user set api_token_id = $2 where id = $1', [data.createUser.id, old])
    const { page } = await world.openConsole(office.owner, '/admin/signIn')
    const policy = page.getByRole('region', { name: 'Sign-in policy' })
    await policy.getByText('API tokens do not expire.').waitFor()
    await policy.getByRole('button', { name: 'Edit: Sign-in policy' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Days until an API token ends').fill('90')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Ends at once: 1 API token. Save again to do it all the same.').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'sign-in-policy-ends')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await policy.getByText('An API token ends 90 days after it was made.').waitFor()

    const users = (await world.openConsole(office.owner, '/admin/users')).page
    await users.getByRole('button', { name: 'Edit: Robot' }).click()
    const tokens = users.getByRole('region', { name: 'API tokens' })
    await tokens.getByText('by the sign-in policy').waitFor()
    await expectAccessible(users)
    await keepScreenshot(users, 'api-tokens')
    await tokens.getByRole('button', { name: 'New token' }).click()
    await tokens.getByRole('button', { name: 'The present one ends at once' }).click()
    await tokens.getByText('shown only this once').waitFor()
    const made = await tokens.locator('code').textContent()
    const answer = await office.gql(made!, '{ me { displayName } }')
    expect(answer.data.me.displayName).toBe('Robot')
    await users.emulateMedia({ colorScheme: 'dark' })
    await users.setViewportSize({ width: 375, height: 812 })
    await tokens.scrollIntoViewIfNeeded()
    await expectAccessible(users)
    await keepScreenshot(users, 'api-tokens-dark-375')
  })

  it('asks for a second factor, which the sign-in sets up once the time is over', async () => {
    const { office } = world
    const dialogOf = async () => {
      const { page } = await world.openConsole(office.owner, '/admin/signIn')
      await page.getByRole('button', { name: 'Edit: Sign-in policy' }).click()
      return { page, dialog: page.getByRole('dialog') }
    }
    const { page, dialog } = await dialogOf()
    await dialog.getByLabel('Second factor').selectOption({ label: 'Everybody' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Without a second factor so far: 3.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('You have no second factor yourself').waitFor()
    await dialog.getByLabel('Days to set it up').fill('14')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Save again').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('All who sign in by a password have a second factor; 14 days to set it up.').waitFor()
    // The sign-in leads there.
    const settings = (await world.openConsole(office.bob)).page
    await settings.waitForURL('**/console/settings#security')
    await settings.getByText('Your organization asks for a second factor. Set it up by').waitFor()
    await expectAccessible(settings)
    await keepScreenshot(settings, 'second-factor-due')
    await office.server.database.query(`update sign_in_policy set all_factor_since = '2026-01-01'`)
    await office.server.database.query(`update app_user set created_at = '2026-01-01' where id = $1`, [office.bob.id])

    const visitor = await world.open('/console')
    await visitor.page.locator('input[type=email]').fill(office.bob.email)
    await visitor.page.locator('input[type=password]').fill(PASSWORD)
    await visitor.page.locator('form button.primary').click()
    await visitor.page.getByText('Your organization asks for one').waitFor()
    const secret = (await visitor.page.locator('code').textContent())!
    await expectAccessible(visitor.page)
    await keepScreenshot(visitor.page, 'second-factor-enrol')
    await visitor.page.emulateMedia({ colorScheme: 'dark' })
    await visitor.page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(visitor.page)
    await keepScreenshot(visitor.page, 'second-factor-enrol-dark-375')
    // The clock stands: a slow machine is never too late with a code.
    office.clock.standAt()
    const epoch = Math.floor(office.clock.now().getTime() / 1_000)
    await visitor.page.locator('#code').fill(generateSync({ secret, epoch }))
    await visitor.page.locator('form button.primary').click()
    await visitor.page.getByText('You have no recovery codes').waitFor()
    office.clock.goOn()
    await expectAccessible(visitor.page)
    await office.server.database.query(
      'update sign_in_policy set second_factor = null, all_factor_since = null, admins_factor_since = null, grace_days = null',
    )
    expect(
      (await office.gql(office.bob, '{ secondFactor(user: "me") { methods } }')).data.secondFactor.methods,
    ).toEqual(['TOTP'])
  })

  it('explains a refused password in the language of who sets it', async () => {
    const { office } = world
    await askForLongPasswords()
    const { page } = await world.open('/console/admin/users', { locale: 'de' })
    await page.locator('input[type=email]').fill(office.owner.email)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.locator('form button.primary').click()
    await page.getByRole('button', { name: `Bearbeiten: ${ANN}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=password]').fill('twelve chars')
    await dialog.locator('button.primary').click()
    await dialog.getByText('verlangt ein Passwort mit mindestens 14 Zeichen').waitFor()
    expect(await dialog.locator('input[type=password]').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
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
    await askForLongPasswords()
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
