import { describe, expect, it } from '@jest/globals'
import { ACTIONS_MAX, parseActions } from '../../src/modules/messages/actions.js'
import { ITEMS_MAX, parseItems } from '../../src/modules/messages/items.js'
import { refusal } from '../support/refusal.js'

const complete = [
  { type: 'link', text: 'Open', uri: 'https://x.nl/a?b=c' },
  { type: 'reply', text: 'Yes', payload: 'intent:yes', iconUrl: 'https://x.nl/i.png' },
  { type: 'postback', text: 'More', payload: '{"text":"hi"}', iconUrl: 'http://x.nl/i.png', mediaType: 'image/png' },
  { type: 'webview', text: 'Show', uri: 'https://x.nl', fallback: 'https://x.nl/f', size: 'full', meta: { a: [1] } },
  { type: 'locationRequest', text: 'Where?', meta: { precise: true } },
]

describe('parseActions (2.10)', () => {
  // [2.10 link, reply payload, reply iconUrl, postback payload, postback iconUrl, postback mediaType, webview uri,
  // webview fallback, webview size, webview meta, locationRequest, action type, action text]
  it('keeps every type with all its fields, and with its required fields only', () => {
    expect(parseActions(complete, 'actions')).toEqual(complete)
    const least = [
      { type: 'reply', text: 'Yes', payload: 'yes' },
      { type: 'postback', text: 'More', payload: 'more' },
      { type: 'webview', text: 'Show', uri: 'https://x.nl' },
      { type: 'locationRequest', text: 'Where?' },
    ]
    const nulls = { reply: { iconUrl: null }, postback: { mediaType: null }, webview: { meta: null } }
    const given = least.map((action) => ({ ...action, ...(nulls as Record<string, object>)[action.type] }))
    expect(parseActions(given, 'actions')).toStrictEqual(least)
  })

  it('returns an empty list if actions are absent', () => {
    expect(parseActions(undefined, 'actions')).toEqual([])
    expect(parseActions(null, 'actions')).toEqual([])
  })

  it.each([
    'https://x.nl/login?user={authuser}&token={authtoken}',
    'https://x.nl/{authuser}',
    'https://{authuser}.x.nl/#{authtoken}',
    'mailto:help@x.nl',
    'tel:+31201234567',
    'HTTP://x.nl',
  ])('accepts the link %s unchanged', (uri) => {
    const link = { type: 'link', text: 'Open', uri }
    expect(parseActions([link], 'actions')).toEqual([link])
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:x',
    'javascript:{authtoken}',
    '{authuser}://x.nl',
    '{authtoken}',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://x.nl',
    'x.nl',
    '/path',
    '//x.nl',
    'https:x.nl',
    'http://',
    '',
    `https://x.nl/${'a'.repeat(9_000)}`,
  ])('refuses the link %.40j', (uri) => {
    const actions = [complete[0], { type: 'link', text: 'Open', uri }]
    expect(refusal(() => parseActions(actions, 'actions')).field).toBe('actions[1].uri')
  })

  // [2.10 action type, action text]
  it.each([
    [{ type: 'shout', text: 'x' }, 'actions[0].type'],
    [{ type: '__proto__', text: 'x' }, 'actions[0].type'],
    [{ text: 'x' }, 'actions[0].type'],
    [null, 'actions[0].type'],
    ['link', 'actions[0].type'],
    [{ type: 'link', uri: 'https://x.nl' }, 'actions[0].text'],
    [{ type: 'link', text: '', uri: 'https://x.nl' }, 'actions[0].text'],
    [{ type: 'link', text: 5, uri: 'https://x.nl' }, 'actions[0].text'],
    [{ type: 'link', text: 'x'.repeat(2_001), uri: 'https://x.nl' }, 'actions[0].text'],
    [{ type: 'link', text: 'x' }, 'actions[0].uri'],
    [{ type: 'link', text: 'x', uri: ['https://x.nl'] }, 'actions[0].uri'],
    [{ type: 'link', text: 'x', payload: 'VIEW' }, 'actions[0].payload'],
    [{ type: 'reply' }, 'actions[0].text'],
    [{ type: 'reply', text: 'x' }, 'actions[0].payload'],
    [{ type: 'reply', text: 'x', payload: { a: 1 } }, 'actions[0].payload'],
    [{ type: 'reply', text: 'x', payload: 'é'.repeat(32_769) }, 'actions[0].payload'],
    [{ type: 'reply', text: 'x', payload: 'p', iconUrl: 'javascript:x' }, 'actions[0].iconUrl'],
    [{ type: 'reply', text: 'x', payload: 'p', mediaType: 'image/png' }, 'actions[0].mediaType'],
    [{ type: 'postback', text: 'x', payload: 'p', mediaType: 'png' }, 'actions[0].mediaType'],
    [{ type: 'webview', text: 'x', uri: 'mailto:a@x.nl' }, 'actions[0].uri'],
    [{ type: 'webview', text: 'x', uri: 'https://x.nl', fallback: 'javascript:x' }, 'actions[0].fallback'],
    [{ type: 'webview', text: 'x', uri: 'https://x.nl', size: 5 }, 'actions[0].size'],
    [{ type: 'locationRequest', text: 'x', meta: { _a: 1 } }, 'actions[0].meta._a'],
    [{ type: 'locationRequest', text: 'x', uri: 'https://x.nl' }, 'actions[0].uri'],
  ])('refuses %.70j', (action, field) => {
    expect(refusal(() => parseActions([action], 'actions')).field).toBe(field)
  })

  it('refuses anything but lists, and too many elements', () => {
    expect(refusal(() => parseActions({}, 'actions')).field).toBe('actions')
    expect(parseActions(Array(ACTIONS_MAX).fill(complete[0]), 'actions')).toHaveLength(ACTIONS_MAX)
    expect(refusal(() => parseActions(Array(ACTIONS_MAX + 1).fill(complete[0]), 'actions')).message).toContain('51')
  })
})

describe('parseItems (2.10)', () => {
  // [2.9 items] [2.10 item title, item description, item size, item mediaUrl, item mediaType, item iconUrl, item
  // actions]
  it('keeps all fields of an item, its actions included', () => {
    const items = [
      {
        title: 'Shoe',
        description: 'Red',
        size: 'compact',
        mediaUrl: 'https://x.nl/a.png',
        mediaType: 'image/png',
        iconUrl: 'https://x.nl/i.png',
        actions: complete,
      },
      { title: 'Sock' },
    ]
    expect(parseItems(items, 'items')).toStrictEqual(items)
    expect(parseItems(null, 'items')).toEqual([])
  })

  it.each([
    [{}, 'items[0]'],
    [{ size: 'compact' }, 'items[0]'],
    ['x', 'items[0]'],
    [{ title: 'x', price: 5 }, 'items[0].price'],
    [{ title: 5 }, 'items[0].title'],
    [{ title: 'a\0b' }, 'items[0].title'],
    [{ title: 'x', mediaUrl: 'javascript:x' }, 'items[0].mediaUrl'],
    [{ title: 'x', iconUrl: 'x.png' }, 'items[0].iconUrl'],
    [{ title: 'x', actions: [{ type: 'link', text: 'x', uri: 'javascript:x' }] }, 'items[0].actions[0].uri'],
    [JSON.parse('{"title":"x","__proto__":{"a":1}}'), 'items[0].__proto__'],
  ])('refuses %j', (item, field) => {
    expect(refusal(() => parseItems([item], 'items')).field).toBe(field)
  })

  it('refuses too many', () => {
    expect(refusal(() => parseItems(Array(ITEMS_MAX + 1).fill({ title: 'x' }), 'items')).message).toContain('101')
  })
})
