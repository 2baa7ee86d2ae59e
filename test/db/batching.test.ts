import { describe, expect, it } from '@jest/globals'
import { batching, batchingBy, batchingOn } from '../../src/platform/db/batching.js'
import type { Sql } from '../../src/platform/db/sql.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const turns = async (): Promise<void> => {
  for (let left = 4; left > 0; left--) await turn()
}

/** Loads that end when they are told to. */
function loads(): { all: (readonly string[])[]; load: (keys: readonly string[]) => Promise<string[]>; end(): void } {
  const all: (readonly string[])[] = []
  const ends: (() => void)[] = []
  return {
    all,
    load: (keys) => {
      all.push(keys)
      return new Promise((resolve) => ends.push(() => resolve([...keys])))
    },
    end: () => ends.shift()!(),
  }
}

describe('calls that are loaded together', () => {
  it('wait while the maximum number of loads is running, and are then loaded together', async () => {
    const { all, load, end } = loads()
    const get = batching(load, { atOnce: 1 })
    const first = get('a')
    await turns()
    const second = get('b')
    await turns()
    const third = get('c')
    await turns()
    expect(all).toEqual([['a']])
    end()
    expect(await first).toBe('a')
    await turns()
    expect(all).toEqual([['a'], ['b', 'c']])
    end()
    expect(await Promise.all([second, third])).toEqual(['b', 'c'])
  })

  it('continue after a failed load', async () => {
    let isFirst = true
    const get = batching(
      async (keys: readonly string[]) => {
        if (!isFirst) return keys
        isFirst = false
        throw new Error('gone')
      },
      { atOnce: 1 },
    )
    await expect(get('a')).rejects.toThrow('gone')
    expect(await get('b')).toBe('b')
  })

  it("do not wait for another group's loads", async () => {
    const { all, load, end } = loads()
    const get = batchingBy((key) => key[0]!, load, { atOnce: 1 })
    const slow = get('a1')
    await turns()
    const other = get('b1')
    await turns()
    expect(all).toEqual([['a1'], ['b1']])
    end()
    end()
    expect(await Promise.all([slow, other])).toEqual(['a1', 'b1'])
  })
})

describe('reads that are made together', () => {
  it('are those of one turn on one database, and one that is refused fails alone', async () => {
    const asked: [string, readonly string[]][] = []
    const get = batchingOn<string, string>(async (sql, keys) => {
      const name = (sql as unknown as { name: string }).name
      asked.push([name, keys])
      if (keys.includes('refused')) throw new Error('invalid byte sequence')
      return keys.map((key) => `${key} of ${name}`)
    })
    const [one, other] = [{ name: 'one' }, { name: 'other' }] as unknown as [Sql, Sql]
    const answers = await Promise.allSettled([get(one, 'a'), get(other, 'b'), get(one, 'refused'), get(one, 'c')])
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)))).toEqual([
      'a of one',
      'b of other',
      'Error: invalid byte sequence',
      'c of one',
    ])
    expect(asked).toContainEqual(['one', ['a', 'refused', 'c']])
    expect(asked).toContainEqual(['other', ['b']])
  })
})
