import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot, keptRows, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { signIn } from './support/office.js'

describeInBrowser('at the desk', (world) => {
  const rowOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: name })

  it('a click on the text of a row opens the thread, as one on the row does', async () => {
    await world.office.arrive('Clickable Carl', 'click on this very text')
    const { page } = await world.openConsole(world.office.ann)
    await page.getByText('click on this very text').click()
    await page.waitForURL(/\/c\//)
    await page.getByRole('log').getByText('click on this very text').waitFor()
    await page
      .locator('.row[data-on]')
      .getByRole('link', { name: /^Clickable Carl/ })
      .waitFor()
    await page.getByRole('link', { name: 'Queue', exact: true }).click()
    await page.waitForURL(/\/queue$/)
    await rowOf(page, 'Clickable Carl').getByText('Clickable Carl').click()
    await page.waitForURL(/\/c\//)
    await page.getByRole('log').getByText('click on this very text').waitFor()
    await expectAccessible(page)
  })

  it('closes after what was sent, however slow the line is', async () => {
    const { office } = world
    const id = await office.arrive('Slow Sien', 'are you there?')
    await office.gql(office.ann, 'mutation ($c: ID!) { acceptConversation(conversation: $c) { id } }', { c: id })
    const conversation = async (): Promise<{ status: string; texts: string[] }> => {
      const { data } = await office.gql(
        office.owner,
        'query ($c: ID!) { conversation(id: $c) { status messages(first: 9) { nodes { text } } } }',
        { c: id },
      )
      const { status, messages } = data.conversation
      return { status, texts: messages.nodes.map(({ text }: { text: string }) => text) }
    }
    const { page } = await world.openConsole(office.ann, `/c/${id}`)
    const free = Promise.withResolvers<void>()
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('Goodbye')) await free.promise
      await route.continue().catch(() => undefined)
    })
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('Goodbye')
    await reply.press('Control+Enter')
    await page.locator('.waits').getByText('Goodbye').waitFor()
    await page.getByRole('button', { name: 'Close conversation' }).click()
    await page.waitForURL(({ pathname }) => !pathname.endsWith(id))
    // What the next screen asks for is answered: a closing would be, too.
    await office.arrive('Next Nora', 'and me?')
    await rowOf(page, 'Next Nora').waitFor()
    expect(await conversation()).toEqual({ status: 'ACTIVE', texts: ['are you there?', '/accept'] })
    free.resolve()
    const closed = await eventually(conversation, ({ status }) => status === 'CLOSED')
    expect(closed.texts.slice(0, 3)).toEqual(['are you there?', '/accept', 'Goodbye'])
    await page.getByRole('status').getByText('Closed: Slow Sien').waitFor()
  })

  it('closes with one click, answered or not, opens the next one, and undoes it', async () => {
    const names = ['Unanswered Una', 'Next Nils']
    const ids: string[] = []
    for (const name of names) {
      const id = await world.office.arrive(name, `from ${name}`)
      await world.office.gql(world.office.bob, 'mutation ($c: ID!) { acceptConversation(conversation: $c) { id } }', {
        c: id,
      })
      ids.push(id)
    }
    const { page } = await world.openConsole(world.office.bob, '/mine')
    await page.getByRole('list', { name: 'Mine' }).getByText('Unanswered Una', { exact: true }).click()
    await page.getByRole('log').getByText('from Unanswered Una').waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).fill('half a')
    await page.getByRole('button', { name: 'Close conversation' }).click()
    // The next one opens before the answer, with the focus in its composer.
    await page.getByRole('log').getByText('from Next Nils').waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).and(page.locator(':focus')).waitFor()
    await eventually(async () => (await page.getByRole('textbox', { name: 'Reply' }).inputValue()) === '')
    await page
      .getByRole('list', { name: 'Mine' })
      .getByText('Unanswered Una', { exact: true })
      .waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('Closed: Unanswered Una').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'closed-undo')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('log').getByText('from Unanswered Una').waitFor()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.and(page.locator(':focus')).waitFor()
    await eventually(async () => (await reply.inputValue()) === 'half a')
    await page.getByRole('button', { name: 'Close conversation' }).waitFor()
    await page.getByRole('list', { name: 'Mine' }).getByText('Unanswered Una', { exact: true }).waitFor()
    await eventually(async () => (await page.getByText('Closed: Unanswered Una').count()) === 0)
    // What was typed is done with. By keys: out of the composer, close; undo from anywhere.
    await reply.fill('')
    await page.getByRole('button', { name: 'Close conversation', disabled: false }).waitFor()
    await pressKeys(page, 'log', 'e')
    await page.getByRole('log').getByText('from Next Nils').waitFor()
    await page.keyboard.press('Alt+u')
    await page.getByRole('log').getByText('from Unanswered Una').waitFor()
    // It is shown before the server has answered.
    await eventually(async () => {
      const { data } = await world.office.gql(
        world.office.bob,
        '{ myConversations: conversations(first: 50, filter: { status: { eq: ACTIVE } }) { edges { node { id } } } }',
      )
      const active = data.myConversations.edges.map(({ node }: { node: { id: string } }) => node.id)
      return ids.every((each) => active.includes(each))
    })
  })

  it('a closed conversation is reopened by its bar', async () => {
    const id = await world.office.arrive('Reopened Rita', 'again')
    await world.office.gql(
      world.office.ann,
      `mutation ($c: ID!) { acceptConversation(conversation: $c) { id } closeConversation(conversation: $c) { undoUntil } }`,
      { c: id },
    )
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByText('This conversation is closed').waitFor()
    expect(await page.getByRole('button', { name: 'Close conversation' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Close conversation' }).waitFor()
  })

  it('a reload stays in the list from which a conversation was opened', async () => {
    const id = await world.office.arrive('Mine Minna', 'take me')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Mine', exact: true }).click()
    await page.getByRole('list', { name: 'Mine' }).getByText('take me').click()
    await page.getByRole('log').getByText('take me').waitFor()
    await page.reload()
    await page.getByRole('list', { name: 'Mine' }).getByText('take me').waitFor()
    expect(await page.getByRole('link', { name: 'Mine', exact: true }).getAttribute('aria-current')).toBe('page')
  })

  it('an address that names nothing says so, and every page of the navigation is one', async () => {
    const { page } = await world.openConsole(world.office.owner)
    for (const path of ['nowhere', 'queue/nowhere', 'admin/nowhere']) {
      await page.goto(`${world.office.url}/console/${path}`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    }
    await expectAccessible(page)
    await keepScreenshot(page, 'no-page')
    for (const path of ['', 'queue', 'mine', 'inbox', 'search', 'settings', 'admin', 'reports']) {
      const answer = await page.goto(`${world.office.url}/console/${path}`)
      expect([path, answer!.status()]).toEqual([path, 200])
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(await page.getByText('There is no such page').count()).toBe(0)
    }
  })

  it('what an agent leaves in the browser is there at the next sign-in, and nobody else can read it', async () => {
    const id = await world.office.arrive('Discreet Dora', 'between us')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    // Not to the server: what it has, it keeps for the agent anyway.
    await page.route('**/graphql', (route) =>
      /saveDraft/.test(route.request().postData() ?? '') ? route.abort() : route.continue(),
    )
    await reply.fill('a secret of Ann')
    await eventually(async () => (await keptRows(page)).length > 0)
    await eventually(async () => !(await keptRows(page)).some((row) => row.includes('secret')))
    await page.goto(`${world.office.url}/console/settings`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(page, world.office.bob)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await page.getByRole('log').getByText('between us').waitFor()
    expect(await reply.inputValue()).toBe('')
    expect(await keptRows(page)).toEqual([expect.not.stringContaining('secret')])
    await page.goto(`${world.office.url}/console/settings`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(page, world.office.ann)
    await page.goto(`${world.office.url}/console/c/${id}`)
    await eventually(async () => (await reply.inputValue()) === 'a secret of Ann')
  })

  it('goes on in another tab when the one that owns the socket crashes', async () => {
    const first = await world.openConsole(world.office.bob)
    const second = await world.open('/console/queue', { context: first.context })
    await second.page.locator('.rail .live .good').waitFor()
    await world.office.arrive('Before Crash', 'to both')
    await rowOf(second.page, 'Before Crash').waitFor()
    const crashed = new Promise((resolve) => first.page.once('crash', resolve))
    const cdp = await first.context.newCDPSession(first.page)
    void cdp.send('Page.crash').catch(() => undefined)
    await crashed
    await second.page.bringToFront()
    await world.office.arrive('After Crash', 'to the one that is left')
    await rowOf(second.page, 'After Crash').waitFor()
    await second.page.locator('.rail .live .good').waitFor()
    expect(await rowOf(second.page, 'Before Crash').count()).toBe(1)
  })
})
