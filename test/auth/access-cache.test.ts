import { describe, expect, it } from '@jest/globals'
import type { Caller } from '../../src/platform/access/caller.js'
import { AccessCache } from '../../src/modules/auth/access-cache.js'

const caller = (key: string) => ({ key }) as Caller

/** A loader that counts, and that answers when it is told. */
function loader() {
  const waiting: ((caller: Caller) => void)[] = []
  return {
    load: () => new Promise<Caller>((resolve) => waiting.push(resolve)),
    answer: (value: Caller) => waiting.shift()!(value),
    get loads() {
      return waiting.length
    },
  }
}

describe('the access cache', () => {
  it('loads again after two seconds, not before', async () => {
    let nowMs = 0
    const cache = new AccessCache({ nowMs: () => nowMs })
    let loads = 0
    const get = async () => cache.get('t', 'u', async () => caller(String(++loads)))
    expect((await get()).key).toBe('1')
    nowMs = 1_999
    expect((await get()).key).toBe('1')
    nowMs = 2_000
    expect((await get()).key).toBe('2')
  })

  it('shares a load among concurrent requests', async () => {
    const cache = new AccessCache()
    const { load, answer } = loader()
    const both = [cache.get('t', 'u', load), cache.get('t', 'u', load)]
    answer(caller('one'))
    expect((await Promise.all(both)).map(({ key }) => key)).toEqual(['one', 'one'])
  })

  it('forgets all tokens of one user only', async () => {
    const cache = new AccessCache()
    for (const [token, user] of [
      ['a', 'u'],
      ['b', 'u'],
      ['c', 'v'],
    ] as const) {
      await cache.get(token, user, async () => caller('old'))
    }
    cache.forget('u')
    const seen = await Promise.all(['a', 'b', 'c'].map((token) => cache.get(token, 'x', async () => caller('new'))))
    expect(seen.map(({ key }) => key)).toEqual(['new', 'new', 'old'])
  })

  it('neither caches what was loaded while the user changed, nor shares it with later requests', async () => {
    const cache = new AccessCache()
    const slow = loader()
    const early = cache.get('t', 'u', slow.load)
    cache.forget('u')
    const late = cache.get('t', 'u', async () => caller('after'))
    slow.answer(caller('before'))
    expect([(await early).key, (await late).key]).toEqual(['before', 'after'])
    expect((await cache.get('t', 'u', async () => caller('unused'))).key).toBe('after')
  })

  it('does not cache failures', async () => {
    const cache = new AccessCache()
    await expect(cache.get('t', 'u', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect((await cache.get('t', 'u', async () => caller('back'))).key).toBe('back')
  })

  it('is bounded: the oldest entries are evicted first', async () => {
    const cache = new AccessCache({ sizeMax: 3 })
    for (let index = 0; index < 100; index++) await cache.get(`t${index}`, `u${index}`, async () => caller('x'))
    expect(cache.size).toBe(3)
  })
})
