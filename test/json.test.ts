import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { parseJsonObject, parseMeta, replaceMeta } from '../src/platform/json.js'
import { attempt, refusal } from './support/refusal.js'

describe('parseJsonObject', () => {
  it('copies every JSON object that it accepts, value for value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 }), (object) => {
        const sent: unknown = JSON.parse(JSON.stringify(object))
        const { value, refused } = attempt(() => parseJsonObject(sent, 'meta'))
        expect(value).not.toBe(sent)
        return refused !== undefined || JSON.stringify(value) === JSON.stringify(sent)
      }),
    )
  })

  it('refuses, and survives, nesting that overflows the stack of JSON.stringify', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    expect(refusal(() => parseJsonObject(JSON.parse(deep), 'meta')).message).toContain('not (object)')
    expect(refusal(() => parseJsonObject({ a: JSON.parse(deep) }, 'meta')).message).toContain('too deeply')
  })

  it.each([null, [], 'text', 5, new Date(), new Map(), Buffer.from('x')])(
    'refuses %p, which is not an object',
    (value) => {
      expect(refusal(() => parseJsonObject(value, 'params')).field).toBe('params')
    },
  )

  it.each([
    ['{"__proto__":{"isAdmin":true}}', 'meta.__proto__'],
    ['{"a":{"constructor":{}}}', 'meta.a.constructor'],
    ['{"a":[1,{"b":{"prototype":1}}]}', 'meta.a[1].b.prototype'],
  ])('refuses prototype keys at any depth: %s', (json, field) => {
    expect(refusal(() => parseJsonObject(JSON.parse(json), 'meta')).field).toBe(field)
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  it('refuses what PostgreSQL cannot store, naming where it is', () => {
    expect(refusal(() => parseJsonObject({ a: 'x\0y' }, 'meta')).field).toBe('meta.a')
    expect(refusal(() => parseJsonObject({ a: ['\ud800'] }, 'meta')).field).toBe('meta.a[0]')
    expect(refusal(() => parseJsonObject({ 'a\0': 1 }, 'meta')).field).toBe('meta')
    expect(refusal(() => parseJsonObject({ a: Infinity }, 'meta')).message).toContain('Infinity')
    expect(refusal(() => parseJsonObject({ a: 1n }, 'meta')).field).toBe('meta.a')
  })

  it('allows 20 levels and 64 KiB, and refuses one more of either', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
    expect(parseJsonObject(nested(20), 'meta')).toEqual(nested(20))
    expect(refusal(() => parseJsonObject(nested(21), 'meta')).message).toContain('too deeply')
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(refusal(() => parseJsonObject(cyclic, 'meta')).message).toContain('too deeply')

    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) })
    expect(Buffer.byteLength(JSON.stringify(sized(65_536)))).toBe(65_536)
    parseJsonObject(sized(65_536), 'meta')
    expect(refusal(() => parseJsonObject(sized(65_537), 'meta')).message).toContain('65537 bytes')
  })
})

describe('metadata', () => {
  it('is empty when absent', () => {
    expect(parseMeta(undefined, 'meta')).toEqual({})
    expect(parseMeta(null, 'meta')).toEqual({})
  })

  it('refuses a client the keys that begin with an underscore, at the top level only', () => {
    expect(refusal(() => parseMeta({ ok: 1, _noCopy: true }, 'meta')).field).toBe('meta._noCopy')
    expect(parseMeta({ ok: { _inner: 1 } }, 'meta')).toEqual({ ok: { _inner: 1 } })
  })

  it('keeps the system keys when a client replaces the rest, even if it sends them back unchanged', () => {
    const stored = { intent: 'buy', _title: 'Shop', _source: { id: '1' } }
    expect(replaceMeta(stored, { intent: 'sell' }, 'meta')).toEqual({ ...stored, intent: 'sell' })
    expect(replaceMeta(stored, { ...stored, colour: 'red' }, 'meta')).toEqual({ ...stored, colour: 'red' })
    expect(replaceMeta(stored, null, 'meta')).toEqual({ _title: 'Shop', _source: { id: '1' } })
    expect(refusal(() => replaceMeta(stored, { _title: 'Mine' }, 'meta')).field).toBe('meta._title')
    expect(refusal(() => replaceMeta(null, { _title: 'Mine' }, 'meta')).field).toBe('meta._title')
  })
})
