import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Action } from '../../../src/modules/messages/actions.js'
import { clickReference, parseClickReference } from '../../../src/modules/touchpoints/click-reference.js'
import { isSignedByHub } from '../../../src/modules/touchpoints/hub-signature.js'
import { messengerEvents } from '../../../src/modules/touchpoints/messenger/messenger-events.js'
import { messengerParts } from '../../../src/modules/touchpoints/messenger/messenger-parts.js'
import { shorten, splitText } from '../../../src/modules/touchpoints/split-text.js'
import type { Spoken } from '../../../src/modules/touchpoints/plain-text.js'

const ID = '01a1fa6a-ef52-7037-bf96-4128efc1581a'
const message = (given: Partial<Spoken>): Spoken => ({
  contentType: 'text/plain',
  text: null,
  actions: null,
  items: null,
  meta: null,
  ...given,
})
const parts = (given: Partial<Spoken>, attachment: { url: string; fileType: string } | null = null) =>
  messengerParts(ID, message(given), attachment)

describe('X-Hub-Signature-256', () => {
  it("matches the scheme's published example", () => {
    // GitHub's documentation of validating deliveries; the scheme is that of WebSub, which both platforms took.
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const secret = "It's a Secret to Everybody"
    expect(isSignedByHub(secret, Buffer.from('Hello, World!'), signature)).toBe(true)
    expect(isSignedByHub(secret, Buffer.from('Hello, World'), signature)).toBe(false)
    expect(isSignedByHub('another', Buffer.from('Hello, World!'), signature)).toBe(false)
    expect(isSignedByHub(secret, Buffer.from('Hello, World!'), undefined)).toBe(false)
    expect(isSignedByHub(secret, Buffer.from('Hello, World!'), signature.slice(7))).toBe(false)
  })
})

describe('buttons on the platform (2.10, best available delivery)', () => {
  const template = (buttons: object[], text = 'Hello') => [
    { attachment: { type: 'template', payload: { template_type: 'button', text, buttons } } },
  ]
  it.each<[string, Action, object[]]>([
    [
      'link',
      { type: 'link', text: 'Site', uri: 'https://a.example/?u={authuser}' },
      template([{ type: 'web_url', title: 'Site', url: 'https://a.example/?u=' }]),
    ],
    [
      'link to call',
      { type: 'link', text: 'Call', uri: 'tel:+31201234567' },
      template([{ type: 'phone_number', title: 'Call', payload: '+31201234567' }]),
    ],
    [
      'link to mail',
      { type: 'link', text: 'Mail', uri: 'mailto:a@b.example' },
      [{ text: 'Hello\n\nMail: mailto:a@b.example' }],
    ],
    [
      'reply',
      { type: 'reply', text: 'Yes', payload: 'x'.repeat(5_000), iconUrl: 'https://a.example/i.png' },
      [
        {
          text: 'Hello',
          quick_replies: [
            { content_type: 'text', title: 'Yes', payload: `sb:${ID}:-:0`, image_url: 'https://a.example/i.png' },
          ],
        },
      ],
    ],
    [
      'postback',
      { type: 'postback', text: 'More', payload: 'x'.repeat(5_000) },
      template([{ type: 'postback', title: 'More', payload: `sb:${ID}:-:0` }]),
    ],
    [
      'webview',
      { type: 'webview', text: 'Book', uri: 'https://a.example/w', size: 'compact', fallback: 'https://a.example/f' },
      template([
        {
          type: 'web_url',
          title: 'Book',
          url: 'https://a.example/w',
          webview_height_ratio: 'compact',
          messenger_extensions: true,
          fallback_url: 'https://a.example/f',
        },
      ]),
    ],
    ['locationRequest', { type: 'locationRequest', text: 'Where are you?' }, [{ text: 'Hello\n\nWhere are you?' }]],
  ])('%s', (_type, action, expected) => {
    expect(parts({ text: 'Hello', actions: [action] })).toEqual(expected)
  })

  it('are three per template, with replies below the last part, and truncated titles repeated in full', () => {
    const actions: Action[] = [
      ...['a', 'b', 'c', 'a title of more than twenty characters'].map((text): Action => ({
        type: 'postback',
        text,
        payload: text,
      })),
      { type: 'reply', text: 'Yes', payload: 'y' },
    ]
    const [first, second, ...rest] = parts({ text: 'Choose', actions })
    expect(rest).toEqual([])
    expect(first!.attachment!.payload).toMatchObject({ text: 'Choose\n\n• a title of more than twenty characters' })
    expect(first!.attachment!.payload.buttons).toHaveLength(3)
    expect(first!.quick_replies).toBeUndefined()
    expect(second!.attachment!.payload).toMatchObject({ text: '…', buttons: [{ title: 'a title of more tha…' }] })
    expect(second!.quick_replies).toHaveLength(1)
  })

  it('are thirteen quick replies and further buttons, for fifty replies', () => {
    const actions = Array.from({ length: 50 }, (_, at): Action => ({ type: 'reply', text: `${at}`, payload: `${at}` }))
    const made = parts({ actions })
    expect(made.at(-1)!.quick_replies).toHaveLength(13)
    const payloads = made.flatMap((part) => [
      ...(part.quick_replies ?? []).map(({ payload }) => payload),
      ...((part.attachment?.payload.buttons ?? []) as { payload: string }[]).map(({ payload }) => payload),
    ])
    expect(new Set(payloads).size).toBe(50)
  })
})

describe('a message on the platform', () => {
  it('is split into texts of at most 2,000 characters, between words', () => {
    const text = 'word '.repeat(1_000).trim()
    const made = parts({ text })
    expect(made.map((part) => part.text).join(' ')).toBe(text)
    expect(made.every((part) => part.text!.length <= 2_000)).toBe(true)
  })

  it('shows items as a carousel, with text that a carousel would truncate or cannot show before it', () => {
    const items = [
      {
        title: 'Vega',
        description: 'd'.repeat(100),
        mediaUrl: 'https://a.example/v.png',
        actions: [{ type: 'postback' as const, text: 'Take', payload: 'v' }],
      },
      { title: 'Words alone' },
      { title: 'Film', mediaUrl: 'https://a.example/f.mp4', mediaType: 'video/mp4' },
    ]
    const [words, carousel, ...rest] = parts({ text: 'Boats', items })
    expect(rest).toEqual([])
    expect(words).toEqual({ text: `Boats\n\nVega\n${'d'.repeat(100)}\n\nWords alone\n\nFilm\nhttps://a.example/f.mp4` })
    expect(carousel!.attachment!.payload).toEqual({
      template_type: 'generic',
      elements: [
        {
          title: 'Vega',
          subtitle: `${'d'.repeat(79)}…`,
          image_url: 'https://a.example/v.png',
          buttons: [{ type: 'postback', title: 'Take', payload: `sb:${ID}:0:0` }],
        },
      ],
    })
  })

  it('carries images and files by their address', () => {
    expect(parts({ contentType: 'image/png', text: 'https://a.example/i.png' })).toEqual([
      { attachment: { type: 'image', payload: { url: 'https://a.example/i.png' } } },
    ])
    expect(
      parts(
        { text: 'Here', meta: { title: 'Offer' } },
        { url: 'https://s.example/o.pdf', fileType: 'application/pdf' },
      ),
    ).toEqual([{ text: 'Offer\nHere' }, { attachment: { type: 'file', payload: { url: 'https://s.example/o.pdf' } } }])
    expect(parts({ contentType: 'text/html', text: '<p>Dear <b>Ann</b></p>' })).toEqual([{ text: 'Dear Ann' }])
    expect(parts({})).toEqual([])
  })

  it('is split without losing or breaking a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 4, max: 60 }), (text, max) => {
        const cut = splitText(text, max)
        expect(cut.every((part) => part.length <= max && part.length > 0 && part.isWellFormed())).toBe(true)
        expect(cut.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
        expect(shorten(text, max).length).toBeLessThanOrEqual(max)
        expect(shorten(text, max).isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('the payload of a button', () => {
  it('identifies the button, and nothing else is accepted', () => {
    const place = { message: ID, item: 3, action: 2 }
    expect(parseClickReference(clickReference(place))).toEqual(place)
    expect(parseClickReference(clickReference({ ...place, item: null }))).toEqual({ ...place, item: null })
    for (const other of ['', 'GET_STARTED', 'sb:x:-:0', `sb:${ID}:-:`, `sb:${ID}:0:0:0`, `{"text":"sb:${ID}:-:0"}`]) {
      expect(parseClickReference(other)).toBeNull()
    }
  })
})

describe("the body of the platform's webhook", () => {
  const body = (...messaging: object[]) => ({ object: 'page', entry: [{ id: 'PAGE', time: 1, messaging }] })
  const from = { sender: { id: 'PSID' }, recipient: { id: 'PAGE' }, timestamp: 1_458_668_856_463 }
  const about = { account: 'PAGE', sender: 'PSID', at: 1_458_668_856_463 }

  it('is read as the platform documents it', () => {
    expect(
      messengerEvents(
        body(
          { ...from, message: { mid: 'm1', text: 'hello, world!' } },
          { ...from, message: { mid: 'm2', text: 'Yes', quick_reply: { payload: 'P' } } },
          {
            ...from,
            message: {
              mid: 'm3',
              attachments: [
                { type: 'image', payload: { url: 'https://cdn.example/i.png' } },
                { type: 'location', title: 'Here', payload: { coordinates: { lat: 52.1, long: 4.2 } } },
              ],
            },
          },
          { ...from, postback: { mid: 'm4', title: 'More', payload: 'MORE' } },
          { ...from, postback: { title: 'Get started', payload: 'START' } },
          { sender: from.sender, recipient: from.recipient, delivery: { mids: ['m5'], watermark: 1_458_668_856_253 } },
          { ...from, read: { watermark: 1_458_668_856_253 } },
        ),
      ),
    ).toEqual([
      { ...about, kind: 'message', mid: 'm1', text: 'hello, world!', payload: null, attachments: [] },
      { ...about, kind: 'message', mid: 'm2', text: 'Yes', payload: 'P', attachments: [] },
      {
        ...about,
        kind: 'message',
        mid: 'm3',
        text: null,
        payload: null,
        attachments: [
          { type: 'image', url: 'https://cdn.example/i.png', title: null, place: null },
          { type: 'location', url: null, title: 'Here', place: { latitude: 52.1, longitude: 4.2 } },
        ],
      },
      { ...about, kind: 'postback', mid: 'm4', title: 'More', payload: 'MORE' },
      { ...about, kind: 'postback', mid: 'postback:PSID:1458668856463', title: 'Get started', payload: 'START' },
      { ...about, at: 0, kind: 'delivered', mids: ['m5'], watermark: 1_458_668_856_253 },
      { ...about, kind: 'read', watermark: 1_458_668_856_253 },
    ])
  })

  it('may be a reaction, or its withdrawal', () => {
    const about = { account: 'PAGE', sender: 'PSID', at: 1_458_668_856_463, kind: 'reaction', target: 'm' }
    const react = (more: object): object => ({ ...from, reaction: { mid: 'm', ...more } })
    expect(messengerEvents(body(react({ action: 'react', emoji: '❤' }), react({ action: 'unreact' })))).toEqual([
      { ...about, id: 'reaction:1458668856463:m', emoji: '❤' },
      { ...about, id: 'reaction:1458668856463:m', emoji: null },
    ])
  })

  it('is ignored if it is an echo, of another type, or not as documented', () => {
    expect(
      messengerEvents(
        body(
          { sender: { id: 'PAGE' }, recipient: { id: 'PSID' }, message: { is_echo: true, mid: 'm', text: 'x' } },
          { ...from, message: { is_echo: true, mid: 'm', text: 'x' } },
          { ...from, message: { mid: 'm' } },
          { ...from, message: { text: 'no id' } },
          { ...from, reaction: { reaction: 'love', action: 'react', mid: 'm' } },
          { message: { mid: 'm', text: 'x' } },
        ),
      ),
    ).toEqual([])
    for (const other of [
      null,
      1,
      [],
      {},
      { object: 'user' },
      { object: 'page' },
      { object: 'page', entry: {} },
      { object: 'page', entry: [1, null, { messaging: [null, 3, { sender: 'x' }] }] },
    ]) {
      expect(messengerEvents(other)).toEqual([])
    }
  })

  it('never fails, for any input', () => {
    const hostile = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.string(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'object',
            'entry',
            'messaging',
            'message',
            'sender',
            'id',
            'mid',
            'text',
            'attachments',
            'payload',
            'url',
            'postback',
            'delivery',
            'read',
            'watermark',
            '__proto__',
          ),
          tie('value'),
        ),
      ),
    })).value
    fc.assert(
      fc.property(hostile, hostile, (entry, event) => {
        messengerEvents({
          object: 'page',
          entry: [entry, { id: 'P', messaging: [event, { sender: { id: 'S' }, message: event, postback: event }] }],
        })
      }),
    )
  })
})
