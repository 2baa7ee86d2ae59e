import { describe, expect, it } from '@jest/globals'
import type { Action } from '../../src/modules/messages/actions.js'
import { choicesOf, plainText, type Spoken } from '../../src/modules/touchpoints/plain-text.js'

const message = (given: Partial<Spoken>): Spoken => ({
  contentType: 'text/plain',
  text: null,
  actions: null,
  items: null,
  meta: null,
  ...given,
})

describe('a message on a text-only touchpoint (2.10, best available delivery)', () => {
  // [2.10 best delivery, locationRequest text]
  it.each<[string, Action, string]>([
    ['link', { type: 'link', text: 'Our site', uri: 'https://a.example/x' }, 'Our site: https://a.example/x'],
    [
      'link that names the user',
      { type: 'link', text: 'In', uri: 'https://a.example/?u={authuser}&t={authtoken}' },
      'In: https://a.example/?u=&t=',
    ],
    ['reply', { type: 'reply', text: 'Yes', payload: 'YES' }, '1. Yes'],
    ['postback', { type: 'postback', text: 'More', payload: 'MORE' }, '1. More'],
    ['webview', { type: 'webview', text: 'Book', uri: 'https://a.example/w' }, 'Book: https://a.example/w'],
    [
      'webview with a fallback',
      { type: 'webview', text: 'Book', uri: 'https://a.example/w', fallback: 'https://a.example/f' },
      'Book: https://a.example/f',
    ],
    ['locationRequest', { type: 'locationRequest', text: 'Where are you?' }, 'Where are you?'],
  ])('says a %s', (_type, action, words) => {
    expect(plainText(message({ text: 'Hello', actions: [action] }))).toBe(`Hello\n\n${words}`)
    expect(plainText(message({ items: [{ title: 'One', actions: [action] }] }))).toBe(`One\n${words}`)
  })

  it('renders a card as its title, items as lines, and numbered choices for all of it', () => {
    const yes: Action = { type: 'reply', text: 'Yes', payload: 'yes' }
    const no: Action = { type: 'reply', text: 'No', payload: 'no' }
    const spoken = message({
      text: 'Choose',
      meta: { title: 'Boats' },
      actions: [yes, { type: 'link', text: 'All', uri: 'https://a.example' }, no],
      items: [
        { title: 'Vega', description: '8 m', mediaUrl: 'https://a.example/v.png', actions: [yes] },
        { description: 'Another', actions: [no] },
      ],
    })
    expect(plainText(spoken)).toBe(
      'Boats\nChoose\n\nVega\n8 m\nhttps://a.example/v.png\n1. Yes\n\nAnother\n2. No\n\n3. Yes\nAll: https://a.example\n4. No',
    )
    expect(choicesOf(spoken).map(({ number, place }) => [number, place.item, place.action])).toEqual([
      [1, 0, 0],
      [2, 1, 0],
      [3, null, 0],
      [4, null, 2],
    ])
  })

  it('renders HTML as text, images and pages as their address, files as their link', () => {
    const html = '<p>Dear <b>Ann</b>, <a href="https://a.example/x">look</a></p><ul><li>one</li><li>two</li></ul>'
    expect(plainText(message({ contentType: 'text/html', text: html }))).toBe(
      'Dear Ann, look (https://a.example/x)\n\n- one\n- two',
    )
    expect(plainText(message({ contentType: 'image/png', text: 'https://a.example/i.png' }))).toBe(
      'https://a.example/i.png',
    )
    expect(plainText(message({ meta: { title: 'Offer', fileId: 'x' } }), 'https://s.example/o.pdf')).toBe(
      'Offer\nhttps://s.example/o.pdf',
    )
    expect(plainText(message({}))).toBe('')
  })
})
