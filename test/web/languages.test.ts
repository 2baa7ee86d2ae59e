import { beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { untilPasses } from '../support/until.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD, signIn } from './support/office.js'

describeInBrowser('the languages of the console (2.3)', (world) => {
  let lonelyOwner: MadeUser
  beforeAll(async () => {
    // Of an organization with nothing in it, so that the empty states are shown.
    lonelyOwner = await world.office.makeUser({
      organization: await world.office.makeOrganization({ name: 'New Here' }),
      role: 'owner',
      password: PASSWORD,
      email: 'new@owner.example',
    })
  })

  it.each([
    ['nl', 'Inloggen', 'Wachtrij', 'Aannemen', 'Instellingen'],
    ['de', 'Anmelden', 'Wartende', 'Annehmen', 'Einstellungen'],
    ['fr', 'Se connecter', 'En attente', 'Accepter', 'Réglages'],
  ])(
    'speak %s from the sign-in on, accessible and within a telephone',
    async (locale, signsIn, queue, accept, settings) => {
      const id = await world.office.arrive('Ana', `hello in ${locale}`)
      const { page } = await world.open('/console', {
        locale,
        colorScheme: 'dark',
        viewport: { width: 375, height: 812 },
      })
      await page.getByRole('button', { name: signsIn }).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe(locale)
      await expectAccessible(page)
      await page.locator('input[type=email]').fill(world.office.ann.email)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.getByRole('button', { name: signsIn }).click()
      await page.getByRole('list', { name: queue }).getByText(`hello in ${locale}`).waitFor()
      const screens = [
        ['queue', page.getByRole('heading', { level: 1 })],
        [`c/${id}`, page.getByRole('button', { name: accept })],
        ['settings', page.getByRole('heading', { name: settings })],
      ] as const
      for (const [path, shown] of screens) {
        await page.goto(`${world.office.url}/console/${path}`)
        await shown.first().waitFor()
        await expectAccessible(page)
        const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
        expect({ path, overflow }).toEqual({ path, overflow: 0 })
        await keepScreenshot(page, `${path.split('/')[0]}-${locale}-375`)
      }
    },
  )

  it.each([
    ['nl', 'Kanalen', 'Nog geen kanaal', 'Meer', 'Rapporten', 'Wandbord'],
    ['de', 'Kanäle', 'Noch kein Kanal', 'Mehr', 'Berichte', 'Wandtafel'],
    ['fr', 'Canaux', 'Pas encore de canal', 'Plus', 'Rapports', 'Tableau mural'],
  ])(
    'speak %s in the administration and in the reports too',
    async (locale, channels, none, more, reports, wallboard) => {
      const { page } = await world.open('/console', { locale, viewport: { width: 375, height: 812 } })
      await page.locator('input[type=email]').fill(lonelyOwner.email)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.locator('input[type=password]').press('Enter')
      await page.locator('.rail').waitFor()
      await page.goto(`${world.office.url}/console/admin/channels`)
      await page.getByRole('heading', { name: channels, level: 1 }).waitFor()
      await page.getByRole('heading', { name: none }).waitFor()
      await expectAccessible(page)
      for (const path of ['workflows', 'services', 'users']) {
        await page.goto(`${world.office.url}/console/admin/${path}`)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
        expect({ path, overflow }).toEqual({ path, overflow: 0 })
      }
      // Where a text is English, it is missing.
      const english = /\b(None yet|Add|Delete|Channel|Loading|Save)\b/
      expect(await page.locator('main').innerText()).not.toMatch(english)
      await keepScreenshot(page, `admin-${locale}-375`)

      // On a telephone the rail has room for neither the reports nor the administration: a menu has.
      await page.getByRole('button', { name: more, exact: true }).click()
      await expectAccessible(page)
      await keepScreenshot(page, `more-${locale}-375`)
      await page.getByRole('link', { name: reports }).click()
      await page.getByRole('heading', { name: reports, level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      for (const name of [reports, wallboard]) {
        await page.getByRole('heading', { name, level: 1 }).waitFor()
        await expectAccessible(page)
        expect(await page.locator('main').innerText()).not.toMatch(
          /\b(by|Day|Today|Last|Wait|answer|Count|Download|waiting|online now|Every)\b/,
        )
        const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
        expect({ name, overflow }).toEqual({ name, overflow: 0 })
        await keepScreenshot(page, `${name === reports ? 'reports' : 'wallboard'}-${locale}-375`)
        if (name === reports) await page.getByRole('link', { name: wallboard }).click()
      }
    },
  )

  it.each(['en', 'nl', 'de', 'fr'])('have words in %s that the rail does not break', async (locale) => {
    const { page } = await world.open('/console', { locale, viewport: { width: 1280, height: 800 } })
    await page.locator('input[type=email]').fill(lonelyOwner.email)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.locator('input[type=password]').press('Enter')
    await page.locator('.rail').waitFor()
    const links = page.locator('.rail li > a')
    for (const [width, count] of [
      [1280, 8],
      [375, 4],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await untilPasses(async () => {
        const heights = await links.evaluateAll((all) =>
          all.filter((link) => link.checkVisibility()).map((link) => link.getBoundingClientRect().height),
        )
        expect({ width, heights: new Set(heights).size, count: heights.length }).toEqual({ width, heights: 1, count })
      })
    }
  })

  it('are those that the user chose, in every browser and at sign-in', async () => {
    const { page, context } = await world.openConsole(world.office.bob, '/settings')
    await page.getByLabel('Language', { exact: true }).selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    const other = await world.open('/console')
    await other.page.getByRole('textbox', { name: 'Email' }).waitFor()
    await signIn(other.page, world.office.bob)
    await other.page.getByRole('link', { name: 'Wartende' }).waitFor()
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    await context.close()
  })
})
