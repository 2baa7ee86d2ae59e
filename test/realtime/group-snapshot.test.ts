import { describe, expect, it } from '@jest/globals'
import { NextSnapshot, type GroupSnapshot } from '../../src/api/realtime/group-snapshot.js'

/** Reads that end when they are told to. */
class HeldReads {
  readonly begun: PromiseWithResolvers<GroupSnapshot>[] = []
  readonly next = new NextSnapshot(() => {
    const read = Promise.withResolvers<GroupSnapshot>()
    this.begun.push(read)
    return read.promise
  })
}
const snapshot = (): GroupSnapshot => ({ positions: new Map(), pageCount: 1, page: () => Promise.reject(new Error()) })
const passed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the state for members that ask at once', () => {
  it('is read twice for any number of them, and never before one has asked', async () => {
    const { begun, next } = new HeldReads()
    const first = next.take()
    await passed()
    const others = Array.from({ length: 50 }, () => next.take())
    await passed()
    // What is being read may be older than what the others know of.
    expect(begun).toHaveLength(1)
    const [one, two] = [snapshot(), snapshot()]
    begun[0]!.resolve(one)
    expect(await first).toBe(one)
    await passed()
    begun[1]!.resolve(two)
    expect(new Set(await Promise.all(others))).toEqual(new Set([two]))
    expect(begun).toHaveLength(2)
  })

  it('is read anew after a read that failed', async () => {
    const { begun, next } = new HeldReads()
    const failing = next.take()
    await passed()
    const later = next.take()
    begun[0]!.reject(new Error('gone'))
    await expect(failing).rejects.toThrow('gone')
    await passed()
    const read = snapshot()
    begun[1]!.resolve(read)
    expect(await later).toBe(read)
  })
})
