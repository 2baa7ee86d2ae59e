import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { redactSecrets } from '../../src/modules/services/redact-secrets.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { addStoredParams } from '../support/stored-params.js'
import { startReceiver, type Receiver } from '../webhooks/receiver.js'

const SECRET = 'ko/ny+as?&"x<y>\\z 17~'
const bytes = Buffer.from(SECRET)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const escaped = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const entities = (text: string): string => text.replaceAll(/[^a-z]/g, (unit) => `&#${unit.charCodeAt(0)};`)

/** Manners in which a provider may say a secret. */
const SAID: Readonly<Record<string, string>> = {
  'as it is': SECRET,
  'as a part of JSON': JSON.stringify(SECRET).slice(1, -1),
  'as JSON within JSON': JSON.stringify(JSON.stringify(SECRET)).slice(3, -3),
  'in JSON, each character escaped': escaped(SECRET),
  'in JSON, each character escaped in capitals': escaped(SECRET).replaceAll(
    /u[0-9a-f]{4}/g,
    (each) => `u${each.slice(1).toUpperCase()}`,
  ),
  'in JSON with a slash escaped': SECRET.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('/', '\\/'),
  'in a URL': encodeURIComponent(SECRET),
  'in a URL, in small letters': encodeURIComponent(SECRET).toLowerCase(),
  'in a form': new URLSearchParams({ x: SECRET }).toString().slice(2),
  'in a URL, each byte': percent(SECRET),
  'in a URL within a URL': encodeURIComponent(encodeURIComponent(SECRET)),
  'in HTML': SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'in HTML, by numbers': entities(SECRET),
  'in base64': base64(SECRET),
  'in base64 without padding': base64(SECRET).replaceAll('=', ''),
  'in base64url': bytes.toString('base64url'),
  'in base64 in a URL': encodeURIComponent(base64(SECRET)),
  'in hexadecimal digits': bytes.toString('hex'),
  'in hexadecimal digits, in capitals': bytes.toString('hex').toUpperCase(),
}

const each = (write: (byte: number) => string): string => [...bytes].map(write).join('')
const inBase = (base: number, digits: number) => (byte: number) => byte.toString(base).padStart(digits, '0')
const RARE: Readonly<Record<string, string>> = {
  'quoted-printable': each((byte) => `=${inBase(16, 2)(byte).toUpperCase()}`),
  'quoted-printable with a line break': `${each((byte) => `=${inBase(16, 2)(byte)}`).slice(0, 9)}=\r\n${each((byte) => `=${inBase(16, 2)(byte)}`).slice(9)}`,
  'JavaScript with braces': each((byte) => `\\u{${inBase(16, 1)(byte)}}`),
  'octal digits': each((byte) => `\\${inBase(8, 3)(byte)}`),
  'names of HTML': SECRET.replaceAll('+', '&plus;').replaceAll('/', '&sol;').replaceAll('=', '&equals;'),
  'base64 in lines': base64(SECRET)
    .match(/.{1,5}/g)!
    .join('\r\n'),
  'hexadecimal digits with colons': each((byte) => `:${inBase(16, 2)(byte)}`).slice(1),
  'hexadecimal digits with spaces': each((byte) => ` ${inBase(16, 2)(byte).toUpperCase()}`).slice(1),
}

describe('a secret in a provider’s answer', () => {
  it.each(Object.entries(SAID))('is masked: %s', (_manner, said) => {
    expect(redactSecrets(`before ${said} after`, { token: SECRET })).toBe('before ******** after')
  })

  it.each(Object.entries(RARE))('is masked in a rare spelling: %s', (_manner, said) => {
    expect(redactSecrets(`before ${said} after`, { token: SECRET })).toBe('before ******** after')
  })

  it('leaves what only looks like a rare spelling, and hides no less beside it', () => {
    const said = `a=12 b=ab c: 10:20 &copy; \\053 \\u{41} &nope; "=AB${encodeURIComponent(SECRET)}"`
    const masked = `a=12 b=ab c: 10:20 &copy; \\053 \\u{41} &nope; "=AB********"`
    expect(redactSecrets(said, { token: SECRET, pin: '1020' })).toBe(masked)
  })

  it('is masked in letters beyond ASCII', () => {
    const said = ['kö/ny ß', encodeURIComponent('kö/ny ß'), escaped('kö/ny ß'), base64('kö/ny ß')].join(' | ')
    expect(redactSecrets(said, { token: 'kö/ny ß' })).toBe(Array(4).fill('********').join(' | '))
  })

  it.each(['', 'a', 'ab'])(
    'is masked in base64 of something longer, but for two bytes at each end (%j before it)',
    (before) => {
      for (const encoding of ['base64', 'base64url'] as const) {
        const said = Buffer.from(`${before}${SECRET}!!`).toString(encoding)
        const shown = redactSecrets(said, { token: SECRET })
        expect(shown).toContain('********')
        expect(shown.replace('********', '').length).toBeLessThanOrEqual(12)
      }
    },
  )

  it.each([
    ['https://crm.example/hook?page=2&apikey=abc%2Fdefgh', ['abc/defgh', 'abc%2fdefgh', base64('abc/defgh')]],
    [
      'https://user:pa%2Fss@crm.example/',
      ['pa/ss', 'pa%2fss', base64('user:pa/ss'), base64('user:pa/ss').replaceAll('=', '')],
    ],
  ])('is masked where it came from a URL: %s', (url, said) => {
    for (const each of said) expect(redactSecrets(`no: ${each}!`, { url })).toBe('no: ********!')
    expect(redactSecrets('page=2 of crm.example', { url })).toBe('page=2 of crm.example')
  })

  it('is masked where secrets overlap, and all else stays', () => {
    const params = { token: 'abcdef', secret: 'defghi', password: 'abc' }
    expect(redactSecrets('1 abcdefghi 2 %41 \\u0041 &amp; abc', params)).toBe('1 ******** 2 %41 \\u0041 &amp; ********')
  })

  it('is masked as a whole where there are more secrets than can be searched for', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`secret${nth}`, `s${nth}`]))
    const long = { secret: `${'a'.repeat(16_000)}b${'a'.repeat(16_000)}` }
    for (const params of [many, long]) {
      expect(redactSecrets('a'.repeat(65_536), params)).toBe('********')
      expect(redactSecrets('', params)).toBe('')
    }
  })

  it('leaves no beginning of a secret at the end of a text that went on', () => {
    const params = { secret: SECRET }
    const beginning = SECRET.slice(0, -1)
    expect(redactSecrets(`${'.'.repeat(65_536 - beginning.length)}${SECRET}`, params)).not.toContain(beginning)
    expect(redactSecrets(`${'.'.repeat(5_000)}${beginning}`, params, true)).toMatch(/^\.+$/)
    expect(redactSecrets(`${'.'.repeat(5_000)}${beginning}`, params)).toContain(beginning)
  })

  it('costs no more for a long answer that is full of escapes', () => {
    const params = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`secret${nth}`, `${SECRET}${nth}`]))
    for (const piece of [escaped(SECRET), '%25', '\\\\', 'kö/', bytes.toString('hex').slice(0, -2), '&#38;']) {
      const text = piece.repeat(1_048_576 / piece.length)
      expect(redactSecrets(text, params).length).toBeLessThanOrEqual(65_536)
    }
  })
})

describe('the log of deliveries', () => {
  let app: TestServer
  let admin: MadeUser
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
    admin = await app.makeUser({ organization: await app.makeContactCenter(), role: 'admin' })
  })
  afterAll(async () => {
    await app?.close()
    await receiver?.close()
  })

  it('has no secret that a receiver repeats', async () => {
    receiver.answer = () => ({ status: 500, body: Object.values(SAID).join(' | ') })
    const params = { url: `${receiver.url}/?apikey=key-of-the-url`, events: ['location.*'] }
    const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
    const { data } = await app.gql(admin, create, { input: { type: 'webhook', params } })
    const { id } = data.createService
    const status = 'query ($id: ID!) { service(id: $id) { status } }'
    await until(async () => (await app.gql(admin, status, { id })).data.service.status === 'ACTIVE')
    // Of before: no client may choose it any more.
    await addStoredParams(app.server, id, { secret: SECRET })
    await app.gql(admin, 'mutation { createLocation(input: { name: "Amsterdam" }) { id } }')
    const log = 'query ($id: ID!) { webhookDeliveries(service: $id) { edges { node { attempts { response } } } } }'
    const responses = async (): Promise<string[]> =>
      (await app.gql(admin, log, { id })).data.webhookDeliveries.edges
        .flatMap(({ node }: { node: { attempts: { response: string | null }[] } }) => node.attempts)
        .map(({ response }: { response: string | null }) => response)
        .filter(Boolean)
    await until(async () => (await responses()).length > 0)
    const expected = Object.values(SAID)
      .map(() => '********')
      .join(' | ')
    expect((await responses())[0]).toBe(expected)
  })
})
