import type { Page } from 'playwright-core'
import { freePort } from '../../../bench/chaos/free-port.js'
import { Victim } from '../../../bench/chaos/victim.js'
import { makeDatabase } from '../../support/database.js'
import { OWNER, runAt, signInAt } from '../../support/main-process.js'

/** An owner with a channel and a widget, whose server is a process that can be killed. */
export interface VictimOffice {
  url: string
  victim: Victim
  /** The service of the widget. */
  service: string
  /** Ends all sign-ins of the owner. */
  revokeAll(): Promise<void>
  /** Returns the texts of the messages, oldest first. */
  texts(): Promise<string[]>
  /** Fills in the form that the page shows. */
  signIn(page: Page): Promise<void>
  close(): Promise<void>
}

export async function startVictimOffice(): Promise<VictimOffice> {
  const made = await makeDatabase()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    // The pages' clocks run ahead of the server's, which counts by its own.
    RATE_LIMIT_PER_SECOND: '5000',
    GRAPHQL_COST_PER_MINUTE: '100000000',
    DATABASE_URL: made.url,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
  }
  const victim = new Victim('test/support/node-process.mjs', env, `${url}/readyz`)
  await victim.start()
  const headers = await signInAt(url)
  const { me } = await runAt(url, '{ me { id } }', {}, headers)
  await runAt(
    url,
    'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
    { input: { name: 'Desk', members: [{ user: me.id }] } },
    headers,
  )
  const { createService } = await runAt(
    url,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type: 'web', params: {} } },
    headers,
  )
  return {
    url,
    victim,
    service: createService.id,
    async revokeAll() {
      await runAt(url, 'mutation { revokeToken(all: true) }', {}, await signInAt(url))
    },
    async texts() {
      const { messages } = await runAt(
        url,
        '{ messages(first: 50, filter: { type: { eq: CHAT } }, orderBy: [{ field: CREATED_AT }]) { edges { node { text } } } }',
        {},
        await signInAt(url),
      )
      return messages.edges.map(({ node }: { node: { text: string } }) => node.text)
    },
    async signIn(page) {
      await page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    },
    async close() {
      await victim.kill()
      await made.drop()
    },
  }
}
