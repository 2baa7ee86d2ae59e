import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const CLICK = `mutation ($conversation: ID!, $message: ID!, $action: Int!) {
  clickAction(conversation: $conversation, message: $message, action: $action) { id } }`
const SEND = 'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }'

describeInBrowser('buttons, clicks and pages in a thread (2.10)', (world) => {
  const log = (page: Page) => page.getByRole('log')

  async function run(query: string, variables: Record<string, unknown>, as = world.office.ann): Promise<string> {
    const { data, errors } = await world.office.gql<Record<string, { id: string }>>(as, query, variables)
    expect(errors).toBeUndefined()
    return Object.values(data)[0]!.id
  }

  const answer = (c: string, m: object) => run(SEND, { c, m: { role: 'AGENT', ...m } })

  // [2.10 reply bubble, postback echo]
  it('show what was said by a reply, and say apart which postback was pressed', async () => {
    const conversation = await world.office.arrive('Clicker', 'What do you have?')
    const message = await answer(conversation, {
      text: 'Choose',
      actions: [
        { type: 'REPLY', text: 'A sloop', payload: 'INTENT_SLOOP' },
        { type: 'POSTBACK', text: 'More boats', payload: '{"page":2}' },
      ],
    })
    for (const action of [0, 1, 1]) await run(CLICK, { conversation, message, action }, world.office.bot)
    const { page } = await world.openConsole(world.office.ann, `/c/${conversation}`)
    await log(page).locator('.bub').getByText('A sloop', { exact: true }).waitFor()
    await log(page).getByText('Clicker pressed More boats').nth(1).waitFor()
    expect(await log(page).locator('.bub').allTextContents()).toEqual(['What do you have?', 'Choose', 'A sloop'])
    // What is to be pressed is below the agent's message alone.
    expect(await log(page).locator('.choice').allTextContents()).toEqual(['A sloop', 'More boats'])
    expect(await log(page).innerText()).not.toMatch(/INTENT_SLOOP|"page"/)
    await expectAccessible(page)
    await keepScreenshot(page, 'clicks')
  })

  // [2.10 link opens here, link opens elsewhere]
  it("open links to this server in the console's tab, and others in a new one", async () => {
    const [from, to] = [await world.office.arrive('From', 'from here'), await world.office.arrive('To', 'over there')]
    const actions = [
      { type: 'LINK', text: 'Ours', uri: `${world.office.url}/console/c/${to}` },
      { type: 'LINK', text: 'Theirs', uri: 'https://example.com/boats' },
    ]
    await answer(from, { text: 'Look', actions })
    const { page, context } = await world.openConsole(world.office.ann, `/c/${from}`)
    await context.route('https://example.com/**', (route) => route.fulfill({ body: 'elsewhere' }))
    const opened = context.waitForEvent('page')
    await log(page).getByRole('link', { name: 'Theirs' }).click()
    const other = await opened
    await other.waitForURL('https://example.com/boats')
    await other.close()
    await log(page).getByRole('link', { name: 'Ours' }).click()
    await log(page).getByText('over there').waitFor()
    expect(new URL(page.url()).pathname).toContain('/console/c/')
    expect(context.pages()).toEqual([page])
  })

  // [2.10 text/url, text/url plugins, text/url autoplay, text/url pointer lock, text/url navigation, text/url origin,
  // text/url forms, text/url scripts, text/url popups]
  it('frame pages of elsewhere with their own scripts and forms, and nothing that leaves the frame', async () => {
    const conversation = await world.office.arrive('Framer', 'Where is it?')
    await answer(conversation, { contentType: 'TEXT_URL', text: 'https://example.com/page' })
    const { page, context, faults } = await world.openConsole(world.office.ann)
    await context.route('https://example.com/**', (route) => {
      // What the form leads to tries nothing: all that is blocked is known by then.
      const sent = new URL(route.request().url()).searchParams.get('a')
      return route.fulfill({ contentType: 'text/html', body: sent === null ? PAGE : `<p>a=${sent}</p>` })
    })
    await page.goto(`${world.office.url}/console/c/${conversation}`)
    const frame = page.frameLocator('iframe.page-frame')
    await frame.locator('output').filter({ hasText: /./ }).waitFor()
    expect(JSON.parse(await frame.locator('output').innerText())).toEqual({
      // Scripts have run, at home.
      origin: 'https://example.com',
      popup: false,
      top: 'SecurityError',
      autoplay: false,
    })
    await frame.getByRole('button', { name: 'Lock' }).click()
    await frame.locator('output').getByText('locked: no').waitFor()
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByText('a=1').waitFor()
    expect(context.pages()).toEqual([page])
    expect(new URL(page.url()).pathname).toContain('/console/c/')
    const sandbox = await page.locator('iframe.page-frame').getAttribute('sandbox')
    // Plugins run in no sandbox, whatever it allows.
    expect(sandbox!.split(' ').toSorted()).toEqual(['allow-forms', 'allow-same-origin', 'allow-scripts'])
    // The browser writes down what it has blocked.
    for (const flag of ['allow-popups', 'allow-top-navigation', 'allow-pointer-lock'])
      await eventually(() => faults.some((fault) => fault.includes(`'${flag}'`)))
    expect(faults.splice(0).filter((fault) => !fault.includes('sandboxed'))).toEqual([])
  })
})

/** A page that tries what a sandbox keeps from it, and writes down what came of it. */
const PAGE = `<!doctype html><title>Elsewhere</title>
<form action="/sent"><button name="a" value="1">Send</button></form>
<button id="lock">Lock</button>
<output></output>
<script>
  const attempt = (act) => { try { return act() } catch (error) { return error.name } }
  document.querySelector('output').textContent = JSON.stringify({
    origin: location.origin,
    popup: open('https://example.com/popup') !== null,
    top: attempt(() => { top.location.href = 'https://example.com/top'; return 'went' }),
    autoplay: document.featurePolicy ? document.featurePolicy.allowsFeature('autoplay') : false,
  })
  document.querySelector('#lock').onclick = async () => {
    const isLocked = await document.body.requestPointerLock({}).then(() => true, () => false)
    document.querySelector('output').textContent = 'locked: ' + (isLocked ? 'yes' : 'no')
  }
</script>`
