import { HOSTILE_HTML } from './support/hostile-html.js'
import { expect, it } from '@jest/globals'
import { eventually, keepScreenshot, pressKeys } from './support/browser.js'
import { accessibilityFaults, describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD, signIn } from './support/office.js'

describeInBrowser("the console's screens", (world) => {
  const paths = ['queue', 'mine', 'inbox', 'search?q=keel', 'settings', 'admin', 'admin/users', 'admin/channels']
  paths.push('admin/organizations', 'admin/workflows', 'admin/services', 'admin/webhooks', 'admin/canned')
  paths.push('admin/forms', 'admin/articles', 'admin/staffing', 'admin/hours', 'reports', 'reports/wallboard')

  it('fit a window at 200 % zoom, where a conversation can be answered', async () => {
    const id = await world.office.arrive('Zoomed', 'twice as large')
    // A browser zooms by giving the page half as many pixels of its own.
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`, { viewport: { width: 640, height: 400 } })
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('textbox', { name: 'Reply' }).fill('Large and clear.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('Large and clear.').waitFor()
    await keepScreenshot(page, 'thread-zoomed')
    for (const path of ['queue', 'mine', 'inbox', 'search?q=keel', 'settings']) {
      await page.goto(`${world.office.url}/console/${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      expect({ path, overflow }).toEqual({ path, overflow: 0 })
    }
  })

  it('are accessible and fit a telephone, in both themes', async () => {
    await world.office.arrive('Oluwaseun Adébáyọ̀', 'Photo of the crack in the keel')
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 375],
    ] as const) {
      const { page } = await world.open('/console', {
        colorScheme,
        viewport: { width, height: 812 },
      })
      await signIn(page, world.office.owner)
      for (const path of paths) {
        await page.goto(`${world.office.url}/console/${path}`)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        expect({ path, colorScheme, faults: await accessibilityFaults(page) }).toEqual({
          path,
          colorScheme,
          faults: [],
        })
        const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
        expect({ path, overflow }).toEqual({ path, overflow: 0 })
        await keepScreenshot(page, `${path.replaceAll(/\W/g, '-')}-${colorScheme}`)
      }
    }
  })

  // [2.9 isBackchannel shown]
  it('can be operated by keyboard only', async () => {
    const id = await world.office.arrive('Keyboard Only', 'no mouse here')
    const { page } = await world.open('/console')
    await page.getByRole('textbox', { name: 'Email' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(world.office.ann.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('a password for tests')
    await page.keyboard.press('Enter')
    await page.locator('.rail .live .good').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Keyboard Only' }).waitFor()
    // To the last row, which waits the shortest.
    await pressKeys(page, 'list', 'j')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('no mouse here').waitFor()
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await pressKeys(page, 'log', 'a')
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Keys are enough.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('log').getByText('Keys are enough.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.keyboard.type('for colleagues')
    await page.keyboard.press('Control+Enter')
    await page.locator('.notebox').getByText('for colleagues').waitFor()
    await page.keyboard.press('Escape')
    // Out of the palette, by the beginning of its name.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('hand over')
    await page
      .getByRole('option', { name: /^Hand over/ })
      .and(page.locator('[aria-selected=true]'))
      .waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Hand over' })
    await dialog.waitFor()
    await expectAccessible(page)
    await page.getByLabel('Hand over to').selectOption({ label: 'Bob Jansen' })
    await dialog.getByRole('button', { name: 'Hand over' }).press('Enter')
    await page.getByText('handed over to Bob Jansen').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { data } = await world.office.gql(
      world.office.bot,
      'query ($id: ID!) { conversation(id: $id) { status participants { userId } } }',
      { id },
    )
    expect(data.conversation).toEqual({ status: 'ACTIVE', participants: [{ userId: world.office.bob.id }] })
  })

  it('let a user reset a password by a link, and a new colleague set a first one', async () => {
    const { page } = await world.open('/console')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send the link' }).waitFor()
    await page.getByRole('textbox', { name: 'Email' }).fill(world.office.bob.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('This server sends no mail').waitFor()
    await expectAccessible(page)
    const link = async (user: string): Promise<string> => {
      const { data } = await world.office.gql(
        world.office.owner,
        'mutation ($user: ID!) { createSignInLink(user: $user) { url } }',
        { user },
      )
      return world.office.url + new URL(data.createSignInLink.url).pathname + new URL(data.createSignInLink.url).hash
    }
    await page.goto(await link(world.office.bob.id))
    await page.getByRole('textbox', { name: 'Password' }).fill('short')
    await eventually(() => new URL(page.url()).hash === '')
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.locator('.rail .live .good').waitFor()

    const { data } = await world.office.gql(
      world.office.owner,
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }',
      { input: { organization: world.office.organization.id, email: 'new@harbour.example', invite: true } },
    )
    // Also where somebody else is signed in already.
    await page.goto(await link(data.createUser.id))
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill('first password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.locator('.rail .live .good').waitFor()
    await page
      .getByRole('link', { name: 'new@harbour.example' })
      .or(page.getByText('You are in no channel'))
      .first()
      .waitFor()
  })

  it('show hostile messages as text, and execute nothing of them', async () => {
    const id = await world.office.arrive('<script>document.title=1</script>', 'hello')
    // Past the server's own sanitising, as if it had failed.
    await world.office.server.database.query(
      `update message set text = $2, content_type = 'text/html' where conversation_id = $1`,
      [id, HOSTILE_HTML],
    )
    const own = await world.office.arrive('Framed', 'x')
    await world.office.server.database.query(
      `update message set text = $2, content_type = 'text/url' where conversation_id = $1`,
      [own, `${world.office.url}/console`],
    )
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('log').getByRole('link', { name: 'good link' }).waitFor()
    expect(
      await page
        .getByRole('log')
        .locator('script, svg:not(.i), iframe, [onerror], [style], a[href^="javascript"]')
        .count(),
    ).toBe(0)
    expect(await page.title()).not.toBe('1')
    await page.goto(`${world.office.url}/console/c/${own}`)
    await page.getByText('This page is not shown').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await world.office.server.database.query(
      `update message set text = 'https://example.com/page' where conversation_id = $1`,
      [own],
    )
    await page.reload()
    const frame = page.locator('iframe')
    await frame.waitFor()
    expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin allow-forms allow-scripts')
    expect(await frame.getAttribute('referrerpolicy')).toBe('no-referrer')
  })

  it('scroll back through the whole conversation', async () => {
    const id = await world.office.arrive('Long Story', 'message 1')
    for (let count = 2; count <= 130; count++) await world.office.say(id, `message ${count}`)
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('log').getByText('message 130', { exact: true }).waitFor()
    expect(await page.getByRole('log').getByText('message 60', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Load earlier messages' }).click()
    await page.getByRole('log').getByText('message 60', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Load earlier messages' }).click()
    await page.getByRole('log').getByText('message 1', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Load earlier messages' }).count()).toBe(0)
    expect(await page.getByRole('log').locator('.bub').count()).toBe(130)
  })
})
