import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readMailboxParams } from '../../../src/modules/touchpoints/mailbox/mailbox-params.js'
import { settingsOfMailbox } from '../../../src/modules/touchpoints/mailbox/mailbox-settings.js'
import type { JsonObject } from '../../../src/platform/json.js'
import type { MadeUser } from '../../support/factories.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'

const PARAMS = {
  address: 'support@harbour.example',
  host: 'imap.harbour.example',
  user: 'support',
  password: 'a password of the tests',
}
const DAY_MS = 86_400_000

let app: TestServer
let open: TestServer
let admin: MadeUser
let admins: Map<TestServer, MadeUser>
beforeAll(async () => {
  app = await startTestServer()
  open = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  admins = new Map()
  for (const server of [app, open]) {
    const organization = await server.makeOrganization({ name: 'Harbour' })
    admins.set(server, await server.makeUser({ organization, role: 'admin' }))
  }
  admin = admins.get(app)!
})
afterAll(async () => {
  await app.close()
  await open.close()
})

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id status params } }'
const UPDATE =
  'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id params } }'

interface Answer {
  value?: { id: string; status: string; params: JsonObject }
  field?: unknown
  message?: string
}

/** Creates a service that is switched off, so that no server is called. */
async function create(params: object, server = app): Promise<Answer> {
  const input = { type: 'mailbox', status: 'INACTIVE', params }
  const { data, errors } = await server.gql(admins.get(server)!, CREATE, { input })
  return { value: data?.createService, field: errors?.[0]?.extensions.field, message: errors?.[0]?.message }
}

async function update(id: string, params: object): Promise<Answer> {
  const { data, errors } = await app.gql(admin, UPDATE, { id, patch: { params } })
  return { value: data?.updateService, field: errors?.[0]?.extensions.field, message: errors?.[0]?.message }
}

let addresses = 0
const own = (): string => `box-${++addresses}@harbour.example`

describe('params of a mailbox', () => {
  it.each([
    ['address', 'of no form', { address: 'support' }],
    ['address', 'missing', { address: null }],
    ['user', 'missing', { user: null }],
    ['user', 'with a control character', { user: 'sup\r\nport' }],
    ['password', 'missing', { password: null }],
    ['password', 'with a control character', { password: 'a\u0000b' }],
    ['host', 'missing', { host: null }],
    ['host', 'that is none', { host: 'imap.example.org/x' }],
    ['host', 'of this machine', { host: '127.0.0.1' }],
    ['host', 'of this machine by name', { host: 'localhost' }],
    ['host', 'of a private network', { host: '10.1.2.3' }],
    ['host', 'of a private network in IPv6', { host: 'fd00::1' }],
    ['smtpHost', 'of a private network', { smtpHost: '192.168.0.1' }],
    ['port', 'that is none', { port: 70_000 }],
    ['security', 'without TLS', { security: 'none' }],
    ['access', 'that is unknown', { access: 'pop' }],
    ['host', 'without effect', { access: 'google' }],
    ['folders', 'that are none', { folders: [] }],
    ['folders[1]', 'listed twice', { folders: ['INBOX', 'inbox'] }],
    ['folders[0]', 'with a control character', { folders: ['a\nb'] }],
    ['sentFolder', 'with a control character', { sentFolder: 'Sent\r\nA1 LOGOUT' }],
    ['since', 'that is no date', { since: 'yesterday' }],
    ['since', 'that is too long ago', { since: new Date(Date.now() - 91 * DAY_MS).toISOString() }],
    ['since', 'that is to come', { since: new Date(Date.now() + DAY_MS).toISOString() }],
    ['authservId', 'that is none', { authservId: 'a b' }],
    ['unprovedMail', 'that is unknown', { unprovedMail: 'delete' }],
    ['password', 'beside an application', { clientId: 'c', clientSecret: 's', tokenUrl: 'https://login.example.org' }],
    ['tokenUrl', 'missing', { password: null, clientId: 'c', clientSecret: 's' }],
    ['tokenUrl', 'without TLS', { password: null, clientId: 'c', clientSecret: 's', tokenUrl: 'http://a.example' }],
    ['clientSecret', 'missing', { password: null, clientId: 'c', tokenUrl: 'https://login.example.org' }],
    ['mailServer', 'that no mailbox has', { mailServer: 'x' }],
  ])('refuse %s %s', async (key, _which, more) => {
    const { value, field, message } = await create({ ...PARAMS, address: own(), ...more })
    expect({ value: value ?? null, field }).toEqual({ value: null, field: `params.${key}` })
    expect(message).toContain(`params.${key}`)
    expect(message).not.toContain(PARAMS.password)
  })

  it('are refused at a private address with the setting that allows it', async () => {
    const { message } = await create({ ...PARAMS, address: own(), host: '10.1.2.3' })
    expect(message).toMatch(/^params\.host: .+ WEBHOOK_ALLOW_PRIVATE=true$/)
  })

  it('may name this machine where the operator allows it, without TLS only this machine', async () => {
    const local = { ...PARAMS, host: '127.0.0.1', security: 'none' }
    expect(await create({ ...local, address: own() }, open)).toMatchObject({ value: { status: 'INACTIVE' } })
    expect(await create({ ...local, address: own(), host: '10.1.2.3' }, open)).toMatchObject({
      field: 'params.security',
    })
  })

  it('are completed with the time from which mail is read, which stays', async () => {
    const address = own()
    const made = await create({ ...PARAMS, address })
    const { since } = made.value!.params
    expect(Math.abs(Date.parse(since as string) - app.clock.now().getTime())).toBeLessThan(120_000)
    const again = await update(made.value!.id, { ...PARAMS, address, password: '********' })
    expect(again.value!.params).toMatchObject({ since, password: '********' })
  })

  it('bind the password to its servers and its user', async () => {
    const address = own()
    const made = await create({ ...PARAMS, address })
    const masked = { ...PARAMS, address, password: '********' }
    for (const more of [
      { host: 'imap.evil.example' },
      { smtpHost: 'smtp.evil.example' },
      { user: 'other' },
      { port: 143 },
    ]) {
      expect(await update(made.value!.id, { ...masked, ...more })).toMatchObject({ field: 'params.password' })
    }
    expect(await update(made.value!.id, { ...masked, folders: ['INBOX', 'Orders'] })).toMatchObject({
      field: undefined,
    })
  })

  // [1 PATCH default]
  it('fall back to the default port where a PATCH of the params leaves it out', async () => {
    const given = { ...PARAMS, address: own(), port: 1993 }
    const made = await create(given)
    const portOf = (params: JsonObject) => settingsOfMailbox(params)!.imap.port
    expect(portOf(made.value!.params)).toBe(1993)
    const { port: _, ...params } = given
    const { status, body } = await app.rest(admin, 'PATCH', `/v2/services/${made.value!.id}`, { params })
    expect([status, Object.keys(body.params)]).toEqual([200, expect.not.arrayContaining(['port'])])
    expect(portOf(body.params)).toBe(993)
  })

  it('have an address of their own, also among services of type email', async () => {
    const address = own()
    expect(await create({ ...PARAMS, address })).toMatchObject({ value: { status: 'INACTIVE' } })
    const taken = `params.address ${address} is the address of another service`
    expect(await create({ ...PARAMS, address })).toMatchObject({ message: taken })
    const input = { type: 'email', params: { address } }
    const { errors } = await app.gql(admin, CREATE, { input })
    expect(errors?.[0]).toMatchObject({ message: taken, extensions: { reason: 'ADDRESS_TAKEN' } })
  })

  it('are settings of GraphQL as well', async () => {
    const settings = { mailbox: { ...PARAMS, address: own(), access: 'IMAP', port: 993, folders: ['INBOX'] } }
    const create = `mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }`
    const made = await app.gql(admin, create, { input: { type: 'mailbox', status: 'INACTIVE', settings } })
    const read = `query ($id: ID!) { service(id: $id) { settings { __typename ... on MailboxSettings {
      access host port password folders } } } }`
    const { data } = await app.gql(admin, read, { id: made.data.createService.id })
    expect(data.service.settings).toEqual({
      __typename: 'MailboxSettings',
      access: 'IMAP',
      host: PARAMS.host,
      port: 993,
      password: '********',
      folders: ['INBOX'],
    })
  })

  it('may all be missing: such a mailbox is not read', async () => {
    const made = await create({})
    expect(made.value).toMatchObject({ params: {} })
    const test = 'mutation ($service: ID!) { testService(service: $service) { ok message } }'
    const { data } = await app.gql(admin, test, { service: made.value!.id })
    expect(data.testService).toEqual({ ok: false, message: 'the service has no settings' })
  })

  it('keep a date that was recent when it was given', () => {
    const [then, now] = [new Date('2026-11-01T00:00:00Z'), new Date('2027-03-01T00:00:00Z')]
    const given = { ...PARAMS, since: '2026-09-01T00:00:00.000Z' }
    const stored = readMailboxParams(given, {}, { now: then, isPrivateAllowed: false })
    expect(readMailboxParams(given, stored, { now, isPrivateAllowed: false })).toEqual(stored)
    expect(() => readMailboxParams(given, {}, { now, isPrivateAllowed: false })).toThrow('params.since')
  })
})
