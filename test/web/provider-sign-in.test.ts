import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD, signIn } from './support/office.js'
import { addProvider, DOMAIN, knowPeople, openPublicConsole, publicEnv } from './support/provider-office.js'

const env = await publicEnv()
const { PUBLIC_URL } = env

describeInBrowser(
  'the sign-in page with providers',
  (world) => {
    let provider: IdentityProvider
    beforeAll(async () => {
      provider = await startIdentityProvider()
      await addProvider(world, provider, { name: 'Acme' })
      await knowPeople(world, provider, [`ann@${DOMAIN}`, `bob@${DOMAIN}`, `olga@${DOMAIN}`, `stranger@${DOMAIN}`])
    })
    afterEach(() => void (provider.instead = null))
    afterAll(() => provider.close())

    const emailOf = (page: Page) => page.getByRole('textbox', { name: 'Email' })
    const passwordOf = (page: Page) => page.getByRole('textbox', { name: 'Password' })
    const acme = (page: Page) => page.getByRole('link', { name: 'Sign in with Acme' })
    const isLive = (page: Page): Promise<void> => page.locator('.rail .live .good').waitFor()
    /** Waits for it: the address changes a moment before or after what is on the screen. */
    const expectAt = (page: Page, path: string): Promise<void> =>
      page.waitForURL(({ href }) => href === PUBLIC_URL + path)

    it('offers the provider of the email’s domain, and leads where one was going', async () => {
      const asked: string[] = []
      const { page } = await world.open(`${PUBLIC_URL}/console/mine`, {
        viewport: { width: 375, height: 812 },
        colorScheme: 'dark',
      })
      page.on('request', (request) => request.url().endsWith('/graphql') && asked.push(request.postData() ?? ''))
      await emailOf(page).pressSequentially(`ann@${DOMAIN}`)
      await acme(page).waitFor()
      await passwordOf(page).waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, 'provider-sign-in-375')
      // By the domain alone: who it is stays on the page.
      expect(asked.join()).toContain(`@${DOMAIN}`)
      expect(asked.join()).not.toContain('ann')
      await acme(page).click()
      await isLive(page)
      await expectAt(page, '/console/mine')
      await page.reload()
      await isLive(page)
      const { data } = await world.office.gql(
        world.office.owner,
        'query ($id: ID!) { sessions(user: $id) { id } identities(user: $id) { email } }',
        { id: world.office.ann.id },
      )
      expect(data.identities).toEqual([{ email: `ann@${DOMAIN}` }])
      // The next one in this tab does not see who it was.
      await page.goto(`${PUBLIC_URL}/console/settings`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      expect(await emailOf(page).inputValue()).toBe('')
    })

    it('says the same of an email that has no account, and of a domain that nobody owns that a password is needed', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/console`)
      const shownFor = async (email: string): Promise<string> => {
        await emailOf(page).fill(email)
        await acme(page).waitFor()
        return (await page.locator('main').textContent())!
      }
      const known = await shownFor(`ann@${DOMAIN}`)
      await emailOf(page).fill('')
      await acme(page).waitFor({ state: 'detached' })
      expect(await shownFor(`unknown@${DOMAIN}`)).toBe(known)
      await emailOf(page).fill('ann@nowhere.example')
      await acme(page).waitFor({ state: 'detached' })
      await emailOf(page).press('Enter')
      await page.getByText('Enter your password.').waitFor()
      expect(await passwordOf(page).evaluate((field) => field.matches(':focus'))).toBe(true)
      await expectAccessible(page)
    })

    it('leads from the email alone to the only provider; with both fields filled in, the password counts', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/console/settings?odd=(|)+%27`)
      // Before anything was asked for.
      await emailOf(page).fill(`bob@${DOMAIN}`)
      await emailOf(page).press('Enter')
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
      await expectAt(page, '/console/settings?odd=(%7C)+%27')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signIn(page, world.office.bob)
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
    })

    it('lets one choose among several', async () => {
      const other = await startIdentityProvider({ clientId: 'other' })
      const name = `Beta ${'and the people of the harbour '.repeat(3)}${'ship'.repeat(25)} שלום`
      const second = await addProvider(world, other, { name })
      const { page } = await world.open(`${PUBLIC_URL}/console`, { viewport: { width: 375, height: 812 } })
      await emailOf(page).fill(`bob@${DOMAIN}`)
      await emailOf(page).press('Enter')
      await page.getByText('choose one of the other ways below').waitFor()
      await page.getByRole('link', { name: 'Sign in with Beta' }).waitFor()
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      await keepScreenshot(page, 'provider-sign-in-several-375')
      expect(overflow).toBe(0)
      await expectAccessible(page)
      await acme(page).click()
      await isLive(page)
      await expectAt(page, '/console')
      await world.office.gql(world.office.owner, 'mutation ($id: ID!) { deleteService(id: $id) }', { id: second })
      await other.close()
    })

    it('says why it was refused, keeps the email, and leads where one was going after all', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/console/mine`, { colorScheme: 'dark' })
      const tryAs = async (email: string): Promise<void> => {
        // The provider forgets who was there before.
        await page.context().clearCookies({ domain: '127.0.0.1' })
        await emailOf(page).fill(email)
        await acme(page).click()
      }
      await tryAs(`stranger@${DOMAIN}`)
      await page.getByText('you have no account here').waitFor()
      await expectAt(page, '/console/mine')
      await expectAccessible(page)
      await keepScreenshot(page, 'provider-sign-in-refused')
      expect(await emailOf(page).inputValue()).toBe(`stranger@${DOMAIN}`)
      await tryAs(`nobody@${DOMAIN}`)
      await page.getByText('The provider did not let you in').waitFor()
      await tryAs(`olga@${DOMAIN}`)
      await page.getByText('not linked to this provider yet').waitFor()
      provider.instead = (request, response) => {
        const isOfServer = request.headers['accept']?.includes('text/html') !== true
        if (isOfServer) return void request.socket.destroy()
        // Browsers are sent back at once, as by a provider whose pages work and whose other half does not.
        const query = new URL(request.url!, provider.issuer).searchParams
        const back = new URL(query.get('redirect_uri')!)
        back.search = String(new URLSearchParams({ code: 'x', state: query.get('state')!, iss: provider.issuer }))
        response.writeHead(303, { location: back.href }).end()
      }
      await tryAs(`ann@${DOMAIN}`)
      await page.getByText('The provider does not answer').waitFor()
      provider.instead = null
      await expectAt(page, '/console/mine')
      await page.reload()
      await emailOf(page).fill(`ann@${DOMAIN}`)
      await acme(page).waitFor()
      expect(await page.getByText('The provider does not answer').count()).toBe(0)
      await tryAs(`ann@${DOMAIN}`)
      await isLive(page)
      await expectAt(page, '/console/mine')
    })

    it('says so of an attempt that is too old, or is nobody’s, and of reasons that it does not know', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/sso/return?state=${'x'.repeat(43)}&code=x`)
      await page.getByText('That attempt was too old').waitFor()
      await page.goto(`${PUBLIC_URL}/console?refused=QUERY_TOO_LONG`)
      await page.getByText('tell an administrator: QUERY_TOO_LONG.').waitFor()
      // What others write into an address is not said.
      await page.goto(`${PUBLIC_URL}/console?refused=Call%20us`)
      await emailOf(page).waitFor()
      expect(await page.getByRole('alert').allTextContents()).toEqual([''])
    })

    it.each([
      ['nl', 'je hebt hier geen account'],
      ['de', 'Sie haben hier kein Konto'],
      ['fr', 'vous n’avez pas de compte ici'],
    ])('speaks %s', async (locale, refused) => {
      const { page } = await world.open(`${PUBLIC_URL}/console?refused=NOT_PROVISIONED`, {
        locale,
        viewport: { width: 375, height: 812 },
      })
      await page.getByText(refused).waitFor()
      await page.locator('input[type=email]').fill(`ann@${DOMAIN}`)
      await page.getByRole('link', { name: /Acme$/ }).waitFor()
      await expectAccessible(page)
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      expect(overflow).toBe(0)
      await keepScreenshot(page, `provider-sign-in-refused-${locale}-375`)
    })

    it('can be used again by whoever comes back from the provider by the browser’s button', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/console/mine`)
      provider.instead = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>At the provider</title><p>Who are you?')
      }
      await emailOf(page).fill(`ann@${DOMAIN}`)
      await acme(page).click()
      await page.getByText('Who are you?').waitFor()
      provider.instead = null
      await page.goBack()
      await emailOf(page).fill(`ann@${DOMAIN}`)
      await page.getByRole('button', { name: 'Sign in', disabled: false }).waitFor()
      await acme(page).click()
      await isLive(page)
      await expectAt(page, '/console/mine')
    })

    it('settles a sign-out of which the server has not heard, before the next session begins', async () => {
      const { page } = await openPublicConsole(world, PUBLIC_URL, world.office.ann, '/settings')
      await page.route('**/console/session', (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
      )
      await page.getByRole('button', { name: 'Sign out' }).click()
      await emailOf(page).fill(`bob@${DOMAIN}`)
      await acme(page).click()
      await page.getByText('The server does not answer').waitFor()
      await page.unroute('**/console/session')
      await acme(page).click()
      await page.getByText(`Bob Jansen · bob@${DOMAIN}`).waitFor()
      await page.reload()
      await page.getByText(`Bob Jansen · bob@${DOMAIN}`).waitFor()
      await expectAt(page, '/console/settings')
    })

    it('is shown again in all tabs as soon as the provider tells of a sign-out', async () => {
      const { page, context } = await world.open(`${PUBLIC_URL}/console/mine`)
      await emailOf(page).fill(`ann@${DOMAIN}`)
      await acme(page).click()
      await isLive(page)
      const { page: second } = await world.open(`${PUBLIC_URL}/console/queue`, { context })
      await isLive(second)
      await provider.end(async (address, { method = 'GET', body } = {}) => {
        const form = body instanceof URLSearchParams ? Object.fromEntries(body) : undefined
        const response = await context.request.fetch(address, { method, ...(form && { form }) })
        return { text: await response.text() }
      })
      await emailOf(page).waitFor()
      await emailOf(second).waitFor()
      await expectAt(page, '/console/mine')
    })

    it('tells whoever is signed in already why another sign-in led to nothing', async () => {
      const { page } = await openPublicConsole(world, PUBLIC_URL, world.office.ann, '/mine?refused=NOT_PROVISIONED')
      const toast = page.getByRole('alert').filter({ hasText: 'you have no account here' })
      await toast.waitFor()
      await expectAccessible(page)
      await expectAt(page, '/console/mine')
      await toast.getByRole('button', { name: 'Close' }).click()
      await toast.waitFor({ state: 'detached' })
    })

    it('has the fields that password managers look for, and offers the provider after a wrong password', async () => {
      const { page } = await world.open(`${PUBLIC_URL}/console`)
      expect(await emailOf(page).getAttribute('autocomplete')).toBe('username')
      expect(await passwordOf(page).getAttribute('autocomplete')).toBe('current-password')
      await emailOf(page).fill(`ann@${DOMAIN}`)
      await passwordOf(page).fill(`${PASSWORD} wrong`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page
        .getByRole('alert')
        .filter({ hasText: /wrong|password/i })
        .waitFor()
      await acme(page).click()
      await isLive(page)
    })
  },
  env,
)
