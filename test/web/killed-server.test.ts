import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { freePort, Victim } from '../../bench/chaos/victim.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { buildWeb, eventually, hasBrowser, keepScreenshot, launch, openTab } from './support/browser.js'
import { widgetOf } from './support/widget.js'

const withBrowser = hasBrowser ? describe : describe.skip
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }

withBrowser('a server that is killed while both sides write', () => {
  let made: TestDatabase
  let victim: Victim
  let url: string
  let browser: Browser
  beforeAll(async () => {
    buildWeb()
    made = await makeDatabase()
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const env = {
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: made.url,
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
    }
    victim = new Victim('test/support/node-process.mjs', env, `${url}/readyz`)
    await victim.start()
    browser = await launch()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await victim?.kill()
    await made?.drop()
  })

  async function run<T>(token: string | null, query: string, variables: object = {}): Promise<T> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Record<string, T>; errors?: { message: string }[] }
    if (errors) throw new Error(errors[0]!.message)
    return Object.values(data)[0]!
  }

  it('loses no typed text, and receives messages sent meanwhile once', async () => {
    const { token, user } = await run<{ token: string; user: string }>(
      null,
      'mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) { token user } }',
      OWNER,
    )
    await run(token, 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }', {
      input: { name: 'Desk', members: [{ user }] },
    })
    const service = await run<{ id: string }>(
      token,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'web', params: {} } },
    )
    const agent = await openTab(browser, { url: `${url}/console` })
    await agent.page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email)
    await agent.page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
    await agent.page.getByRole('button', { name: 'Sign in' }).click()
    const visitor = await openTab(browser, { url: `${url}/widget/demo?service=${service.id}` })
    const widget = widgetOf(visitor.page)
    await widget.open()
    await widget.say('before')
    await agent.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: 'before' }).click()
    await agent.page.getByRole('button', { name: 'Accept' }).click()
    await agent.page.getByText('Active', { exact: true }).waitFor()
    const reply = agent.page.getByRole('textbox', { name: 'Reply' })
    const log = agent.page.getByRole('log')

    await victim.kill()
    await reply.fill('an answer to nobody')
    await agent.page.getByRole('button', { name: 'Send' }).click()
    await reply.fill('half a sent')
    await widget.say('a question to nobody')
    await widget.message.fill('half a quest')
    await agent.page
      .getByRole('status')
      .getByText(/^Offline since/)
      .waitFor({ timeout: 60_000 })
    await visitor.page.getByText(/No connection since/).waitFor({ timeout: 60_000 })
    await agent.page.getByText('Waits for the connection').waitFor()
    // Of the visitor nobody knows now.
    await agent.page.locator('.panel').getByText('Online', { exact: true }).waitFor({ state: 'detached' })
    await keepScreenshot(agent.page, 'killed-console')
    await keepScreenshot(visitor.page, 'killed-widget')
    await victim.start()

    await log.getByText('a question to nobody').waitFor({ timeout: 60_000 })
    await widget.log.getByText('an answer to nobody').waitFor({ timeout: 60_000 })
    await agent.page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 })
    await agent.page.getByText('Waits for the connection').waitFor({ state: 'detached' })
    await eventually(async () => (await visitor.page.locator('.waits').count()) === 0)
    expect(await reply.inputValue()).toBe('half a sent')
    expect(await widget.message.inputValue()).toBe('half a quest')
    const { edges } = await run<{ edges: { node: { text: string } }[] }>(
      token,
      '{ messages(first: 50, filter: { type: { eq: CHAT } }, orderBy: [{ field: CREATED_AT }]) { edges { node { text } } } }',
    )
    expect(edges.map(({ node }) => node.text).toSorted()).toEqual([
      'a question to nobody',
      'an answer to nobody',
      'before',
    ])
    expect(await log.getByText('a question to nobody').count()).toBe(1)
    expect(await widget.log.getByText('an answer to nobody').count()).toBe(1)
    expect([...agent.faults, ...visitor.faults]).toEqual([])
    await agent.context.close()
    await visitor.context.close()
  }, 240_000)
})
