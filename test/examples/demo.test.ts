import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

/** The README's `npm run demo` and `npm run seed`, each in a process of its own against a running server. */
describe('the examples that a newcomer runs', () => {
  let app: ConversationFixture
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    app = await startConversationFixture()
    // The owner of every test server.
    const owner = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'correct horse battery' }
    env = { ...process.env, ...owner, SERVER_URL: app.url }
  })
  afterAll(() => app.close())

  // The package by its sources, which need no build.
  const command = (file: string) => [
    '--conditions=@switchboard/source',
    'test/support/typescript-process.mjs',
    `examples/${file}`,
  ]
  const run = async (file: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, command(file), { env })
    return stdout
  }

  it('tells the whole story of the demo, with what each leaf of the rules found', async () => {
    const told = await run('demo.ts')
    expect(told).toMatch(/rule "buyers": .+; notified Sales/)
    expect(told).toMatch(/true +message.+: it was/)
    expect(told).toMatch(/Dora browser +Agent writes: Orders/)
    expect(told).toMatch(/Dora browser +Agent: You have your money back/)
    expect(told).toContain('Look around')
  })

  it('makes an office to look around in', async () => {
    const told = await run('seed.ts')
    expect(told).toContain(`Sign in at ${app.url}/console`)
    expect(told).toContain('/widget/demo?service=')
  })

  it('watches the queue, and what is selected in it', async () => {
    const TOKEN = await app.tokenFor(app.ann)
    const watching = spawn(process.execPath, command('watch-queue.js'), { env: { ...env, TOKEN } })
    try {
      const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]()
      const next = async () => JSON.parse((await lines.next()).value as string) as unknown
      const at = expect.any(String)
      expect(await next()).toEqual({ __typename: 'QueueSnapshot', at, resync: false, entries: [] })
      const { id, name } = await app.create({ messages: [{ role: 'CONTACT', text: 'Hello?' }] })
      const entry = { name, contactName: 'Carl', preview: 'Hello?' }
      expect(await next()).toEqual({ __typename: 'QueueEntryAdded', at, entry })
      await app.command(app.ann, id, '/accept')
      expect(await next()).toEqual({ __typename: 'QueueEntryRemoved', at, conversation: id, reason: 'ACCEPTED' })
    } finally {
      watching.kill()
    }
  })
})
