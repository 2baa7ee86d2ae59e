import { describe, expect, it } from '@jest/globals'
import { ChunkedSweep } from '../../src/api/realtime/chunked-sweep.js'

describe('a chunked sweep', () => {
  it('visits each item once per round, in chunks of equal size', () => {
    const items = new Set(Array.from({ length: 99 }, (_each, index) => index))
    const rounds = new ChunkedSweep(items, 3)
    for (let round = 0; round < 4; round++) {
      const parts = [rounds.next(), rounds.next(), rounds.next()]
      expect(parts.map(({ length }) => length)).toEqual([33, 33, 33])
      expect(new Set(parts.flat())).toEqual(items)
    }
  })

  it('visits every item in time while others are added and removed, and no removed one', () => {
    const items = new Set<string>()
    const rounds = new ChunkedSweep(items, 2)
    const seenAt = new Map<string, number>()
    for (let turn = 0; turn < 300; turn++) {
      for (let count = 0; count < 5; count++) items.add(`${turn} ${count}`)
      for (const item of items) if (Math.random() < 0.3) items.delete(item)
      for (const item of rounds.next()) {
        expect(items).toContain(item)
        seenAt.set(item, turn)
      }
      for (const item of items) expect(turn - (seenAt.get(item) ?? Number(item.split(' ')[0]))).toBeLessThan(4)
    }
  })

  it('ends immediately if the set is empty', () => {
    expect(new ChunkedSweep(new Set(), 3).next()).toEqual([])
  })
})
