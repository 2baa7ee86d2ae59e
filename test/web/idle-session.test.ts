import { expect, it } from '@jest/globals'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'

const MINUTE_MS = 60_000

describeInBrowser('a session that nobody uses', (world) => {
  it('is used by whoever has neither a pointer nor keys, as by dictation', async () => {
    const { office } = world
    const id = await office.arrive('Dina Dictate', 'hello there')
    const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }'
    expect((await office.gql(office.bob, accept, { id })).errors).toBeUndefined()
    const { page } = await world.openConsole(office.bob, `/c/${id}`)
    await page.getByRole('textbox', { name: 'Reply' }).focus()
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      performance.now = () => now() + 120_000
    })
    const told = page.waitForRequest(
      (request) =>
        request.url().endsWith('/graphql') &&
        request.headers()['switchboard-unattended'] === undefined &&
        request.postData()!.includes('Attend'),
    )
    await page.keyboard.insertText('said and not typed')
    expect((await (await told).response())!.status()).toBe(200)
  })

  it('ends, leads to the sign-in, and loses nothing of what was being written', async () => {
    const { office } = world
    const set = 'mutation { updateSignInPolicy(patch: { idleMinutes: 30 }) { version } }'
    expect((await office.gql(office.owner, set)).errors).toBeUndefined()
    const id = await office.arrive('Vera Visser', 'Is my boat ready?')
    const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }'
    expect((await office.gql(office.ann, accept, { id })).errors).toBeUndefined()
    const { page } = await world.openConsole(office.ann, `/c/${id}`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('half a sentence')
    await page.locator('.draft-word').waitFor()
    office.clock.advance(36 * MINUTE_MS)
    await page.locator('input[type=password]').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'session-idle')
    await page.locator('input[type=email]').fill(office.ann.email)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.locator('form button.primary').click()
    // The box is there before what the browser keeps has been read.
    await eventually(async () => (await reply.inputValue()) === 'half a sentence')
  })

  it('is told by a page whether somebody is at it', async () => {
    const { office } = world
    const id = await office.arrive('Wim Wit', 'hello')
    const { page } = await world.openConsole(office.bob, `/c/${id}`)
    await page.getByText('hello').first().waitFor()
    const asked = (isUnattended: boolean, part: string) =>
      page.waitForRequest((request) => {
        const { 'switchboard-unattended': mark } = request.headers()
        return (
          request.url().endsWith('/graphql') && (mark === '1') === isUnattended && request.postData()!.includes(part)
        )
      })
    // The page's clock goes on by two minutes, in which nobody does anything: what it asks by itself says so.
    const alone = asked(true, 'query')
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      performance.now = () => now() + 120_000
    })
    expect((await alone).method()).toBe('POST')
    // Somebody reads again, which asks for nothing else.
    const read = asked(false, 'Attend')
    await page.mouse.move(200, 200)
    await page.mouse.move(210, 210)
    expect((await (await read).response())!.status()).toBe(200)
  })
})
