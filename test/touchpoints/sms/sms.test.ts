import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { startProviderFixture, type ProviderFixture, type Said } from '../provider-fixture.js'
import { ACCOUNT, startTwilio, type Twilio } from './twilio.js'
import { until } from '../../support/until.js'

let fixture: ProviderFixture
let twilio: Twilio
let service: string
let numbers = 0
let sids = 0

beforeAll(async () => {
  fixture = await startProviderFixture()
  twilio = await startTwilio()
  service = await fixture.makeService('sms', { ...ACCOUNT, from: '+31 97 0102 5300', apiUrl: twilio.url })
})
afterAll(async () => {
  await fixture.app.close()
  await twilio.close()
})

const number = (): string => `+3161234${String(++numbers).padStart(4, '0')}`
const sid = (): string => `SM${String(++sids).padStart(32, 'f')}`

/** Makes what the provider sends for a text, signed. */
function text(from: string, body: string, more: Record<string, string> = {}) {
  const { url, publicUrl } = fixture.hook('sms', service)
  const params = {
    MessageSid: sid(),
    AccountSid: ACCOUNT.accountSid,
    From: from,
    To: '+3197010253',
    Body: body,
    NumMedia: '0',
    ...more,
  }
  return twilio.call(url, params, { signedUrl: publicUrl })
}

function tell(delivery: string, params: Record<string, string>) {
  const { url, publicUrl } = fixture.hook('sms', service, `/status?delivery=${delivery}`)
  return twilio.call(url, params, { signedUrl: publicUrl })
}

async function saidBy(telephone: string): Promise<Said[]> {
  const rows = await fixture.app.server.database.query<{ id: string }>('select id from contact where telephone = $1', [
    telephone,
  ])
  return (await fixture.receivedBy(service)).filter((message) => message.contact_id === rows[0]?.id)
}

/** A conversation that a consumer began by text. */
async function begun(): Promise<{ telephone: string; conversation: string }> {
  const telephone = number()
  await text(telephone, 'Hello')
  const [said] = await saidBy(telephone)
  return { telephone, conversation: said!.conversation_id }
}

describe('an inbound text', () => {
  it('creates a contact and a queued conversation, and later ones are added to it (4.7, rule 6)', async () => {
    const telephone = number()
    expect(await text(telephone, 'I would like a boat, žluťoučký 😀')).toEqual({
      status: 200,
      type: 'text/xml; charset=utf-8',
      body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    })
    await text(telephone, 'Are you there?')
    const said = await saidBy(telephone)
    expect(said.map((message) => [message.role, message.touchpoint, message.text])).toEqual([
      ['contact', 'sms', 'I would like a boat, žluťoučký 😀'],
      ['contact', 'sms', 'Are you there?'],
    ])
    expect(new Set(said.map((message) => message.conversation_id)).size).toBe(1)
    const { data } = await fixture.app.gql(
      fixture.admin,
      'query ($id: ID!) { conversation(id: $id) { status touchpoint } }',
      { id: said[0]!.conversation_id },
    )
    expect(data.conversation).toEqual({ status: 'QUEUED', touchpoint: 'SMS' })
  })

  it('is stored once if it arrives a hundred times concurrently', async () => {
    const telephone = number()
    const MessageSid = sid()
    const answers = await Promise.all(Array.from({ length: 100 }, () => text(telephone, 'Once', { MessageSid })))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(await saidBy(telephone)).toHaveLength(1)
  })

  it("is refused without the provider's signature, and nothing is stored", async () => {
    const { url, publicUrl } = fixture.hook('sms', service)
    const params = { MessageSid: sid(), From: number(), Body: 'Forged' }
    const before = await fixture.receivedBy(service)
    expect((await twilio.call(url, params, { signedUrl: publicUrl, token: 'another' })).status).toBe(403)
    expect((await twilio.call(url, params)).status).toBe(403)
    expect((await fetch(url, { method: 'POST', body: new URLSearchParams(params) })).status).toBe(403)
    const unset = await fixture.makeService('sms', { accountSid: 'AC1' })
    const { url: other, publicUrl: signedUrl } = fixture.hook('sms', unset)
    expect((await twilio.call(other, params, { signedUrl, token: '' })).status).toBe(403)
    expect(await fixture.receivedBy(service)).toEqual(before)
  })

  it('is refused for an unknown service or one of another type', async () => {
    const email = await fixture.makeService('telex', {}, true)
    for (const id of ['x', '01a1fa6a-ef52-7037-bf96-4128efc1581a', email]) {
      expect((await twilio.call(fixture.hook('sms', id).url, { MessageSid: sid() })).status).toBe(404)
    }
  })

  it("includes its pictures, fetched with credentials from the account's host only", async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200, 7)])
    twilio.media.set('/media/1', { redirect: `${twilio.url.replace('127.0.0.1', 'localhost')}/stored/1` })
    twilio.media.set('/stored/1', { type: 'image/png', bytes: png })
    const telephone = number()
    twilio.faults.push({ status: 503 })
    const answer = await text(telephone, 'See', {
      NumMedia: '2',
      MediaUrl0: `${twilio.url}/media/1`,
      MediaContentType0: 'image/png',
      MediaUrl1: `${twilio.url}/media/gone`,
      MediaContentType1: 'video/mp4',
    })
    expect(answer.status).toBe(200)
    const said = await until(async () => (await saidBy(telephone)).length > 0 && saidBy(telephone))
    expect(said.map(({ text: words }) => words).join('\n')).toContain('See\n[video/mp4 that could not be fetched]')
    const rows = await fixture.app.server.database.query<{ file_type: string; size: number }>(
      'select a.file_type, a.size from attachment a where a.contact_id = $1',
      [said[0]!.contact_id],
    )
    expect(rows).toEqual([{ file_type: 'image/png', size: png.length }])
  })
})

describe("an agent's answer", () => {
  it("is sent once, in the provider's format, and reports its number of segments", async () => {
    const { telephone, conversation } = await begun()
    const message = await fixture.answer(conversation, { text: 'Sail or motor? €5' })
    const delivery = await fixture.becomes(message, 'sent')
    const sent = twilio.texts.filter(({ To }) => To === telephone)
    expect(sent).toEqual([
      {
        To: telephone,
        From: '+319701025300',
        Body: 'Sail or motor? €5',
        StatusCallback: `https://chat.example/inbound/sms/${service}/status?delivery=${delivery.id}`,
        sid: delivery.provider_id,
      },
    ])
    expect(delivery).toMatchObject({ recipient: telephone, segments: 1, reason: null })
  })

  it('is sent from the number to which the consumer wrote, if there are several', async () => {
    const second = await fixture.makeService('sms', { ...ACCOUNT, from: '+31201111111', apiUrl: twilio.url })
    const { telephone, conversation } = await begun()
    const write = (to: string) => {
      const { url, publicUrl } = fixture.hook('sms', to)
      return twilio.call(url, { MessageSid: sid(), From: telephone, Body: 'Here now' }, { signedUrl: publicUrl })
    }
    await write(second)
    await fixture.becomes(await fixture.answer(conversation, { text: 'To the second' }), 'sent')
    await write(service)
    await fixture.becomes(await fixture.answer(conversation, { text: 'To the first' }), 'sent')
    expect(twilio.texts.filter(({ To }) => To === telephone).map(({ From, Body }) => [From, Body])).toEqual([
      ['+31201111111', 'To the second'],
      ['+319701025300', 'To the first'],
    ])
  })

  it("follows the provider's status, which only moves on (4.7)", async () => {
    const { conversation } = await begun()
    const message = await fixture.answer(conversation, { text: 'Hello' })
    const { id, provider_id: providerId } = await fixture.becomes(message, 'sent')
    const steps: [string, string][] = [
      ['queued', 'sent'],
      ['delivered', 'delivered'],
      ['sent', 'delivered'],
      ['sending', 'delivered'],
      ['failed', 'delivered'],
      ['delivered', 'delivered'],
      ['read', 'read'],
      ['delivered', 'read'],
      ['a new word', 'read'],
    ]
    for (const [MessageStatus, expected] of steps) {
      expect((await tell(id, { MessageSid: providerId!, MessageStatus })).status).toBe(200)
      expect((await fixture.delivery(message)).status).toBe(expected)
    }
    const failing = await fixture.answer(conversation, { text: 'Hello again' })
    const second = await fixture.becomes(failing, 'sent')
    await tell(second.id, { MessageSid: second.provider_id!, MessageStatus: 'undelivered', ErrorCode: '30003' })
    await tell(second.id, { MessageSid: second.provider_id!, MessageStatus: 'sent' })
    expect(await fixture.delivery(failing)).toMatchObject({ status: 'failed', reason: 'undelivered: 30003' })
    // Nobody else speaks of this service's deliveries.
    const rival = await fixture.makeService('sms', { accountSid: 'AC9', authToken: 'theirs', from: '+31201234567' })
    const { url, publicUrl } = fixture.hook('sms', rival, `/status?delivery=${id}`)
    const third = await fixture.answer(conversation, { text: 'Third' })
    const { id: thirdId } = await fixture.becomes(third, 'sent')
    const forged = { url: url.replace(id, thirdId), signedUrl: publicUrl.replace(id, thirdId) }
    expect(
      (
        await twilio.call(
          forged.url,
          { MessageSid: 'x', MessageStatus: 'failed' },
          { token: 'theirs', signedUrl: forged.signedUrl },
        )
      ).status,
    ).toBe(200)
    expect((await fixture.delivery(third)).status).toBe('sent')
  })

  it('is retried when the provider is busy, and not when it refuses', async () => {
    const { telephone, conversation } = await begun()
    twilio.faults.push({
      status: 429,
      headers: { 'retry-after': '1' },
      body: '{"code":20429,"message":"Too Many Requests"}',
    })
    const message = await fixture.answer(conversation, { text: 'Busy' })
    expect(await fixture.becomes(message, 'sent')).toMatchObject({ attempts: 2 })
    twilio.faults.push({ status: 400, body: '{"code":21610,"message":"Attempt to send to unsubscribed recipient"}' })
    const refused = await fixture.answer(conversation, { text: 'Refused' })
    expect(await fixture.becomes(refused, 'failed')).toMatchObject({
      attempts: 1,
      reason: 'the provider refused: 21610 Attempt to send to unsubscribed recipient',
    })
    expect(twilio.texts.filter(({ To }) => To === telephone).map(({ Body }) => Body)).toEqual(['Busy'])
  })

  it("has an unknown outcome if the connection is lost, is not retried automatically, and is resolved by the provider's status", async () => {
    const { telephone, conversation } = await begun()
    twilio.faults.push('cut')
    const message = await fixture.answer(conversation, { text: 'Maybe' })
    const { id, attempts } = await fixture.becomes(message, 'maybeSent')
    expect(attempts).toBe(1)
    const after = await fixture.answer(conversation, { text: 'After' })
    await fixture.becomes(after, 'sent')
    expect(twilio.texts.filter(({ To }) => To === telephone).map(({ Body }) => Body)).toEqual(['After'])
    await tell(id, { MessageSid: 'SM1', MessageStatus: 'delivered' })
    expect((await fixture.delivery(message)).status).toBe('delivered')
  })

  it('has at most 1,600 characters, and says why it did not go', async () => {
    const { conversation } = await begun()
    const message = await fixture.answer(conversation, { text: 'a'.repeat(1_601) })
    expect(await fixture.becomes(message, 'failed')).toMatchObject({
      reason: 'the text has 1601 characters; an SMS holds 1600',
    })
  })

  it('lists its buttons as numbers, and a reply selects one (2.10)', async () => {
    const { telephone, conversation } = await begun()
    const actions = [
      { type: 'LINK', text: 'Site', uri: 'https://a.example' },
      { type: 'REPLY', text: 'Sail', payload: 'INTENT_SAIL' },
      { type: 'POSTBACK', text: 'Motor', payload: 'INTENT_MOTOR' },
    ]
    await fixture.becomes(await fixture.answer(conversation, { text: 'Which?', actions }), 'sent')
    expect(twilio.texts.find(({ To }) => To === telephone)!.Body).toBe(
      'Which?\n\nSite: https://a.example\n1. Sail\n2. Motor',
    )
    await text(telephone, '2')
    await text(telephone, ' sail ')
    await text(telephone, 'neither')
    const said = (await saidBy(telephone)).slice(1)
    expect(said.map(({ type, text: words, meta }) => [type, words, meta?.answer])).toEqual([
      ['postback', 'INTENT_MOTOR', '2'],
      ['postback', 'INTENT_SAIL', ' sail '],
      ['chat', 'neither', undefined],
    ])
    expect(said[0]!.actions).toEqual([{ type: 'postback', text: 'Motor', payload: 'INTENT_MOTOR' }])
  })
})

describe('STOP and START', () => {
  it('stop and resume messages of this sender to a consumer', async () => {
    const { telephone, conversation } = await begun()
    const stop = { MessageSid: sid() }
    await text(telephone, 'Stop.', stop)
    const blocked = await fixture.answer(conversation, { text: 'But wait' })
    expect((await fixture.becomes(blocked, 'failed')).reason).toMatch(/opted out of SMS at .* until it sends START/)
    await text(telephone, 'START')
    // The provider repeats itself.
    await text(telephone, 'Stop.', stop)
    await fixture.becomes(await fixture.answer(conversation, { text: 'Welcome back' }), 'sent')
    expect(twilio.texts.filter(({ To }) => To === telephone).map(({ Body }) => Body)).toEqual(['Welcome back'])
    expect((await saidBy(telephone)).map(({ text: words, meta }) => [words, meta?.optOut])).toEqual([
      ['Hello', undefined],
      ['Stop.', 'stop'],
      ['START', 'start'],
    ])
  })

  it('is not evaded by a number that takes the place of the one that was switched off', async () => {
    const { telephone, conversation } = await begun()
    await text(telephone, 'STOP')
    const next = await fixture.makeService('sms', { ...ACCOUNT, from: '+31 97 0102 5399', apiUrl: twilio.url })
    const set = (status: string) =>
      fixture.app.server.database.query('update service set status = $2 where id = $1', [service, status])
    await set('inactive')
    try {
      const blocked = await fixture.answer(conversation, { text: 'From another number' })
      expect((await fixture.becomes(blocked, 'failed')).reason).toMatch(/opted out of SMS/)
      const { data } = await fixture.app.gql<{ conversation: { routes: object[] } }>(
        fixture.admin,
        'query ($id: ID!) { conversation(id: $id) { routes { touchpoint problem service { id } } } }',
        { id: conversation },
      )
      expect(data.conversation.routes).toContainEqual({
        touchpoint: 'SMS',
        problem: 'OPTED_OUT',
        service: { id: next },
      })
      // A person may decide so.
      await fixture.becomes(await fixture.answer(conversation, { text: 'By name', service: next }), 'sent')
      expect(twilio.texts.filter(({ To }) => To === telephone).map(({ Body }) => Body)).toEqual(['By name'])
    } finally {
      await set('active')
      await fixture.app.server.database.query("update service set status = 'inactive' where id = $1", [next])
    }
  })
})

describe("hostile requests to the provider's address", () => {
  it('are never answered with a server error', async () => {
    const names = [
      'MessageSid',
      'From',
      'Body',
      'NumMedia',
      'MediaUrl0',
      'MessageStatus',
      'OptOutType',
      '\0',
      '__proto__',
    ]
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '',
        '+31612345678',
        '-1',
        '1e9',
        'http://127.0.0.1:1/x',
        'stop',
        '\0',
        'delivered',
        '😀'.repeat(2_000),
      ),
    )
    const failed: unknown[] = []
    const note = (code: number, given: unknown): void => void (code >= 500 && failed.push([code, given]))
    const { url, publicUrl } = fixture.hook('sms', service)
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...names), value),
        fc.constantFrom('', '/status', '/status?delivery=x'),
        async (params, rest) => {
          const given = Object.fromEntries(Object.entries(params).map(([name, each]) => [name, each.toWellFormed()]))
          note((await twilio.call(url + rest, given, { signedUrl: publicUrl + rest })).status, given)
        },
      ),
      { numRuns: 300 },
    )
    note(
      (
        await twilio.call(
          `${url}/status`,
          { MessageSid: '\0', MessageStatus: 'sent' },
          { signedUrl: `${publicUrl}/status` },
        )
      ).status,
      'NUL',
    )
    for (const body of ['', '%', '%FF%FE=%00', '&&&==', 'a'.repeat(70_000), '{"a":1}']) {
      for (const type of [
        'application/x-www-form-urlencoded',
        'application/json',
        'multipart/form-data',
        'text/plain',
      ]) {
        note((await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })).status, body)
      }
    }
    expect(failed).toEqual([])
  })
})

describe('the size of a text', () => {
  it('can be queried before it is sent', async () => {
    const { data } = await fixture.app.gql(
      fixture.agent,
      'query ($text: String!) { smsSize(text: $text) { encoding units segments } }',
      { text: 'ж'.repeat(71) },
    )
    expect(data.smsSize).toEqual({ encoding: 'UCS-2', units: 71, segments: 2 })
  })
})
