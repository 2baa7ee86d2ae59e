import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from './support/test-server.js'
import { isInstalled } from './support/programs.js'
import { until } from './support/until.js'
import { createHooks, type Hooks } from './webhooks/hooks.js'

const execute = promisify(execFile)
const describeStories = isInstalled('bash') && isInstalled('curl') ? describe : describe.skip

interface Block {
  language: string
  text: string
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)].map(([, language, block]) => ({
    language: language!,
    text: block!,
  }))
}

/** Replaces what differs from run to run by a word that tells its kind. */
const masked = (line: string): string =>
  line
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"name":"[A-Z][a-z]+ [A-Z][a-z]+"/g, '"name":"NAME"')

const linesOf = (text: string): string[] => text.trim().split('\n')

describeStories('the stories of the guide, run as they are printed', () => {
  let app: TestServer
  beforeAll(async () => {
    app = await startTestServer()
  })
  afterAll(() => app.close())

  /** @param before what a reader has run before, in the same shell */
  async function run(page: string): Promise<{ lines: string[]; shown: string }> {
    const [story, shown] = blocksOf(page).slice(page.includes('connect-your-agent') ? -2 : 0)
    const script = story!.text.replaceAll('http://localhost:4000', app.url)
    const env = { ...process.env, ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'correct horse battery' }
    const { stdout } = await execute('bash', ['-eu', '-o', 'pipefail', '-c', script], { env, timeout: 60_000 })
    return { lines: linesOf(stdout), shown: shown!.text }
  }

  it('print by GraphQL what the page shows', async () => {
    const { lines, shown } = await run('docs/guide/graphql.md')
    expect(lines.map(masked)).toEqual(linesOf(shown).map(masked))
  })

  it('connect an agent in another language, as the page shows', async () => {
    const { lines, shown } = await run('docs/guide/connect-your-agent.md')
    // The answer to an acknowledgement is empty.
    expect(lines.filter(Boolean)).toEqual(linesOf(shown))
  })

  it('print by /v2 what the page shows', async () => {
    const { lines, shown } = await run('docs/guide/rest.md')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toHaveLength(lines.length)
    expect(JSON.parse(lines.at(-1)!)).toMatchObject(JSON.parse(shown) as object)
  })
})

describe('the first recipe of the guide on bots', () => {
  let app: TestServer
  let hooks: Hooks
  beforeAll(async () => {
    app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    hooks = createHooks(app)
  })
  afterAll(async () => {
    await hooks.close()
    await app.close()
  })

  it('reaches the consumer', async () => {
    const { admin, bot } = await hooks.center()
    const [recipe] = blocksOf('docs/guide/bots.md')
    const { receiver } = await hooks.register(admin, { events: ['message.create.contact.chat'], bot: bot.id })
    receiver.answer = () => ({ headers: { 'content-type': 'application/json' }, body: recipe!.text })
    const conversation = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'Hello?' }] })
    const messages = async () => (await app.rest(admin, 'GET', `/v2/conversations/${conversation}/messages`)).body
    await until(async () => (await messages()).length === 2)
    expect((await messages())[1]).toMatchObject({
      ...(JSON.parse(recipe!.text) as { messages: object[] }).messages[0],
      audience: 'consumer',
      deliveries: [{ touchpoint: 'web', status: 'sent' }],
    })
  })
})

describe('examples of JSON in the pages', () => {
  const pages = ['bots', 'email', 'graphql', 'rest', 'live'].map((name) => `docs/guide/${name}.md`)

  it.each(pages)('can be parsed: %s', (page) => {
    for (const { text } of blocksOf(page).filter(({ language }) => language === 'json')) {
      const documents = /^\{"/.test(text) ? linesOf(text) : [text]
      expect(documents.map((document) => typeof JSON.parse(document))).toEqual(documents.map(() => 'object'))
    }
  })
})
