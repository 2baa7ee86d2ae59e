import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { StoredEvent } from '../../src/platform/events/event.js'
import type { JsonObject } from '../../src/platform/json.js'
import type { AttachmentLinks } from '../../src/modules/attachments/attachment-links.js'
import { envelopeBody } from '../../src/modules/webhooks/envelope.js'
import { eventId, outgoingEvents } from '../../src/modules/webhooks/outgoing-event.js'
import {
  DELAY_MS_MAX,
  retryAfterMs,
  probeDelayMs,
  retryDelayMs,
  RETRY_WINDOW_MS,
} from '../../src/platform/outbound/retries.js'
import { payloadFields } from '../../rest-compat/openapi/payload-fields.js'
import { parseSelection, select } from '../../src/modules/webhooks/payload-selection.js'
import { newSecret, signatureHeaders } from '../../src/modules/webhooks/signing.js'
import { readWebhookParams } from '../../src/modules/webhooks/webhook-params.js'
import { refusal } from '../support/refusal.js'

describe('signatures', () => {
  const signed = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1_614_265_330_999),
    body: '{"test": 2432232314}',
  }

  it("match Standard Webhooks' published vector", () => {
    expect(signatureHeaders({ ...signed, secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  // The libraries read a secret of one's own as base64, or with `format: 'raw'` as bytes, and take any signature that fits.
  it.each([
    ['my own secret!', [Buffer.from('my own secret!')]],
    ['Jefe', [Buffer.from('Jefe'), Buffer.from('Jefe', 'base64')]],
  ])('use a secret of another form as its bytes, and as base64 if it is that: %s', (secret, keys) => {
    const { 'webhook-signature': signature } = signatureHeaders({ ...signed, secrets: [secret] })
    const expected = keys.map((key) => {
      return `v1,${createHmac('sha256', key).update(`${signed.id}.1614265330.${signed.body}`).digest('base64')}`
    })
    expect(signature).toBe(expected.join(' '))
  })

  it("have the older header's HMAC-SHA1 of the body (RFC 2202, case 2)", () => {
    const body = 'what do ya want for nothing?'
    const { 'x-hub-signature': signature } = signatureHeaders({ ...signed, body, secrets: ['Jefe', 'replaced'] })
    expect(signature).toBe('sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79')
  })

  it('are two while a replaced secret is still valid, the current one first', () => {
    const [present, replaced] = [newSecret(), newSecret()]
    const each = [present, replaced].map(
      (secret) => signatureHeaders({ ...signed, secrets: [secret] })['webhook-signature'],
    )
    expect(signatureHeaders({ ...signed, secrets: [present, replaced] })['webhook-signature']).toBe(each.join(' '))
  })

  it('use secrets of 32 random bytes if none is given', () => {
    expect(Buffer.from(newSecret().replace('whsec_', ''), 'base64')).toHaveLength(32)
    expect(newSecret()).not.toBe(newSecret())
  })
})

describe('retries', () => {
  it('wait a second, then twice as long each time up to an hour, plus or minus a quarter', () => {
    expect([1, 2, 3, 4, 12, 13, 40].map((failures) => retryDelayMs(failures, 0.5))).toEqual([
      1_000,
      2_000,
      4_000,
      8_000,
      2_048_000,
      DELAY_MS_MAX,
      DELAY_MS_MAX,
    ])
    expect([retryDelayMs(3, 0), retryDelayMs(3, 1)]).toEqual([3_000, 5_000])
  })

  it('of an endpoint that is down wait as long as it has failed so far, however many deliveries failed with it', () => {
    expect([0, 900, 5_000, 60_000, 86_400_000].map((ms) => probeDelayMs(ms, 0.5))).toEqual([
      1_000,
      1_000,
      5_000,
      60_000,
      DELAY_MS_MAX,
    ])
    expect([probeDelayMs(8_000, 0), probeDelayMs(8_000, 1)]).toEqual([6_000, 10_000])
  })

  it('are about 35 within their 24 hours', () => {
    let failures = 0
    for (let at = 0; at < RETRY_WINDOW_MS; failures++) at += retryDelayMs(failures + 1, 0.5)
    expect(failures).toBeGreaterThan(30)
    expect(failures).toBeLessThan(40)
  })

  it('honour Retry-After in seconds or as a date, at most an hour', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const asked = (header: string | undefined) => retryAfterMs(header, now)
    expect([asked('7'), asked('Thu, 01 Jan 2026 00:02:00 GMT'), asked('86400'), asked('999999999')]).toEqual([
      7_000,
      120_000,
      DELAY_MS_MAX,
      DELAY_MS_MAX,
    ])
    expect([asked(undefined), asked('soon'), asked('-5'), asked('Wed, 31 Dec 2025 23:00:00 GMT')]).toEqual([
      null,
      null,
      0,
      0,
    ])
  })
})

describe('params of a webhook', () => {
  const url = 'https://example.com/hook?key=1'
  it.each([
    [{}, 'params.url'],
    [{ url: 'ftp://example.com' }, 'params.url'],
    [{ url: 'javascript:alert(1)' }, 'params.url'],
    [{ url: 5 }, 'params.url'],
    [{ url, events: 'message.create.*' }, 'params.events'],
    [{ url, events: [] }, 'params.events'],
    [{ url, events: ['message.create.*', 'a%b'] }, 'params.events[1]'],
    [{ url, events: [''] }, 'params.events[0]'],
    [{ url, events: ['7*'] }, 'params.events[0]'],
    [{ url, events: ['message.*', 'message.created.*'] }, 'params.events[1]'],
    [{ url, bot: 'Marvin' }, 'params.bot'],
    [{ url, ownMessages: 'yes' }, 'params.ownMessages'],
    // Of nobody.
    [{ url, ownMessages: true }, 'params.ownMessages'],
    [{ url, ownMessages: true, bot: null }, 'params.ownMessages'],
  ])('%j are refused, naming %s', (params, field) => {
    expect(refusal(() => readWebhookParams(params as JsonObject, {}, payloadFields)).field).toBe(field)
  })

  it('name the events closest to a pattern that matches none', () => {
    const { message } = refusal(() => readWebhookParams({ url, events: ['conversation.updated'] }, {}, payloadFields))
    expect(message).toContain('"conversation.updated" matches no event; the nearest are conversation.update')
    const missed = refusal(() => readWebhookParams({ url, events: ['message.created'] }, {}, payloadFields))
    expect(missed.message).toContain('the nearest are message.create.*')
    const events = [
      '*',
      '*.update',
      'message.create.*.chat',
      'conversation.*',
      'message.u*',
      'channel.notify',
      '*login',
    ]
    expect(readWebhookParams({ url, events }, {}, payloadFields).events).toEqual(events)
  })

  it.each([
    ['{ conversation { id nope } }', '"conversation.nope", which none of the webhook\'s events has; the nearest are'],
    ['{ previous { status nope } }', '"previous.nope", which none of the webhook\'s events has; the nearest are'],
    ['{ conversation { contact { id } } }', '"conversation.contact.id", which none of the webhook\'s events has'],
    ['{ conversation { contact { id } } }', 'conversation.contact is an id'],
    ['{ previous { participants { user { email } } } }', 'previous.participants.user is an id'],
  ])('refuse the selection %s', (query, reason) => {
    const params = { url, events: ['conversation.update'], query }
    expect(refusal(() => readWebhookParams(params, {}, payloadFields)).message).toContain(reason)
  })

  it.each([undefined, ['*'], ['conversation.*'], ['message.*', 'conversation.delete']])(
    'refuse unknown fields for the events %j',
    (events) => {
      for (const query of ['{ conversation { idd status } }', '{ conversation { participants { zzz } } }']) {
        const params = { url, query, ...(events && { events }) }
        expect(refusal(() => readWebhookParams(params, {}, payloadFields)).field).toBe('params.query')
      }
    },
  )

  it('take what any of all events has', () => {
    const query = '{ message { text } service { error status } conversation { id } user { id } previous { status } }'
    expect(readWebhookParams({ url, query }, {}, payloadFields).query).toBe(query)
  })

  it('take a selection of what changed, and of ids', () => {
    const query = '{ conversation { id contact meta { any } participants { user } } previous { status meta { any } } }'
    const params = { url, events: ['conversation.update'], query }
    expect(readWebhookParams(params, {}, payloadFields).query).toBe(query)
  })

  const base64Of = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')

  it.each<[unknown, string]>([
    ['abc', 'text of 3 characters'],
    ['', 'text of 0 characters'],
    ['hushh', 'text of 5 characters'],
    ['a'.repeat(257), 'text of 257 characters'],
    ['Geheimnis für alle Empfänger', 'text with characters other than printable ASCII'],
    ['whsec_not base64 in any way at all', 'whsec_ followed by text other than base64'],
    [`whsec_${base64Of(32).replace('=', '')}`, 'whsec_ followed by text other than base64'],
    [`whsec_${base64Of(5)}`, 'whsec_ followed by base64 of 5 bytes'],
    [`whsec_${base64Of(257)}`, 'whsec_ followed by base64 of 257 bytes'],
    [base64Of(257), 'text of 344 characters'],
    [1_234_567_890, 'of the type number'],
    [{ a: 'hidden' }, 'of the type object'],
    [['hidden'], 'a list'],
  ])('refuse the secret %j, and do not repeat it', (secret, problem) => {
    const { field, message } = refusal(() =>
      readWebhookParams({ url, secret } as JsonObject, { url, secret: 'stored' }, payloadFields),
    )
    expect(field).toBe('params.secret')
    expect(message).toMatch(`params.secret is ${problem}, which libraries of Standard Webhooks do not take`)
    for (const part of ['abc', 'Geheimnis', 'BwcH', 'any way', '123', 'hidden', 'hushh']) {
      expect(message).not.toContain(part)
    }
  })

  it.each([
    `whsec_${base64Of(24)}`,
    `whsec_${base64Of(64)}`,
    base64Of(24),
    base64Of(64),
    'twenty-four characters!!',
    'secret',
    'a-shared-secret',
    'a'.repeat(256),
  ])('take the secret %s, by which the libraries verify', (secret) => {
    expect(readWebhookParams({ url, secret }, {}, payloadFields).secret).toBe(secret)
    const { 'webhook-signature': signatures } = signatureHeaders({
      id: 'e1',
      sentAt: new Date(1_614_265_330_000),
      body: '{}',
      secrets: [secret],
    })
    const signatureBy = (key: Buffer) => `v1,${createHmac('sha256', key).update('e1.1614265330.{}').digest('base64')}`
    const encoded = secret.replace('whsec_', '')
    const isBase64 = Buffer.from(encoded, 'base64').toString('base64') === encoded
    // As base64 unless told otherwise, and by `format: 'raw'` as bytes.
    const keys = isBase64 ? [Buffer.from(encoded, 'base64')] : [Buffer.from(secret, 'latin1')]
    for (const key of keys) expect(signatures!.split(' ')).toContain(signatureBy(key))
  })

  it('take a secret back that is stored, whatever its form', () => {
    const known = { url, secret: 'abc' }
    expect(readWebhookParams({ url, secret: 'abc' }, known, payloadFields)).toEqual(known)
    expect(readWebhookParams({ url }, known, payloadFields)).toEqual(known)
  })

  it('take a selection back that is stored, for the same events', () => {
    const known = { url, events: ['conversation.create'], query: '{ conversation { id } user { id } }', secret: 'abc' }
    expect(readWebhookParams({ ...known, ownMessages: false }, known, payloadFields)).toMatchObject(known)
    for (const changed of [{ events: ['conversation.update'] }, { query: '{ user { id } }' }])
      expect(refusal(() => readWebhookParams({ ...known, ...changed }, known, payloadFields)).field).toBe(
        'params.query',
      )
  })

  it('keep the stored secret when none is given, and generate one when none is stored', () => {
    expect(readWebhookParams({ url }, { url, secret: 'kept' }, payloadFields)).toEqual({ url, secret: 'kept' })
    expect(readWebhookParams({ url }, {}, payloadFields).secret).toMatch(/^whsec_/)
  })
})

const AT = new Date('2026-03-01T10:00:00.123Z')

function stored(stream: string, type: string, data: JsonObject = {}, number = 1): StoredEvent {
  return { stream, type, data, number, at: AT, tag: 1, previous: 0 }
}

describe('names of events', () => {
  const conversation = 'conversation:c1'
  const organization = 'organization:o1'
  const tell = (...events: StoredEvent[]) => outgoingEvents(7, events)
  const message = { id: 'm1', type: 'chat', userId: 'u1' }

  it.each<[string, StoredEvent, object]>([
    [
      'message.create.{type}.chat',
      stored(conversation, 'message.added', { message }),
      { partition: conversation, user: 'u1' },
    ],
    [
      'message.update',
      stored(conversation, 'message.changed', { message }),
      { partition: conversation, message: 'm1' },
    ],
    ['message.delete', stored(conversation, 'message.deleted', { id: 'm1' }), { partition: conversation }],
    ['message.delivery', stored(conversation, 'message.delivery', { deliveries: [] }), { partition: conversation }],
    [
      'conversation.create',
      stored(conversation, 'conversation.created'),
      { partition: conversation, position: 1, place: 0 },
    ],
    ['conversation.update', stored(conversation, 'conversation.changed'), { conversation: 'c1', organization: null }],
    [
      'conversation.update',
      stored(conversation, 'participants.changed', { previous: { participants: [] } }),
      { partition: conversation },
    ],
    ['conversation.delete', stored(organization, 'conversation.deleted', { id: 'c1' }), { partition: conversation }],
    [
      'channel.notify',
      stored('channel:h1', 'queue.added', { entry: { conversation: 'c1' } }),
      { partition: conversation, channel: 'h1' },
    ],
    [
      'contact.update',
      stored(organization, 'contact.updated', { id: 'k1' }),
      { partition: 'contact:k1', organization: 'o1' },
    ],
    [
      'organizationGroup.create',
      stored(organization, 'organizationGroup.created', { id: 'g1' }),
      { partition: 'organizationGroup:g1' },
    ],
    ['channel.update', stored(organization, 'channel.memberAdded', { id: 'h1' }), { partition: 'channel:h1' }],
    ['user.login', stored(organization, 'user.login', { id: 'u1' }), { partition: 'user:u1', user: 'u1' }],
    ['service.error', stored(organization, 'service.error', { id: 's1' }), { partition: 'service:s1' }],
    [
      'organization.delete',
      stored(organization, 'organization.deleted', { id: 'o1', path: 'o0#o1' }),
      { path: ['o0', 'o1'] },
    ],
  ])('%s', (name, event, expected) => {
    expect(tell(event)).toMatchObject([{ event: name, stream: event.stream, number: 1, at: AT, ...expected }])
  })

  it('are not published for derived views: queues, inboxes', () => {
    expect(
      tell(
        stored('channel:h1', 'queue.changed'),
        stored('user:u1', 'inbox.added'),
        stored('user:u1', 'rule.notification'),
      ),
    ).toEqual([])
  })

  it('publish a change of participants beside a message, unless only counts changed', () => {
    const names = (data: object) =>
      tell(
        stored(conversation, 'message.added', { message }, 4),
        stored(conversation, 'participants.changed', data as StoredEvent['data'], 5),
      ).map(({ event }) => event)
    expect(names({})).toEqual(['message.create.{type}.chat'])
    expect(names({ previous: { participants: [] } })).toEqual(['message.create.{type}.chat', 'conversation.update'])
  })

  it('are not published for a conversation of which nothing changed that is shown', () => {
    expect(tell(stored(conversation, 'conversation.changed', { previous: {} }))).toEqual([])
  })

  it('place events of other streams after those of the conversation', () => {
    const events = tell(
      stored('channel:h1', 'queue.added', { entry: { conversation: 'c1' } }, 90),
      stored(conversation, 'message.added', { message }, 4),
      stored(conversation, 'conversation.changed', {}, 5),
    )
    const places = events.map(({ event, position, place }) => [event, position, place])
    expect(places).toEqual([
      ['channel.notify', 5, 1],
      ['message.create.{type}.chat', 4, 0],
      ['conversation.update', 5, 0],
    ])
  })

  it('have an id that depends on the event only', () => {
    const event = { stream: conversation, number: 9, tag: 3, at: AT }
    expect(eventId(7, event)).toBe(eventId(7, event))
    expect(eventId(7, event)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const others = [{ number: 10 }, { tag: 4 }].map((change) => eventId(7, { ...event, ...change }))
    expect(new Set([eventId(7, event), eventId(8, event), ...others]).size).toBe(4)
  })
})

describe('a selection of the payload', () => {
  const data = {
    message: { id: 'm1', text: 'hello', meta: { a: { b: 1 } } },
    conversation: { participants: [{ user: 'u1', role: 'agent' }] },
  }
  const selected = (query: string) => select(data, parseSelection(query, 'params.query'))

  it('accepts fields, nested fields and lists, and aliases; null for missing ones', () => {
    expect(selected('{ message { said: text meta } conversation { participants { user } } contact { id } }')).toEqual({
      message: { said: 'hello', meta: { a: { b: 1 } } },
      conversation: { participants: [{ user: 'u1' }] },
      contact: null,
    })
    expect(selected('query Mine { message { meta { a } none { x } } }')).toEqual({
      message: { meta: { a: { b: 1 } }, none: null },
    })
    expect(JSON.stringify(selected('{ __proto__: message { id } constructor }'))).toBe(
      '{"__proto__":{"id":"m1"},"constructor":null}',
    )
  })

  it.each([
    '',
    '{',
    'message',
    '{ message(first: 1) { id } }',
    '{ message @skip(if: true) { id } }',
    '{ ...on X { id } }',
    'query ($a: Int) { message { id } }',
    'mutation { message { id } }',
    '{ a } query B { b }',
    '{ a }'.repeat(2_000),
    `${'{ a '.repeat(12)}${'}'.repeat(12)}`,
    `{ ${'a '.repeat(1_200)} }`,
  ])('%j is refused', (query) => {
    expect(refusal(() => parseSelection(query, 'params.query')).field).toBe('params.query')
  })
})

describe('the body', () => {
  it('has the same bytes when a receiver parses and serializes it, for any data', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (meta, text) => {
        const body = envelopeBody(
          {
            id: 'e1',
            event: 'message.create.contact.chat',
            at: AT,
            organization: 'o1',
            conversation: 'c1',
            context: null,
            // As PostgreSQL gives it back: parsed JSON.
            data: JSON.parse(JSON.stringify({ message: { id: 'm1', text, meta } })) as JsonObject,
          },
          { publicUrl: 'https://example.com', links: { urlOf: (id: string) => id } as unknown as AttachmentLinks },
        )
        expect(JSON.stringify(JSON.parse(body))).toBe(body)
      }),
      { numRuns: 300 },
    )
  })
})
