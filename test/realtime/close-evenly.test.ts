import { describe, expect, it } from '@jest/globals'
import { closeEvenly } from '../../src/api/realtime/close-evenly.js'

/** Times at which each of so many sockets was closed, on a clock that only sleeping moves on. */
async function closesOf(count: number, spreadMs: number, stepMs?: number): Promise<{ at: number; code: number }[]> {
  const closes: { at: number; code: number }[] = []
  let now = 5_000
  const time = {
    now: () => now,
    sleep: async (ms: number): Promise<void> => {
      now += stepMs ?? ms
    },
  }
  const socket = { close: (code: number) => void closes.push({ at: now - 5_000, code }) }
  await closeEvenly(
    Array.from({ length: count }, () => socket),
    spreadMs,
    time,
  )
  return closes
}

describe('the sockets of a node that ends', () => {
  it('are closed with 1012, evenly: the first now, the last before the time is over', async () => {
    const closes = await closesOf(40, 4_000)
    expect(closes.map(({ at }) => at)).toEqual(Array.from({ length: 40 }, (_, index) => index * 100))
    expect(new Set(closes.map(({ code }) => code))).toEqual(new Set([1012]))
  })

  it('are closed several at a time when there are many', async () => {
    const closes = await closesOf(10_000, 4_000)
    for (const second of [0, 1, 2, 3]) {
      const { length } = closes.filter(({ at }) => Math.floor(at / 1_000) === second)
      expect(Math.abs(length - 2_500)).toBeLessThanOrEqual(25)
    }
  })

  it('are all closed on time by a node that gets no processor for a while', async () => {
    const closes = await closesOf(40, 4_000, 1_500)
    expect(closes.map(({ at }) => at).filter((at, index, all) => at !== all[index - 1])).toEqual([
      0, 1_500, 3_000, 4_500,
    ])
    expect(closes).toHaveLength(40)
  })

  it('are closed at once when no time is given', async () => {
    expect((await closesOf(40, 0)).every(({ at }) => at === 0)).toBe(true)
  })
})
