import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { whatsappEvents } from '../../../src/modules/touchpoints/whatsapp/whatsapp-events.js'
import type { AttachmentLink } from '../../../src/modules/touchpoints/adapter.js'
import { whatsappParts, type WhatsappPart } from '../../../src/modules/touchpoints/whatsapp/whatsapp-parts.js'
import type { Spoken } from '../../../src/modules/touchpoints/plain-text.js'
import { bodyOf } from './cloud-api.js'
import { problemOf } from './contract.js'

const ID = '0198aaaa-bbbb-7ccc-8ddd-eeeeffff0001'
const spoken = (more: Partial<Spoken>): Spoken => ({
  contentType: 'text/plain',
  text: null,
  actions: null,
  items: null,
  meta: null,
  ...more,
})
const reply = (text: string) => ({ type: 'reply' as const, text, payload: text })
const whole = (part: WhatsappPart): object => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '31612345678',
  ...part,
  biz_opaque_callback_data: `${ID}:1/1`,
})

/** Kinds of the parts, with what they hold. */
const kinds = (message: Partial<Spoken>, file: AttachmentLink | null = null): string[] =>
  whatsappParts(ID, spoken(message), file).map((part) =>
    part.type === 'interactive' ? String(part.interactive.type) : part.type,
  )

describe('a message in the form of the platform (2.10)', () => {
  it.each<[string, Partial<Spoken>, string[]]>([
    ['a text', { text: 'Hi' }, ['text']],
    ['nothing', {}, []],
    ['a long text', { text: 'word '.repeat(2_000) }, ['text', 'text', 'text']],
    ['HTML', { contentType: 'text/html', text: '<b>Hi</b>' }, ['text']],
    ['a picture', { contentType: 'image/png', text: 'https://x.example/a.png' }, ['image']],
    ['three replies', { text: 'Which?', actions: ['a', 'b', 'c'].map(reply) }, ['button']],
    ['replies without words', { actions: ['a', 'b'].map(reply) }, ['button']],
    ['ten replies', { text: 'Which?', actions: [...'abcdefghij'].map(reply) }, ['list']],
    ['eleven replies', { text: 'Which?', actions: [...'abcdefghijk'].map(reply) }, ['text']],
    [
      'alike after shortening',
      { text: 'Which?', actions: [1, 2].map((at) => reply(`${'long '.repeat(9)}${at}`)) },
      ['text'],
    ],
    ['a link', { text: 'Look', actions: [{ type: 'link', text: 'Here', uri: 'https://x.example/' }] }, ['cta_url']],
    ['a call', { text: 'Call', actions: [{ type: 'link', text: 'Now', uri: 'tel:+31201234567' }] }, ['text']],
    ['a place', { actions: [{ type: 'locationRequest', text: 'Where are you?' }] }, ['location_request_message']],
    ['mixed', { text: 'x', actions: [reply('a'), { type: 'link', text: 'b', uri: 'https://x.example' }] }, ['text']],
    ['too long for buttons', { text: 'x'.repeat(1_025), actions: ['a'].map(reply) }, ['text']],
    ['items', { items: [{ title: 'One', actions: [reply('a')] }] }, ['text']],
  ])('%s', (_, message, expected) => {
    expect(kinds(message)).toEqual(expected)
  })

  it('shows a file in place if it may, else as a document, and as an address if it is too large', () => {
    const file = (fileType: string, size: number) => ({ url: 'https://x.example/f', fileName: 'f', fileType, size })
    const megabyte = 1_048_576
    expect(kinds({}, file('image/png', 5 * megabyte))).toEqual(['image'])
    expect(kinds({}, file('image/png', 5 * megabyte + 1))).toEqual(['document'])
    expect(kinds({}, file('image/webp', 1))).toEqual(['document'])
    expect(kinds({}, file('video/mp4', 16 * megabyte))).toEqual(['video'])
    expect(kinds({}, file('audio/ogg', 1))).toEqual(['audio'])
    expect(kinds({ text: 'Read' }, file('application/pdf', 1))).toEqual(['document', 'text'])
    expect(kinds({}, file('application/zip', 101 * megabyte))).toEqual(['text'])
  })

  it('keeps to the published contract, whatever the message', () => {
    const words = fc.string({ minLength: 1, maxLength: 120 }).filter((text) => text.trim() !== '')
    const url = fc.webUrl({ size: 'small' })
    const action = fc.oneof(
      fc.record({ type: fc.constantFrom('reply' as const, 'postback' as const), text: words, payload: words }),
      fc.record({ type: fc.constant('link' as const), text: words, uri: url }),
      fc.record({ type: fc.constant('webview' as const), text: words, uri: url }),
      fc.record({ type: fc.constant('locationRequest' as const), text: words }),
    )
    const message = fc.record({
      contentType: fc.constantFrom('text/plain' as const, 'text/html' as const),
      text: fc.option(fc.string({ maxLength: 9_000 })),
      actions: fc.option(fc.array(action, { maxLength: 13 })),
      items: fc.option(
        fc.array(fc.record({ title: words, actions: fc.array(action, { maxLength: 3 }) }), { maxLength: 3 }),
      ),
      meta: fc.constant(null),
    })
    fc.assert(
      fc.property(message, (given) => {
        for (const part of whatsappParts(ID, given as Spoken, null)) expect(problemOf(whole(part))).toBeNull()
      }),
      { numRuns: 150 },
    )
  })

  it('would be refused by the contract with each of 40 mistakes', () => {
    const good = whole(whatsappParts(ID, spoken({ text: 'Which?', actions: ['a', 'b'].map(reply) }), null)[0]!)
    const list = whole(whatsappParts(ID, spoken({ text: 'Which?', actions: [...'abcd'].map(reply) }), null)[0]!)
    const plain = whole({ type: 'text', text: { body: 'Hi', preview_url: false } })
    for (const each of [good, list, plain]) expect(problemOf(each)).toBeNull()
    // oxlint-disable-next-line typescript/no-explicit-any
    const mistakes: [object, (message: any) => void][] = [
      [plain, (m) => delete m.messaging_product],
      [plain, (m) => (m.messaging_product = 'telegram')],
      [plain, (m) => delete m.to],
      [plain, (m) => (m.to = '+31612345678')],
      [plain, (m) => (m.to = 31_612_345_678)],
      [plain, (m) => (m.to = '')],
      [plain, (m) => (m.recipient = 'NL.1')],
      [plain, (m) => delete m.type],
      [plain, (m) => (m.type = 'txt')],
      [plain, (m) => (m.type = 'image')],
      [plain, (m) => delete m.text],
      [plain, (m) => (m.text = 'Hi')],
      [plain, (m) => (m.text.body = '')],
      [plain, (m) => (m.text.body = 'x'.repeat(4_097))],
      [plain, (m) => (m.text.body = null)],
      [plain, (m) => (m.text.Body = 'x')],
      [plain, (m) => (m.text.preview_url = 'no')],
      [plain, (m) => (m.recipient_type = 'group')],
      [plain, (m) => (m.biz_opaque_callback_data = 'x'.repeat(513))],
      [plain, (m) => (m.biz_opaque_callback_data = '')],
      [plain, (m) => (m.callback = 'x')],
      [plain, (m) => (m.image = { link: 'https://x.example' })],
      [good, (m) => delete m.interactive.body],
      [good, (m) => (m.interactive.body.text = '')],
      [good, (m) => (m.interactive.body.text = 'x'.repeat(1_025))],
      [good, (m) => delete m.interactive.action],
      [good, (m) => (m.interactive.type = 'buttons')],
      [good, (m) => (m.interactive.action.buttons = [])],
      [good, (m) => m.interactive.action.buttons.push(...structuredClone(m.interactive.action.buttons))],
      [good, (m) => (m.interactive.action.buttons[0].type = 'postback')],
      [good, (m) => (m.interactive.action.buttons[0].reply.title = 'x'.repeat(21))],
      [good, (m) => (m.interactive.action.buttons[0].reply.title = '')],
      [good, (m) => (m.interactive.action.buttons[0].reply.id = 'x'.repeat(257))],
      [good, (m) => (m.interactive.action.buttons[0].reply.id = m.interactive.action.buttons[1].reply.id)],
      [good, (m) => (m.interactive.action.buttons[0].reply.title = m.interactive.action.buttons[1].reply.title)],
      [list, (m) => delete m.interactive.action.button],
      [list, (m) => (m.interactive.action.button = 'x'.repeat(21))],
      [list, (m) => (m.interactive.action.sections = [])],
      [list, (m) => (m.interactive.action.sections[0].rows[0].title = 'x'.repeat(25))],
      [list, (m) => (m.interactive.action.sections[0].rows[0].description = 'x'.repeat(73))],
    ]
    expect(mistakes).toHaveLength(40)
    for (const [of, mistake] of mistakes) {
      const message = structuredClone(of)
      mistake(message)
      expect([mistake.toString(), problemOf(message)]).toEqual([mistake.toString(), expect.any(String)])
    }
  })
})

describe("the platform's events", () => {
  it('are read without a failure, whatever stands in them, and each is named', () => {
    const keys = [
      'from',
      'from_user_id',
      'id',
      'type',
      'text',
      'image',
      'system',
      'interactive',
      'button',
      'contacts',
      'errors',
      'body',
    ]
    const value = fc.dictionary(fc.constantFrom(...keys, 'statuses', 'messages', 'metadata'), fc.anything(), {
      maxKeys: 6,
    })
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), fc.anything(), (messages, other) => {
        const events = whatsappEvents(bodyOf({ messages, statuses: other }))
        for (const { kind } of events) expect(['message', 'moved', 'status', 'template', 'other']).toContain(kind)
        expect(events.length).toBeGreaterThanOrEqual(Math.max(1, messages.length))
      }),
      { numRuns: 500 },
    )
    for (const body of [null, [], 'x', { object: 'page' }, { object: 'whatsapp_business_account', entry: 1 }]) {
      expect(whatsappEvents(body)).toEqual([])
    }
    expect(whatsappEvents(bodyOf({ event: 'x' }, 'of next year'))).toEqual([{ kind: 'other', field: 'of next year' }])
  })
})
