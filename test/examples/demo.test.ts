import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** The README's `npm run demo` and `npm run seed`, each in a process of its own against a running server. */
describe('the examples that a newcomer runs', () => {
  let app: TestServer
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    app = await startTestServer()
    // The owner of every test server.
    const owner = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'correct horse battery' }
    env = { ...process.env, ...owner, SERVER_URL: app.url }
  })
  afterAll(() => app.close())

  const run = async (example: string): Promise<string> => {
    const script = ['test/support/typescript-process.mjs', `examples/${example}.ts`]
    const { stdout } = await promisify(execFile)(process.execPath, script, { env })
    return stdout
  }

  it('tells the whole story of the demo, with what each leaf of the rules found', async () => {
    const told = await run('demo')
    expect(told).toMatch(/rule "buyers": .+; notified Sales/)
    expect(told).toMatch(/true +message.+: it was/)
    expect(told).toContain('Look around')
  })

  it('makes an office to look around in', async () => {
    const told = await run('seed')
    expect(told).toContain(`Sign in at ${app.url}/console`)
    expect(told).toContain('/widget/demo?service=')
  })
})
