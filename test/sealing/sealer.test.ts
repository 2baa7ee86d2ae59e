import { describe, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/platform/config.js'
import { SEALED } from '../../src/platform/sealing/sealed-places.js'
import { Sealer } from '../../src/platform/sealing/sealer.js'

const [first, second] = [randomBytes(32), randomBytes(32)]
const ID = '0197b2c0-0000-7000-8000-000000000001'
const TEXT = 'pässword 🦊'

describe('a sealed secret', () => {
  const sealer = new Sealer([first])
  const sealed = sealer.seal(SEALED.service, ID, TEXT)

  it('opens in its place, shows nothing of itself, and is never twice the same', () => {
    expect(sealer.open(SEALED.service, ID, sealed)).toBe(TEXT)
    expect(sealer.open(SEALED.service, ID, sealer.seal(SEALED.service, ID, ''))).toBe('')
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/)
    expect(Buffer.from(sealed.split('.')[2]!, 'base64url').toString()).not.toContain('word')
    expect(sealer.seal(SEALED.service, ID, TEXT)).not.toBe(sealed)
  })

  it('has a hash that depends on the key, and is compared by the key of the earlier one', () => {
    const hash = sealer.hash(TEXT)
    expect(hash).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{43}$/)
    expect([sealer.hash(TEXT, hash), sealer.hash(`${TEXT}.`, hash) === hash]).toEqual([hash, false])
    const rotated = new Sealer([second, first])
    expect([rotated.hash(TEXT) === hash, rotated.hash(TEXT, hash)]).toEqual([false, hash])
    // An earlier one of a key that is gone, or of none, is never the same.
    expect(new Sealer([second]).hash(TEXT, hash)).toBe(rotated.hash(TEXT))
    expect(sealer.hash(TEXT, 'aGFzaA==')).toBe(hash)
  })

  it.each([
    ['another row', SEALED.service, ID.replace(/1$/, '2')],
    ['another column', { ...SEALED.service, column: 'params' }, ID],
    ['another table', { ...SEALED.service, table: 'webhook' }, ID],
    ['a name that runs into the next', { ...SEALED.service, table: 'service","sealed_params' }, ID],
  ])('does not open in %s', (_what, place, row) => {
    expect(() => sealer.open(place, row, sealed)).toThrow(/was changed, or sealed for another row/)
  })

  it('does not open when any byte of it was changed, or when it was cut', () => {
    const [format, key, encoded] = sealed.split('.') as [string, string, string]
    const bytes = Buffer.from(encoded, 'base64url')
    const as = (changed: Buffer): string => [format, key, changed.toString('base64url')].join('.')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => sealer.open(SEALED.service, ID, as(changed))).toThrow(/was changed/)
    }
    for (const length of [0, 1, 12, 27, 28, bytes.length - 1])
      expect(() => sealer.open(SEALED.service, ID, as(bytes.subarray(0, length)))).toThrow(/was changed/)
    for (const text of ['', 'in clear', 'v2.a.b', `${sealed}.x`])
      expect(() => sealer.open(SEALED.service, ID, text)).toThrow(/is not sealed/)
  })

  it('opens with an old key, names the key that is missing, and is sealed by the first', () => {
    const rotated = new Sealer([second, first])
    expect(rotated.open(SEALED.service, ID, sealed)).toBe(TEXT)
    const anew = rotated.seal(SEALED.service, ID, TEXT)
    expect(anew.split('.')[1]).toBe(new Sealer([second]).keyId)
    expect(() => sealer.open(SEALED.service, ID, anew)).toThrow(`the key ${rotated.keyId}, which this node lacks`)
  })
})

describe('SECRETS_KEY', () => {
  it('is a key of 32 bytes, or several', () => {
    const encoded = [first, second].map((key) => key.toString('base64'))
    expect(readConfig({}).secretsKeys).toEqual([])
    expect(readConfig({ SECRETS_KEY: ` ${encoded.join(' , ')}` }).secretsKeys).toEqual([first, second])
  })

  it.each(['secret', randomBytes(16).toString('base64'), randomBytes(33).toString('base64'), `${'A'.repeat(42)}B=`])(
    'is refused otherwise, and not repeated: %s',
    (value) => {
      const read = (): unknown => readConfig({ SECRETS_KEY: value })
      expect(read).toThrow(/SECRETS_KEY must be a key of 32 bytes in base64/)
      expect(read).not.toThrow(value)
    },
  )
})
