import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { runCenterCommand } from '../../src/app/center/run-command.js'
import { readConfig } from '../../src/platform/config.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.close())

/** The command, as `npm run center` runs it, while a server uses the database. */
const run = (...args: string[]): Promise<string> =>
  runCenterCommand(
    readConfig({ DATABASE_URL: app.databaseUrl, PUBLIC_URL: 'https://desk.example.com', DATABASE_POOL_SIZE: '2' }),
    pino({ level: 'silent' }),
    args,
  )
const newEmail = (): string => `${crypto.randomUUID()}@example.com`
const idIn = (said: string): string => /[0-9a-f-]{36}/.exec(said)![0]

describe('npm run center', () => {
  it('creates a contact center whose owner signs in by the printed link, at once, on the running server', async () => {
    const said = await run('create', '--name', 'Acme', '--owner', newEmail(), '--users', '5')
    const [, token] = /https:\/\/desk\.example\.com\/console\/invitation#(\S+)/.exec(said)!
    const { data } = await app.gql(
      null,
      'mutation ($token: String!) { acceptInvitation(token: $token, password: "a good password") { token organization } }',
      { token },
    )
    expect(data.acceptInvitation.organization).toBe(idIn(said))
  })

  it('lists, changes, archives and reopens it', async () => {
    const id = idIn(await run('create', '--name', 'Listed', '--owner', newEmail(), '--users', '5'))
    const shown = async (): Promise<string> => (await run('list')).split('\n').find((line) => line.startsWith(id))!
    expect(await shown()).toMatch(/\tListed\towner invited\t.*\t1\/5 users\t0 organizations\tsince /)
    await run('update', id, '--name', 'Renamed', '--users', 'none', '--organizations', '0')
    expect(await shown()).toMatch(/\tRenamed\towner invited\t.*\t1 users\t0\/0 organizations\t/)
    expect(await run('archive', id)).toContain(`npm run center -- reopen ${id}`)
    expect(await shown()).toContain('\tarchived ')
    await run('reopen', id)
    expect(await shown()).toContain('\towner invited\t')
  })

  it('ends the access of those who are signed in at a running server', async () => {
    const center = await app.makeContactCenter()
    const token = await app.tokenFor(center.owner)
    expect((await app.gql(token, '{ me { id } }')).errors).toBeUndefined()
    await run('archive', center.id)
    await until(async () => (await app.gql(token, '{ me { id } }')).errors?.[0]?.extensions.code === 'UNAUTHENTICATED')
  })

  it.each([
    [[], 'usage: npm run center -- create'],
    [['move', 'x'], 'no command "move"'],
    [['constructor'], 'no command "constructor"'],
    [['create', '--owner', 'a@example.com'], '--name is required'],
    [['create', '--name', 'Acme'], '--owner is required'],
    [['create', '--name', 'Acme', '--owner', 'nobody'], 'ownerEmail "nobody" is not an email address'],
    [
      ['create', '--name', 'Acme', '--owner', 'a@example.com', '--users', 'many'],
      '--users must be a whole number or none',
    ],
    [
      ['create', '--name', 'Acme', '--owner', 'a@example.com', '--users', '0'],
      'quotas.users must be a whole number from 1',
    ],
    [['create', '--name', 'Acme', '--owner', 'a@example.com', '--seats', '1'], "Unknown option '--seats'"],
    [['create', 'Acme', '--name', 'Acme', '--owner', 'a@example.com'], 'no id is expected'],
    [['archive'], 'the id of one contact center is required'],
    [['archive', 'x'], 'ContactCenter "x" not found'],
    [['update', 'x'], 'nothing to change is given'],
    [['list', '--all'], "Unknown option '--all'"],
  ])('%j is refused: %s', async (args, reason) => {
    await expect(run(...args)).rejects.toThrow(reason)
  })
})
