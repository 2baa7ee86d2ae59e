import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Action } from '../../../src/modules/messages/actions.js'
import { hubEvents } from '../../../src/modules/touchpoints/hub-events.js'
import { instagramParts } from '../../../src/modules/touchpoints/instagram/instagram-parts.js'
import type { Spoken } from '../../../src/modules/touchpoints/plain-text.js'
import { IN_BYTES, splitText } from '../../../src/modules/touchpoints/split-text.js'
import { problemOf } from './contract.js'

const ID = '01a1fa6a-ef52-7037-bf96-4128efc1581a'
const MEGABYTE = 1_048_576
const message = (given: Partial<Spoken>): Spoken => ({
  contentType: 'text/plain',
  text: null,
  actions: null,
  items: null,
  meta: null,
  ...given,
})
const parts = (given: Partial<Spoken>, attachment: Parameters<typeof instagramParts>[2] = null) =>
  instagramParts(ID, message(given), attachment)
const callOf = (part: object): object => ({ recipient: { id: '1' }, messaging_type: 'RESPONSE', message: part })

describe('the stand-in of the platform', () => {
  const call = callOf({ text: 'Hello' })
  const said = (more: object): object => callOf({ text: 'Hello', ...more })
  const reply = { content_type: 'text', title: 'Yes', payload: 'x' }
  const picture = { type: 'image', payload: { url: 'https://example.org/a.png' } }
  const button = { type: 'postback', title: 'Yes', payload: 'x' }
  const template = (payload: object): object => callOf({ attachment: { type: 'template', payload } })
  const element = { title: 'Vega', buttons: [button] }

  it.each([
    [call],
    [{ ...call, messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }],
    [callOf({ text: 'x'.repeat(1_000) })],
    [callOf({ text: 'ü'.repeat(500) })],
    [said({ quick_replies: [reply] })],
    [callOf({ attachment: picture })],
    [template({ template_type: 'button', text: 'Which?', buttons: [button] })],
    [template({ template_type: 'generic', elements: [element] })],
  ])('takes what the reference allows (%#)', (given) => {
    expect(problemOf(given)).toBeNull()
  })

  it.each([
    [{}],
    [{ ...call, recipient: { id: 7 } }],
    [{ ...call, recipient: { username: 'carl' } }],
    [{ ...call, messaging_type: 'UPDATE' }],
    [{ ...call, messaging_type: 'MESSAGE_TAG' }],
    [{ ...call, messaging_type: 'MESSAGE_TAG', tag: 'ACCOUNT_UPDATE' }],
    [{ ...call, tag: 'HUMAN_AGENT' }],
    [callOf({ text: '' })],
    [callOf({ text: 'x'.repeat(1_001) })],
    [callOf({ text: 'ü'.repeat(501) })],
    [said({ metadata: 'x' })],
    [said({ attachment: picture })],
    [said({ quick_replies: [] })],
    [said({ quick_replies: Array.from({ length: 14 }, () => reply) })],
    [said({ quick_replies: [{ ...reply, title: 'x'.repeat(21) }] })],
    [said({ quick_replies: [{ ...reply, image_url: 'https://example.org/a.png' }] })],
    [callOf({ attachment: picture, quick_replies: [reply] })],
    [callOf({ attachment: { ...picture, type: 'file' } })],
    [callOf({ attachment: { type: 'image', payload: { url: '/a.png' } } })],
    [template({ template_type: 'button', text: 'ü'.repeat(321), buttons: [button] })],
    [template({ template_type: 'button', text: 'Which?', buttons: [] })],
    [template({ template_type: 'button', text: 'Which?', buttons: [button, button, button, button] })],
    [
      template({
        template_type: 'button',
        text: 'Which?',
        buttons: [{ type: 'phone_number', title: 'Call', payload: '+31' }],
      }),
    ],
    [
      template({
        template_type: 'button',
        text: 'Which?',
        buttons: [{ type: 'web_url', title: 'Site', url: 'https://a.example', messenger_extensions: true }],
      }),
    ],
    [template({ template_type: 'generic', elements: [{ title: 'Vega' }] })],
    [template({ template_type: 'generic', elements: [{ ...element, title: 'x'.repeat(81) }] })],
    [template({ template_type: 'generic', elements: Array.from({ length: 11 }, () => element) })],
    [template({ template_type: 'media', elements: [element] })],
  ])('refuses what the reference does not allow (%#)', (given) => {
    expect(problemOf(given)).not.toBeNull()
  })
})

describe('a message on the platform', () => {
  it('is split into texts of at most 1,000 bytes, between words, and never within a character', () => {
    const words = 'größer '.repeat(400).trim()
    const made = parts({ text: words })
    expect(made.map((part) => part.text).join(' ')).toBe(words)
    expect(made.every((part) => Buffer.byteLength(part.text!) <= 1_000)).toBe(true)
    const family = '👨‍👩‍👧‍👦'
    const people = parts({ text: family.repeat(200) }).map((part) => part.text!)
    expect(people.join('')).toBe(family.repeat(200))
    for (const each of people) {
      expect(Buffer.byteLength(each)).toBeLessThanOrEqual(1_000)
      expect(each.replaceAll(family, '')).toBe('')
    }
  })

  it('is split without losing anything, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 90 }), (text, max) => {
        const cut = splitText(text, max, IN_BYTES)
        // A code point that alone is larger is kept whole.
        const isWithin = (part: string): boolean => Buffer.byteLength(part) <= max || [...part].length === 1
        expect(cut.every((part) => isWithin(part) && part.isWellFormed())).toBe(true)
        expect(cut.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })

  it('has pictures, films and sound to their sizes, and the address of any other file', () => {
    const url = 'https://s.example/f'
    const of = (fileType: string, size: number) => parts({ text: 'Here' }, { url, fileType, size })
    const shown = (type: string) => [{ text: 'Here' }, { attachment: { type, payload: { url } } }]
    expect(of('image/png', 8 * MEGABYTE)).toEqual(shown('image'))
    expect(of('video/mp4', 25 * MEGABYTE)).toEqual(shown('video'))
    expect(of('audio/wav', 1)).toEqual(shown('audio'))
    const named = [{ text: `Here\n${url}` }]
    expect(of('image/png', 8 * MEGABYTE + 1)).toEqual(named)
    expect(of('video/mp4', 25 * MEGABYTE + 1)).toEqual(named)
    expect(of('image/webp', 1)).toEqual(named)
    expect(of('application/pdf', 1)).toEqual(named)
    expect(parts({}, { url, fileType: 'application/pdf', size: 1 })).toEqual([{ text: url }])
    expect(parts({ contentType: 'image/png', text: url })).toEqual([
      { attachment: { type: 'image', payload: { url } } },
    ])
  })

  it('has its links and postbacks as buttons, replies below a text, and addresses to call as text', () => {
    const reply: Action = { type: 'reply', text: 'Yes', payload: 'y', iconUrl: 'https://a.example/i.png' }
    const quick_replies = [{ content_type: 'text', title: 'Yes', payload: `sb:${ID}:-:0` }]
    expect(parts({ text: 'Hello', actions: [reply] })).toEqual([{ text: 'Hello', quick_replies }])
    const picture = { url: 'https://s.example/p.png', fileType: 'image/png', size: 1 }
    expect(parts({ actions: [reply] }, picture)).toEqual([
      { attachment: { type: 'image', payload: { url: picture.url } } },
      { text: '…', quick_replies },
    ])
    const actions: Action[] = [
      { type: 'link', text: 'Site', uri: 'https://a.example/?u={authuser}' },
      { type: 'link', text: 'Call', uri: 'tel:+31201234567' },
      { type: 'webview', text: 'Book', uri: 'https://a.example/w', size: 'compact', fallback: 'https://a.example/f' },
      { type: 'postback', text: 'More', payload: 'm' },
      { type: 'locationRequest', text: 'Where are you?' },
    ]
    const buttons = [
      { type: 'web_url', title: 'Site', url: 'https://a.example/?u=' },
      { type: 'web_url', title: 'Book', url: 'https://a.example/w' },
      { type: 'postback', title: 'More', payload: `sb:${ID}:-:3` },
    ]
    const text = 'Hello\n\nCall: tel:+31201234567\nWhere are you?'
    expect(parts({ text: 'Hello', actions })).toEqual([
      { attachment: { type: 'template', payload: { template_type: 'button', text, buttons } } },
    ])
  })

  it('keeps to the contract, whatever it is', () => {
    const short = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '')
    const action = fc.oneof(
      fc.record({ type: fc.constant('reply' as const), text: short, payload: short }),
      fc.record({ type: fc.constant('postback' as const), text: short, payload: short }),
      fc.record({ type: fc.constant('link' as const), text: short, uri: fc.webUrl() }),
    )
    const item = fc.record(
      {
        title: short,
        description: fc.string({ unit: 'grapheme', maxLength: 200 }),
        mediaUrl: fc.webUrl(),
        actions: fc.array(action, { maxLength: 5 }),
      },
      { requiredKeys: [] },
    )
    const given = fc.record({
      text: fc.option(fc.string({ unit: 'grapheme', maxLength: 3_000 })),
      actions: fc.array(action, { maxLength: 20 }),
      items: fc.array(item, { maxLength: 12 }),
    })
    fc.assert(
      fc.property(given, (content) => {
        for (const part of parts(content as Partial<Spoken>))
          expect([problemOf(callOf(part)), part]).toEqual([null, part])
      }),
    )
  })
})

describe("the body of the platform's webhook", () => {
  const events = (...messaging: object[]) =>
    hubEvents({ object: 'instagram', entry: [{ id: 'IG', time: 1, messaging }] }, 'instagram')
  const from = { sender: { id: 'IGSID' }, recipient: { id: 'IG' }, timestamp: 1_569_262_485_349 }
  const about = { account: 'IG', sender: 'IGSID', at: 1_569_262_485_349 }
  const attached = (type: string, title: string | null, url: string | null) => ({ type, title, url, place: null })

  it('is read as the platform documents it', () => {
    const url = 'https://cdn.example/s'
    expect(
      events(
        { ...from, message: { mid: 'm1', text: 'Hi', reply_to: { mid: 'm0' } } },
        { ...from, message: { mid: 'm2', text: 'Yes', quick_reply: { payload: 'P' } } },
        { ...from, message: { mid: 'm3', text: 'Nice', reply_to: { story: { id: 's', url } } } },
        { ...from, message: { mid: 'm4', attachments: [{ type: 'story_mention', payload: { url } }] } },
        { ...from, message: { mid: 'm5', attachments: [{ type: 'ig_reel', payload: { url, title: 'A reel' } }] } },
        { ...from, message: { mid: 'm6', is_unsupported: true } },
        { ...from, message: { mid: 'm1', is_deleted: true } },
        { ...from, message: { mid: 'm2', is_deleted: 'true' } },
        { ...from, postback: { mid: 'm7', title: 'More', payload: 'MORE' } },
        { ...from, reaction: { mid: 'm8', action: 'react', reaction: 'love', emoji: '❤' } },
        { ...from, reaction: { mid: 'm8', action: 'unreact' } },
        { ...from, read: { mid: 'm9' } },
        {
          sender: from.recipient,
          recipient: from.sender,
          timestamp: 1_569_262_485_349,
          message: { mid: 'm10', is_echo: true, text: 'From my telephone' },
        },
      ),
    ).toEqual([
      { ...about, kind: 'message', mid: 'm1', text: 'Hi', payload: null, attachments: [] },
      { ...about, kind: 'message', mid: 'm2', text: 'Yes', payload: 'P', attachments: [] },
      {
        ...about,
        kind: 'message',
        mid: 'm3',
        text: 'Nice',
        payload: null,
        attachments: [attached('story', '[answer to a story]', url)],
      },
      {
        ...about,
        kind: 'message',
        mid: 'm4',
        text: null,
        payload: null,
        attachments: [attached('story_mention', '[mention in a story]', url)],
      },
      {
        ...about,
        kind: 'message',
        mid: 'm5',
        text: null,
        payload: null,
        attachments: [attached('ig_reel', 'A reel', url)],
      },
      {
        ...about,
        kind: 'message',
        mid: 'm6',
        text: null,
        payload: null,
        attachments: [attached('unsupported', null, null)],
      },
      { ...about, kind: 'unsent', mid: 'm1' },
      { ...about, kind: 'unsent', mid: 'm2' },
      { ...about, kind: 'postback', mid: 'm7', title: 'More', payload: 'MORE' },
      { ...about, kind: 'reaction', id: 'reaction:1569262485349:m8', target: 'm8', emoji: '❤' },
      { ...about, kind: 'reaction', id: 'reaction:1569262485349:m8', target: 'm8', emoji: null },
      { ...about, kind: 'seen', mid: 'm9' },
      { ...about, kind: 'echo', mid: 'm10', text: 'From my telephone', payload: null, attachments: [] },
    ])
  })

  it('names what has no use here, and drops nothing', () => {
    const own = { sender: { id: 'IG' }, recipient: { id: 'IGSID' } }
    const body = {
      object: 'instagram',
      entry: [
        {
          id: 'IG',
          messaging: [
            { ...from, message_edit: { mid: 'm', num_edit: 1 } },
            { ...from, referral: { ref: 'x' } },
            { ...from, message: { mid: 'm' } },
            { ...from, message: { text: 'no id' } },
            { ...own, message: { mid: 'm', is_echo: true, is_deleted: true } },
            { ...own, recipient: { id: 'IG' }, message: { mid: 'm', is_echo: true, text: 'x' } },
            { ...own, read: { mid: 'm' } },
            { message: { mid: 'm', text: 'x' } },
          ],
          changes: [{ field: 'comments', value: { id: '1' } }, { field: 'story_insights' }],
          standby: [{}],
        },
        { messaging: [] },
      ],
    }
    expect(hubEvents(body, 'instagram').map((event) => (event.kind === 'other' ? event.field : event))).toEqual([
      'an edit without a text',
      'referral',
      'a message without content',
      'a message without an id',
      'an unsend by the account',
      'a message of the account to nobody else',
      'an event of the account itself',
      'an event without a sender',
      'standby',
      'comments',
      'story_insights',
      'an entry without an account',
    ])
    expect(hubEvents({ ...body, object: 'page' }, 'instagram')).toEqual([])
  })

  it('are named if an id could not be stored: the job of one would fail, and keep up what comes after it', () => {
    const about = { sender: { id: '5' }, recipient: { id: '1' }, timestamp: 1 }
    const ids = ['a\nb', 'a\0b', '\u0085', 'x'.repeat(301), '\ud800', '']
    const messaging = ids.map((mid) => ({ ...about, message: { mid, text: 'Hello' } }))
    const read = hubEvents({ object: 'instagram', entry: [{ id: '1', messaging }] }, 'instagram')
    expect(read).toEqual(ids.map(() => ({ kind: 'other', field: 'a message without an id' })))
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
            ...['id', 'messaging', 'changes', 'standby', 'field', 'message', 'sender', 'recipient', 'mid', 'text'],
            ...['attachments', 'payload', 'url', 'title', 'is_deleted', 'is_echo', 'reply_to', 'story', 'read'],
            ...['reaction', 'emoji', 'action', 'postback', 'quick_reply', '__proto__', 'constructor'],
          ),
          tie('value'),
        ),
      ),
    })).value
    fc.assert(
      fc.property(hostile, hostile, (entry, event) => {
        const message = { sender: { id: 'S' }, recipient: event, message: event, postback: event, reaction: event }
        const body = { object: 'instagram', entry: [entry, { id: 'IG', messaging: [event, message] }] }
        expect(Array.isArray(hubEvents(body, 'instagram'))).toBe(true)
      }),
    )
  })
})
