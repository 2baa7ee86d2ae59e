import { describe, expect, it } from '@jest/globals'
import { verify } from '@node-rs/argon2'
import { createPasswordHasher, parsePassword } from '../../src/modules/auth/passwords.js'
import { RateLimited } from '../../src/platform/errors.js'
import { refusal } from '../support/refusal.js'

describe('password hashing', () => {
  const hasher = createPasswordHasher()

  it('is argon2id with 19 MiB and two passes, salted', async () => {
    const [first, second] = await Promise.all([hasher.hash('correct horse'), hasher.hash('correct horse')])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(second).not.toBe(first)
    expect(await hasher.verify(first, 'correct horse')).toBe(true)
    expect(await hasher.verify(first, 'correct horsE')).toBe(false)
    expect(await hasher.verify(first, '')).toBe(false)
  })

  it('treats both encodings of an accent as the same password', async () => {
    expect(await hasher.verify(await hasher.hash('caf\u00e9 caf\u00e9'), 'cafe\u0301 cafe\u0301')).toBe(true)
  })

  it('does the same work and refuses when there is no user, or one without a password', async () => {
    const compared: [hashed: string, password: string][] = []
    const counting = createPasswordHasher({
      compare(hashed, password) {
        compared.push([String(hashed), String(password)])
        return verify(hashed, password)
      },
    })
    const hashed = await counting.hash('correct horse')
    for (const each of [hashed, undefined, null]) expect(await counting.verify(each, 'wrong')).toBe(false)
    expect(compared.map(([, password]) => password)).toEqual(['wrong', 'wrong', 'wrong'])
    // The cost, and the length of what comes out, as in a hash of a user.
    const [known, ...unknown] = compared.map(([each]) => [/^.*,p=1/.exec(each)![0], each.split('$').at(-1)!.length])
    expect(known).toEqual(['$argon2id$v=19$m=19456,t=2,p=1', 43])
    expect(unknown).toEqual([known, known])
  })

  it('queues a bounded number, refuses the rest immediately, and recovers afterwards', async () => {
    const small = createPasswordHasher({ concurrency: 2, waitingMax: 3 })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => small.verify(null, 'guess')))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(results.slice(0, 5).every((result) => result.status === 'fulfilled')).toBe(true)
    expect(refused).toHaveLength(15)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(RateLimited)
    expect(await small.verify(await small.hash('correct horse'), 'correct horse')).toBe(true)
  })

  it('lets networks take turns, and those from which the user signed in before first', async () => {
    const single = createPasswordHasher({ concurrency: 1 })
    const order: string[] = []
    const guess = async (network: string, isKnown: boolean): Promise<void> => {
      await single.verify(null, 'guess', { network, isKnown })
      order.push(network)
    }
    const flood = Array.from({ length: 20 }, (_each, index) => guess(`2001:db8:${index}::/64`, false))
    await Promise.all([...flood, guess('198.51.100.7', true), guess('198.51.100.7', true)])
    expect(order.indexOf('198.51.100.7')).toBeLessThanOrEqual(2)
    expect(order.lastIndexOf('198.51.100.7')).toBeLessThanOrEqual(4)
  })

  it('releases the slot of a hash that fails', async () => {
    const single = createPasswordHasher({ concurrency: 1, waitingMax: 1 })
    await expect(single.verify('not a hash', 'x')).rejects.toThrow('Decoding failed')
    await expect(single.verify('not a hash', 'x')).rejects.toThrow('Decoding failed')
    expect(await single.verify(null, 'x')).toBe(false)
  })
})

describe('parsePassword', () => {
  it('accepts 8 to 200 characters as they are', () => {
    for (const password of ['12345678', ' '.repeat(8), 'x'.repeat(200)]) {
      expect(parsePassword(password, 'password')).toBe(password)
    }
  })

  it.each(['1234567', 'secret!'.repeat(40), '', 12_345_678, null, ['12345678']])(
    'refuses %.20p without repeating it',
    (password) => {
      const error = refusal(() => parsePassword(password, 'password'))
      expect(error.field).toBe('password')
      expect(error.message).toMatch(/^password must (?:be a string|have 8 to 200 characters, not \d+)$/)
    },
  )
})
