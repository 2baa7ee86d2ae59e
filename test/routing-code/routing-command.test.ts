import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const PASSWORD = 'correct horse battery'
let server: TestServer
let admin: MadeUser
let token: string
let folder: string
beforeAll(async () => {
  // Rules are evaluated by the engine that defines them.
  server = await startTestServer({ RULES_ENGINE: 'reference' })
  const organization = await server.makeOrganization({ name: 'Acme' })
  admin = await server.makeUser({ organization, role: 'admin', password: PASSWORD })
  token = await server.tokenFor(admin)
  folder = await mkdtemp(join(tmpdir(), 'routing-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** Runs the command as `npm run routing` does, from its sources. */
function routing(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string; error: string }> {
  const child = spawn(process.execPath, ['test/support/typescript-process.mjs', 'src/routing-main.ts', ...args], {
    env: { ...process.env, SWITCHBOARD_URL: server.url, SWITCHBOARD_TOKEN: token, ...env },
  })
  const said = { output: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })))
}

const DOCUMENT = `version: 1
channels:
  - name: Boats
workflows:
  - name: Boats first
    rules:
      - conditions: {all: []}
        event: {type: notify, params: {name: all, channels: [Boats]}}
`

it('exports, plans and applies', async () => {
  const file = join(folder, 'routing.yaml')
  await writeFile(file, DOCUMENT)
  const planned = await routing(['plan', file, '--check', '--out', join(folder, 'plan.json')])
  expect(planned).toMatchObject({ code: 2, error: '' })
  expect(planned.output).toContain('+ channels "Boats"')
  expect(planned.output).toContain('Planned: 2 created, 0 changed, 0 deleted.')
  expect((await routing(['plan', file])).code).toBe(0)
  const applied = await routing(['apply', file, '--plan', join(folder, 'plan.json'), '--comment', 'Review 7'])
  expect(applied).toMatchObject({ code: 0, error: '' })
  expect(applied.output).toContain('Applied: 2 created')
  expect(await routing(['plan', file, '--check'])).toEqual({ code: 0, output: 'Nothing to do.\n', error: '' })
  const stale = await routing(['apply', file, '--plan', join(folder, 'plan.json')])
  expect(stale.code).toBe(1)
  expect(stale.error).toContain('changed since the plan: the channel "Boats"')
  const written = join(folder, 'export.yaml')
  expect((await routing(['export', written])).code).toBe(0)
  expect(await readFile(written, 'utf8')).toBe((await routing(['export'])).output)
  expect((await routing(['plan', written, '--check'])).code).toBe(0)
  const { data } = await server.gql(admin, '{ workflows { edges { node { history { by { id } } } } } }')
  expect(data.workflows.edges[0].node.history[0].by.id).toBe(admin.id)
})

it('shows what is put in and taken out', async () => {
  const file = join(folder, 'changed.yaml')
  await writeFile(file, DOCUMENT)
  expect((await routing(['apply', file])).code).toBe(0)
  const assigned = DOCUMENT.replace(
    '- name: Boats\n',
    '- name: Boats\n    assignment: { mode: offer, offerSeconds: 30 }\n',
  )
  await writeFile(file, assigned)
  const put = await routing(['apply', file])
  expect(put).toMatchObject({ code: 0, error: '' })
  expect(put.output).toContain('~ channels "Boats"\n    assignment: (none) -> {')
  await writeFile(file, DOCUMENT)
  const taken = await routing(['plan', file])
  expect(taken).toMatchObject({ code: 0, error: '' })
  expect(taken.output).toMatch(/assignment: \{.*\} -> \(none\)/)
  expect(taken.output).toContain('Planned: 0 created, 1 changed, 0 deleted.')
})

it('says what is wrong, and exits with 1', async () => {
  const file = join(folder, 'wrong.yaml')
  await writeFile(file, DOCUMENT.replace('[Boats]', '[Boots]').replace('first', 'last'))
  const { code, error } = await routing(['plan', file, '--check'])
  expect(code).toBe(1)
  expect(error).toMatch(/^line 8, column 62: there is no channel "Boots"/)
  expect((await routing(['plan'])).error).toContain('usage:')
  expect((await routing(['export'], { SWITCHBOARD_TOKEN: '' })).error).toContain('SWITCHBOARD_TOKEN')
  expect((await routing(['export'], { SWITCHBOARD_URL: 'http://127.0.0.1:9' })).error).toContain('does not answer')
  expect((await routing(['export'], { SWITCHBOARD_TOKEN: 'wrong' })).code).toBe(1)
  expect((await routing(['export'], { SWITCHBOARD_URL: 'nowhere' })).error).toContain('SWITCHBOARD_URL is no address')
  for (const text of ['version: 1', 'null', '{"digest": 7}']) {
    await writeFile(join(folder, 'no-plan.json'), text)
    const refused = await routing(['apply', file, '--plan', join(folder, 'no-plan.json')])
    expect(refused).toMatchObject({ code: 1, output: '' })
    expect(refused.error).toContain('is no plan: plan --out writes one')
  }
})

it('signs in as an administrator, whom no API token stands for', async () => {
  const as = { SWITCHBOARD_TOKEN: '', SWITCHBOARD_EMAIL: admin.email, SWITCHBOARD_PASSWORD: PASSWORD }
  const exported = await routing(['export'], as)
  expect(exported).toMatchObject({ code: 0, error: '' })
  expect(exported.output).toContain('organization: Acme')
  const wrong = await routing(['export'], { ...as, SWITCHBOARD_PASSWORD: 'wrong' })
  expect(wrong).toMatchObject({ code: 1, output: '' })
  const bot = await server.makeUser({ organization: admin.organization, role: 'bot' })
  const { data } = await server.gql(
    admin,
    'mutation ($id: ID!) { rotateApiToken(user: $id, scopes: [ADMIN]) { apiToken } }',
    { id: bot.id },
  )
  const { code, error } = await routing(['export'], { SWITCHBOARD_TOKEN: data.rotateApiToken.apiToken })
  expect(code).toBe(1)
  expect(error).toContain('needs the scope admin')
})
