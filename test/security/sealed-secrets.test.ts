import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { generateSync } from 'otplib'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import pino from 'pino'
import { backUp, restore } from '../../src/app/backup/commands.js'
import { SmtpGrants } from '../../src/modules/touchpoints/email/smtp-grants.js'
import { OutboundHttp } from '../../src/platform/outbound/outbound-http.js'
import { readConfig } from '../../src/platform/config.js'
import { SEALED } from '../../src/platform/sealing/sealed-places.js'
import { isSealedSql, keyIdOf, keyIdSql } from '../../src/platform/sealing/sealer.js'
import { startPushService, type Browser, type PushService } from '../push/push-service.js'
import { makeEmptyDatabase, type TestDatabase } from '../support/database.js'
import type { MadeUser } from '../support/factories.js'
import { startProvider } from '../touchpoints/provider.js'
import { storedParams } from '../support/stored-params.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** In every secret: what is looked for at rest. */
const CANARY = 'canaryOfTheTest'
const PASSWORD = 'correct horse battery'
const [OLD, NEW] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64')) as [string, string]
const idOf = (key: string): string => keyIdOf(Buffer.from(key, 'base64'))
const SERVICES: Record<string, Record<string, unknown>> = {
  sms: { accountSid: 'AC1', authToken: CANARY, from: '+4930123456' },
  messenger: { pageId: '1', pageAccessToken: CANARY, appSecret: CANARY, verifyToken: CANARY },
  email: {
    address: 'a@b.example',
    smtpUrl: 'smtp://b.example',
    smtpPassword: CANARY,
    inboundSecret: `${CANARY} in full`,
  },
  webhook: { url: `https://u:${CANARY}@hook.example/`, secret: `${CANARY}, ${CANARY}` },
  crm: { nested: [{ 'X-Api-Key': CANARY }], plain: `https://u:${CANARY}@crm.example` },
}
const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { params } }'
const SUBSCRIBE = 'mutation ($input: PushSubscriptionInput!) { subscribeToPush(input: $input) { id } }'

let server: TestServer
let admin: MadeUser
let push: PushService
let browser: Browser
/** The secret of the administrator's authenticator app. */
let totpSecret: string
let recoveryCode: string
let folder: string
const ids: Record<string, string> = {}
const beside: TestServer[] = []
const databases: TestDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealed-'))
  push = await startPushService()
  server = await startTestServer({ SECRETS_KEY: OLD, WEBHOOK_ALLOW_PRIVATE: 'true', DATA_DIR: join(folder, 'data') })
  admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin', password: PASSWORD })
  totpSecret = await enrolApp()
  for (const [type, params] of Object.entries(SERVICES)) {
    const made = await server.gql(admin, CREATE, { input: { type, params, isOwnType: type === 'crm' } })
    expect(made.errors).toBeUndefined()
    ids[type] = made.data.createService.id
  }
  // The replaced secret holds for a day more.
  const { url } = SERVICES.webhook!
  await change('webhook', { params: { url, secret: `${CANARY} once again` } })
  // A change that waits for a second administrator.
  const guarded = await server.gql(admin, 'mutation { setFourEyes(input: { erasure: true }) { erasure } }')
  expect(guarded.errors).toBeUndefined()
  const contact = await server.gql(admin, 'mutation { createContact(input: { profile: { name: "Jo" } }) { id } }')
  const { id } = contact.data.createContact as { id: string }
  const erase = 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }'
  expect((await server.gql(admin, erase, { id })).errors?.[0]?.extensions).toMatchObject({ reason: 'APPROVAL_NEEDED' })
  // Tokens of a mail server that takes no passwords.
  const issuer = await startProvider(() => ({
    status: 200,
    body: JSON.stringify({ access_token: `${CANARY}-access`, refresh_token: `${CANARY}-refresh` }),
  }))
  const http = new OutboundHttp({ allowPrivate: true, userAgent: 'test', keepAlive: false })
  const { database: sql, sealer } = server.server
  const grants = new SmtpGrants({ sql, sealer, clock: server.clock, http })
  const params = { smtpTokenUrl: issuer.url, smtpClientId: 'app', smtpRefreshToken: 'first' }
  expect(await grants.tokenFor({ id: ids.email!, params })).toBe(`${CANARY}-access`)
  http.close()
  await issuer.close()
  browser = push.subscribe()
  expect((await server.gql(admin, SUBSCRIBE, { input: browser.input })).errors).toBeUndefined()
})
afterEach(async () => {
  while (beside.length > 0) await beside.pop()!.server.close()
})
afterAll(async () => {
  await server?.close()
  await push?.close()
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Gives the administrator a second factor. @returns the app's secret */
async function enrolApp(): Promise<string> {
  const begun = await server.gql(admin, `mutation { enrolTotp(currentPassword: "${PASSWORD}") { id secret } }`)
  const { id, secret } = begun.data.enrolTotp as { id: string; secret: string }
  const confirmed = await server.gql(
    admin,
    'mutation ($id: ID!, $code: String!) { confirmTotp(id: $id, code: $code) }',
    {
      id,
      code: appCode(secret),
    },
  )
  recoveryCode = (confirmed.data.confirmTotp as string[])[0]!
  return secret
}

/** The code of a period in which no other was used: the clock stands, since it holds for half a minute. */
function appCode(secret: string): string {
  server.clock.standAt()
  server.clock.advance(30_000)
  const code = generateSync({ secret, epoch: Math.floor(server.clock.now().getTime() / 1_000) })
  server.clock.goOn()
  return code
}

const signInOn = (node: TestServer, code: string) =>
  node.gql(
    null,
    'mutation ($email: String!, $password: String!, $code: String) { createToken(email: $email, password: $password, code: $code) { user } }',
    { email: admin.email, password: PASSWORD, code },
  )

async function signInWithCode(node: TestServer): Promise<void> {
  expect((await signInOn(node, '000000')).errors![0]!.extensions.reason).toBe('SECOND_FACTOR_WRONG')
  expect(await signInOn(node, appCode(totpSecret))).toMatchObject({ data: { createToken: { user: admin.id } } })
}

async function change(type: string, patch: object): Promise<void> {
  expect((await server.gql(admin, UPDATE, { id: ids[type], patch })).errors).toBeUndefined()
}

const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]> =>
  server.server.database.query<Row>(text, values)

/** Starts a node on the same database. @returns the messages of its log */
async function startNode(SECRETS_KEY: string): Promise<string[]> {
  const said: string[] = []
  const sink = new Writable({
    write(line, _encoding, done) {
      said.push((JSON.parse(String(line)) as { msg: string }).msg)
      done()
    },
  })
  beside.push(await startTestServer({ SECRETS_KEY }, { beside: server, log: pino({ level: 'info' }, sink) }))
  return said
}

/** Ids of the keys with which something is sealed. */
async function usedKeys(): Promise<string[]> {
  const parts = Object.values(SEALED).map(
    ({ table, column }) => `select ${keyIdSql(column)} as id from ${table} where ${isSealedSql(column)}`,
  )
  return (await query<{ id: string }>(parts.join(' union '))).map(({ id }) => id)
}

describe('secrets at rest', () => {
  it('are in no row of any table, and in no backup', async () => {
    const tables = await query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    )
    expect(tables.length).toBeGreaterThan(60)
    for (const { name } of tables) {
      const found = await query(`select t::text as row from "${name}" t where t::text like any($1)`, [
        [CANARY, browser.input.auth, totpSecret].map((secret) => `%${secret}%`),
      ])
      expect([name, found]).toEqual([name, []])
    }
    await backUp(readConfig({ DATABASE_URL: server.databaseUrl, DATA_DIR: join(folder, 'data') }), silent, backup())
    const texts: string[] = []
    for await (const path of glob(join(backup(), 'tables', '*.gz')))
      texts.push(gunzipSync(await readFile(path)).toString())
    expect(texts.join('')).toContain('hook.example')
    for (const secret of [CANARY, totpSecret]) expect(texts.join('')).not.toContain(secret)
  })

  it('are sealed in every place of the list', async () => {
    for (const { table, column } of Object.values(SEALED))
      expect([table, await query(`select 1 from ${table} where ${isSealedSql(column)}`)]).not.toEqual([table, []])
    const inClear = await query(`select name from server_secret where not ${isSealedSql('value')}`)
    expect(inClear).toEqual([{ name: 'erasure' }])
  })

  it('are what the server uses, and masked for who reads', async () => {
    for (const [type, params] of Object.entries(SERVICES)) {
      const expected = type === 'webhook' ? { secret: `${CANARY} once again` } : params
      expect(await storedParams(server.server, ids[type]!)).toMatchObject(expected)
      const read = await server.rest(admin, 'GET', `/v2/services/${ids[type]}`)
      expect(read.status).toBe(200)
      expect(JSON.stringify(read.body)).not.toContain(CANARY)
    }
  })

  it('do not open where they were moved to, and go to no host that only the database names', async () => {
    const other = await server.gql(admin, CREATE, { input: { type: 'sms', params: { authToken: 'x' } } })
    const { id } = other.data.createService
    await query('update service set sealed_params = (select sealed_params from service where id = $2) where id = $1', [
      id,
      ids.sms,
    ])
    await expect(storedParams(server.server, id)).rejects.toThrow(/sealed for another row/)
    await query('delete from service where id = $1', [id])
    await query(`update service set params = params || '{"apiUrl": "https://thief.example"}' where id = $1`, [ids.sms])
    expect(await storedParams(server.server, ids.sms!)).not.toHaveProperty('apiUrl')
    await query(`update service set params = params - 'apiUrl' where id = $1`, [ids.sms])
  })

  it('stay as they are when something else changes', async () => {
    const read = () => query('select sealed_params from service where id = $1', [ids.sms])
    const before = await read()
    await change('sms', { name: 'Texts' })
    expect(await read()).toEqual(before)
  })
})

describe('the keys', () => {
  it('must be those with which something is sealed: a node without them does not start', async () => {
    await expect(startNode('')).rejects.toThrow(
      `sealed with the key ${idOf(OLD)}, which SECRETS_KEY lacks: give the key with which that installation was run`,
    )
    await expect(startNode(NEW)).rejects.toThrow(idOf(OLD))
  })

  it('of a backup must be given before anything is restored', async () => {
    const empty = await makeEmptyDatabase()
    databases.push(empty)
    const config = { DATABASE_URL: empty.url, DATA_DIR: join(folder, 'restored') }
    await expect(restore(readConfig({ ...config, SECRETS_KEY: NEW }), silent, backup())).rejects.toThrow(
      `nothing was changed: the backup in ${backup()} is sealed with the key ${idOf(OLD)}, which SECRETS_KEY lacks`,
    )
    const SECRETS_KEY = `${NEW},${OLD}`
    expect(await restore(readConfig({ ...config, SECRETS_KEY }), silent, backup())).toMatch(/^restored/)
    const restored = await startTestServer({ DATABASE_URL: empty.url, SECRETS_KEY }, { beside: server })
    beside.push(restored)
    await signInWithCode(restored)
    expect((await signInOn(restored, recoveryCode)).errors).toBeUndefined()
  })

  it('change in three steps, with the nodes running: the second opens, the first seals all anew, the old one goes', async () => {
    expect(await startNode(`${OLD},${NEW}`)).not.toContain(SEALED_ANEW)
    expect(await usedKeys()).toEqual([idOf(OLD)])
    expect(await startNode(`${NEW},${OLD}`)).toContain(SEALED_ANEW)
    expect(await usedKeys()).toEqual([idOf(NEW)])
    expect(await startNode(`${NEW},${OLD}`)).toContain(
      'all secrets are sealed with the first key of SECRETS_KEY: the others can go',
    )
    await startNode(NEW)
    const [node] = beside.slice(-1)
    expect(await storedParams(node!.server, ids.crm!)).toEqual(SERVICES.crm)
    await signInWithCode(node!)
    await expect(startNode(OLD)).rejects.toThrow(idOf(NEW))
  })
})

describe('without SECRETS_KEY', () => {
  it('a key in the database seals, which the log says, until the operator gives one', async () => {
    const said: string[] = []
    const sink = new Writable({
      write(line, _encoding, done) {
        said.push((JSON.parse(String(line)) as { msg: string }).msg)
        done()
      },
    })
    const own = await startTestServer({}, { log: pino({ level: 'info' }, sink) })
    try {
      expect(said).toContain(
        'secrets are sealed with a key in the database: set SECRETS_KEY to keep it apart from backups',
      )
      const user = await own.makeUser({ organization: await own.makeContactCenter(), role: 'admin' })
      const made = await own.gql(user, CREATE, { input: { type: 'sms', params: SERVICES.sms } })
      const { id } = made.data.createService
      const sealed = () =>
        own.server.database.query<{ key: string }>(`select ${keyIdSql('sealed_params')} as key from service`)
      const [before] = await sealed()
      const node = await startTestServer({ SECRETS_KEY: NEW }, { beside: own })
      expect(await storedParams(node.server, id)).toEqual(SERVICES.sms)
      expect(await sealed()).toEqual([{ key: idOf(NEW) }])
      expect(before!.key).not.toBe(idOf(NEW))
      await node.server.close()
    } finally {
      await own.close()
    }
  })
})

const SEALED_ANEW = 'sealed secrets anew with the first key of SECRETS_KEY'
const silent = pino({ level: 'silent' })
const backup = (): string => join(folder, 'backup')
