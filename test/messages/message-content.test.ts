import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { MESSAGE_DELAY_MS_MAX, parseMessage, parseMessages } from '../../src/modules/messages/message-content.js'
import { CONTENT_TYPES, MESSAGE_TYPES } from '../../src/modules/messages/message-enums.js'
import { attempt, refusal } from '../support/refusal.js'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('parseMessage (2.9)', () => {
  // [2.9 role default, contentType default, type default]
  it('is a chat message of a bot by default', () => {
    expect(parseMessage({ text: 'Hello' })).toStrictEqual({
      id: null,
      type: 'chat',
      role: 'bot',
      isBackchannel: false,
      contentType: 'text/plain',
      text: 'Hello',
      user: null,
      service: null,
      touchpoint: null,
      actions: [],
      items: [],
      results: [],
      meta: {},
      delayMs: 0,
      mark: null,
      depth: null,
      proposal: null,
      provenance: null,
      seen: null,
      template: null,
      mail: null,
    })
  })

  it('accepts every field that a client may set, and null for absent ones', () => {
    const message = {
      type: 'card',
      role: 'agent',
      isBackchannel: true,
      contentType: 'text/html',
      text: '<b onclick="x()">Hi</b><script>x</script>',
      user: id.toUpperCase(),
      service: id,
      touchpoint: 'messenger',
      actions: [{ type: 'reply', text: 'Yes', payload: 'yes' }],
      items: [{ title: 'Shoe' }],
      meta: { title: 'Panel', backgroundColor: '#ff0000' },
      delay: 1500,
    }
    const { delay, ...kept } = message
    expect(parseMessage(message)).toStrictEqual({
      id: null,
      ...kept,
      results: [],
      text: '<b>Hi</b>',
      user: id,
      delayMs: delay,
      mark: null,
      depth: null,
      proposal: null,
      provenance: null,
      seen: null,
      template: null,
      mail: null,
    })
    const nulls = { type: null, role: null, delay: null, meta: null, touchpoint: null }
    expect(parseMessage({ text: 'x', ...nulls })).toEqual(parseMessage({ text: 'x' }))
  })

  // [2.9 type comment]
  it('reads comment as mention', () => {
    expect(parseMessage({ type: 'comment', text: 'Look', meta: { targetUser: id } }).type).toBe('mention')
  })

  it.each([
    [{ type: 'CHAT', text: 'x' }, 'type'],
    [{ type: 'constructor', text: 'x' }, 'type'],
    [{ role: 'owner', text: 'x' }, 'role'],
    [{ isBackchannel: 'true', text: 'x' }, 'isBackchannel'],
    [{ contentType: 'image/svg+xml', text: 'https://x.nl' }, 'contentType'],
    [{ touchpoint: 'whatsapp', text: 'x' }, 'touchpoint'],
    [{ user: 'me', text: 'x' }, 'user'],
    [{ service: 5, text: 'x' }, 'service'],
    [{ text: 5 }, 'text'],
    [{ text: 'a\0b' }, 'text'],
    [{ text: 'a\udc00b' }, 'text'],
    [{ text: 'é'.repeat(32_769) }, 'text'],
    [{ contentType: 'text/html', text: '&'.repeat(30_000) }, 'text'],
    [{ text: 'x', likes: [id] }, 'likes'],
    [{ text: 'x', id }, 'id'],
    [JSON.parse('{"text":"x","__proto__":{"role":"system"}}'), '__proto__'],
    [{ text: 'x', meta: [] }, 'meta'],
    [{ text: 'x', meta: { _source: 1 } }, 'meta._source'],
    [{ text: 'x', actions: [{ type: 'link', text: 'x', uri: 'javascript:x' }] }, 'actions[0].uri'],
    [{ type: 'mention', meta: { targetUser: id }, items: [{ title: 'x' }] }, 'items'],
    [null, 'input'],
    ['x', 'input'],
    [[], 'input'],
  ])('refuses %.70j naming %s', (message, field) => {
    expect(refusal(() => parseMessage(message)).field).toBe(field)
  })

  it.each([-1, 2 ** 31, 1e308, Infinity, NaN, 0.5, '5', true, [5], {}])('refuses the delay %p', (delay) => {
    expect(refusal(() => parseMessage({ text: 'x', delay })).field).toBe('delay')
  })

  it.each([0, 1, MESSAGE_DELAY_MS_MAX])('accepts the delay %p', (delay) => {
    expect(parseMessage({ text: 'x', delay }).delayMs).toBe(delay)
  })

  it('accepts a text of 64 KiB', () => {
    const text = 'é'.repeat(32_768)
    expect(parseMessage({ text }).text).toBe(text)
  })

  // [2.9 contentType, text of an image]
  it.each(CONTENT_TYPES.filter((type) => type.startsWith('image/') || type === 'text/url'))(
    'requires a web address in %s',
    (contentType) => {
      expect(parseMessage({ contentType, text: 'https://x.nl/a' }).text).toBe('https://x.nl/a')
      for (const text of ['javascript:alert(1)', 'data:image/png;base64,AA', 'a.png', '', null, undefined]) {
        expect(refusal(() => parseMessage({ contentType, text })).field).toBe('text')
      }
    },
  )

  // [2.10 items in a chat message]
  it('refuses a chat message without content, even if only sanitising removed it', () => {
    const script = { contentType: 'text/html', text: '<script>x</script>' }
    for (const message of [{}, { text: '' }, script, { type: 'card' }, { type: 'postback' }]) {
      expect(refusal(() => parseMessage(message)).field).toBe('text')
    }
    expect(parseMessage({ items: [{ title: 'x' }] }).text).toBeNull()
    expect(parseMessage({ actions: [{ type: 'locationRequest', text: 'x' }] }).text).toBeNull()
    expect(parseMessage({ type: 'card', meta: { title: 'x' } }).text).toBeNull()
  })

  it('refuses actions and items that are too large together', () => {
    const actions = Array.from({ length: 5 }, () => ({ type: 'reply', text: 'x', payload: 'p'.repeat(60_000) }))
    expect(refusal(() => parseMessage({ actions })).field).toBe('actions')
  })

  it.each(['accept', ' /accept', '', undefined])('refuses the command text %j', (text) => {
    expect(refusal(() => parseMessage({ type: 'command', text })).field).toBe('text')
  })

  it('accepts commands that begin with / or >, as plain text', () => {
    expect(parseMessage({ type: 'command', text: '/accept' }).text).toBe('/accept')
    expect(parseMessage({ type: 'command', text: '>help' }).text).toBe('>help')
    expect(refusal(() => parseMessage({ type: 'command', text: '/x', contentType: 'text/html' })).field).toBe('text')
  })

  it.each([
    [{}, 'meta.targetUser'],
    [{ targetUser: id, targetOrganization: id }, 'meta.targetUser'],
    [{ targetUser: null }, 'meta.targetUser'],
    [{ targetUser: 'bob' }, 'meta.targetUser'],
    [{ targetOrganization: { id } }, 'meta.targetOrganization'],
  ])('refuses a mention with the target %j: it requires exactly one (2.12)', (meta, field) => {
    expect(refusal(() => parseMessage({ type: 'mention', text: 'x', meta })).field).toBe(field)
  })

  it('accepts a mention of one user or one organization, and leaves targetName to the system', () => {
    const meta = { targetUser: id, targetName: 'Mallory' }
    expect(parseMessage({ type: 'mention', meta }).meta).toEqual({ targetUser: id })
    expect(parseMessage({ type: 'mention', meta: { targetOrganization: id, targetUser: null } }).type).toBe('mention')
  })

  // [2.12 card title, card backgroundColor, form and field form, form and field categoryIndex, field key]
  it.each([
    ['card', { backgroundColor: 'red; background: url(//x)' }, 'meta.backgroundColor'],
    ['card', { backgroundColor: 'url(//x.nl/a)' }, 'meta.backgroundColor'],
    ['card', { title: { a: 1 } }, 'meta.title'],
    ['form', { form: 5 }, 'meta.form'],
    ['field', { form: id, key: ['email'] }, 'meta.key'],
    ['field', { categoryIndex: -1 }, 'meta.categoryIndex'],
    ['form', { categoryIndex: '0' }, 'meta.categoryIndex'],
  ])('refuses a %s with meta %j', (type, meta, field) => {
    expect(refusal(() => parseMessage({ type, text: 'x', meta })).field).toBe(field)
  })

  it('either parses or refuses any input', () => {
    const anything = fc.oneof(
      fc.anything({ maxDepth: 3, withBigInt: true, withDate: true, withNullPrototype: true }),
      fc.constantFrom(...MESSAGE_TYPES, ...CONTENT_TYPES, id, -1, 2 ** 31, 1e308, '\0', '\ud800', '/x', 'https://x.nl'),
    )
    const keys = fc.constantFrom(
      'type',
      'role',
      'isBackchannel',
      'user',
      'contentType',
      'text',
      'service',
      'touchpoint',
      'actions',
      'items',
      'meta',
      'delay',
      '__proto__',
      'x',
    )
    fc.assert(
      fc.property(fc.oneof(anything, fc.dictionary(keys, anything, { maxKeys: 6 })), (input) => {
        const { value, refused } = attempt(() => parseMessage(input, 'message'))
        expect(value ? MESSAGE_TYPES.includes(value.type) : refused.field.startsWith('message')).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('parseMessages', () => {
  it('keeps the order and names the offending element', () => {
    expect(parseMessages([{ text: 'a' }, { text: 'b', delay: 5 }]).map(({ text }) => text)).toEqual(['a', 'b'])
    expect(refusal(() => parseMessages([{ text: 'a' }, { text: 'b', delay: -1 }])).field).toBe('messages[1].delay')
    expect(refusal(() => parseMessages({ text: 'a' })).field).toBe('messages')
    expect(refusal(() => parseMessages(Array(101).fill({ text: 'a' }))).field).toBe('messages')
    expect(parseMessages(undefined)).toEqual([])
  })
})
