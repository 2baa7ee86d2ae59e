import { describe, expect, it } from '@jest/globals'
import { JSON_LIMITS, type JsonObject } from '../../src/platform/json.js'
import { checkMasks } from '../../src/modules/services/secret-bindings.js'
import type { ServiceKind } from '../../src/modules/services/service-kinds.js'
import { MASK, maskSecrets } from '../../src/modules/services/service-secrets.js'

/** As many as fit into params. */
const MEMBERS = 6_000
const members = (value: string): JsonObject =>
  Object.fromEntries(Array.from({ length: MEMBERS }, (_, nth) => [`a${nth}`, value]))

/** Returns the object, and how often something of it was read. */
function counted<T extends object>(object: T): { proxy: T; reads(): number } {
  let reads = 0
  const proxy = new Proxy(object, {
    get(target, key) {
      reads += 1
      return Reflect.get(target, key) as unknown
    },
    getOwnPropertyDescriptor(target, key) {
      reads += 1
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
  })
  return { proxy, reads: () => reads }
}

describe('params of thousands of members', () => {
  it('are read a few times each when secrets are looked for', () => {
    for (const params of [members('b'), { ...members('b'), name: 'Authorization', value: 'x' }]) {
      const { proxy, reads } = counted(params)
      expect(Object.keys(maskSecrets(proxy, undefined))).toHaveLength(Object.keys(params).length)
      expect(reads()).toBeLessThan(20 * MEMBERS)
    }
  })

  it('are compared once when masks are sent back for all of them', () => {
    const { proxy: secrets, reads } = counted<Record<string, string[]>>({ secret: ['url'] })
    const kind = { params: ['url', 'secret'], secrets } as unknown as ServiceKind
    const before = { type: 'known', status: 'active', params: { ...members('b'), url: 'https://a' } }
    const sent = { ...members(MASK), url: 'https://a' }
    checkMasks({ sent, restored: before.params }, before, kind, 'known')
    const many = { ...sent, secret: Array.from({ length: 3_000 }, () => MASK) }
    expect(() =>
      checkMasks({ sent: many, restored: { ...before.params, url: 'https://b' } }, before, kind, 'known'),
    ).toThrow('params.a0 is masked, but params.url')
    expect(reads()).toBeLessThan(50 * MEMBERS)
  })
})

describe('a text as long as params may be', () => {
  const timeOf = (piece: string): number => {
    const params = { text: piece.repeat((JSON_LIMITS.maxBytes - 100) / piece.length) }
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      maskSecrets(params, undefined)
      return performance.now() - start
    })
    return Math.min(...times)
  }

  // Quadratic, they took thousands of times as long.
  it.each([
    '-eyJ',
    'eyJaaaaaaaa',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.eyJ',
    '.eyJ',
    '-----BEGIN ',
    '-----BEGIN A PRIVATE KEY',
    'Bearer ',
    ' ',
    '  a',
    'a"',
    'a= ',
    ',a',
    ',_',
    '"',
    'https://u:p@',
    '@:',
  ])('costs about as much whatever it repeats: %j', (piece) => {
    expect(timeOf(piece)).toBeLessThan(200 * Math.max(timeOf('some words. '), 0.1))
  })

  it.each([
    ['x-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', true],
    ['see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', true],
    ['eyJ-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', true],
    ['xeyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', false],
    ['eyJhbGciOiJIUzI1NiJ9.abc', false],
    ['-----BEGIN ENCRYPTED PRIVATE KEY-----', true],
    ['-----BEGIN CERTIFICATE-----', false],
  ])('is searched for the same secrets: %s', (text, isSecret) => {
    expect(maskSecrets({ text }, undefined).text === MASK).toBe(isSecret)
  })
})
