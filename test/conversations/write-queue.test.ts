import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BULKHEADS } from '../../src/conversations/writing/bulkhead.js'
import { LIMITS, WriteQueue, type QueuedWrite } from '../../src/conversations/writing/write-queue.js'

let order = 0
function write(fields: Partial<QueuedWrite> & { ids: readonly string[] }): QueuedWrite & { order: number } {
  return { tenant: 'a', caller: 'one', bytes: 1, cost: 1, bulkhead: 'shared', since: 0, order: order++, ...fields }
}

describe('writes that wait', () => {
  it('are each executed once, in order of arrival within a conversation, even if some are returned to the queue', () => {
    const writes = fc.array(
      fc.record({
        ids: fc.uniqueArray(fc.constantFrom('p', 'q', 'r', 's'), { minLength: 1, maxLength: 2 }),
        tenant: fc.constantFrom('a', 'b'),
        caller: fc.constantFrom('one', 'two'),
        cost: fc.integer({ min: 1, max: 4 }),
        bulkhead: fc.constantFrom(...BULKHEADS),
        fails: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(writes, fc.integer({ min: 1, max: 8 }), (all, max) => {
        const queue = new WriteQueue<QueuedWrite & { order: number; fails: number }>()
        for (const { fails, ...fields } of all) queue.add({ ...write(fields), fails })
        const done = new Map<string, number[]>()
        let ended = 0
        for (let turns = 0; queue.size > 0 && turns < 1_000; turns++) {
          const taken = BULKHEADS.flatMap((bulkhead) => {
            const together = queue.take(bulkhead, { max, costMax: max })
            if (bulkhead === 'tenant') expect(new Set(together.map(({ tenant }) => tenant)).size).toBeLessThanOrEqual(1)
            if (bulkhead === 'single' || bulkhead === 'blocked') expect(together.length).toBeLessThanOrEqual(1)
            return together
          })
          const failed = taken.filter((each) => each.fails-- > 0)
          for (const each of failed) {
            each.bulkhead = 'single'
            queue.giveBack(each)
          }
          // What follows one that failed on the same conversation has not been done either.
          for (const each of taken) {
            if (failed.includes(each)) continue
            const isBehind = failed.some(
              (other) => other.order < each.order && other.ids.some((id) => each.ids.includes(id)),
            )
            if (isBehind) {
              queue.giveBack(each)
              continue
            }
            for (const id of each.ids) done.set(id, [...(done.get(id) ?? []), each.order])
            queue.end(each)
            ended += 1
          }
        }
        expect(ended).toBe(all.length)
        for (const orders of done.values()) expect(orders).toEqual(orders.toSorted((one, other) => one - other))
        expect([queue.waiting, ...BULKHEADS.map((bulkhead) => queue.readyIn(bulkhead))]).toEqual([0, 0, 0, 0, 0])
      }),
      { numRuns: 500 },
    )
  })

  it('take turns by tenant and by caller: 2,000 of one delay no other', () => {
    const queue = new WriteQueue()
    for (let index = 0; index < 1_000; index++) queue.add(write({ ids: [`flood ${index}`], caller: 'bot' }))
    queue.add(write({ ids: ['colleague'], caller: 'agent' }))
    for (let index = 0; index < 5; index++) queue.add(write({ ids: [`other ${index}`], tenant: 'b' }))
    const first = queue.take('shared', { max: 12, costMax: 12 }).map(({ ids }) => ids[0])
    expect(first.filter((id) => id!.startsWith('other'))).toHaveLength(5)
    expect(first).toContain('colleague')
  })

  it('of a caller go before its later ones when they are given back', () => {
    const queue = new WriteQueue()
    const [first, second] = [write({ ids: ['first'], since: 1 }), write({ ids: ['second'], since: 2 })]
    queue.add(first)
    expect(queue.take('shared', { max: 1, costMax: 1 })).toEqual([first])
    queue.add(second)
    queue.giveBack(first)
    expect(queue.take('shared', { max: 2, costMax: 2 })).toEqual([first, second])
  })

  it('are late after 10 s, or a time of their own', () => {
    const queue = new WriteQueue()
    const now = performance.now()
    const [usual, late] = [write({ ids: ['usual'], since: now - 9_000 }), write({ ids: ['late'], since: now - 11_000 })]
    const hasty = write({ ids: ['hasty'], since: now - 600, waitMsMax: 500 })
    const taken = { ...hasty, ids: ['taken'], bulkhead: 'tenant' } satisfies QueuedWrite
    for (const each of [late, usual, hasty, taken]) queue.add(each)
    queue.take('tenant', { max: 1, costMax: 1 })
    expect(new Set(queue.late())).toEqual(new Set([late, hasty]))
  })

  it('skip as many turns as they cost', () => {
    const queue = new WriteQueue()
    for (let index = 0; index < 100; index++) queue.add(write({ ids: [`heavy ${index}`], cost: 4 }))
    for (let index = 0; index < 100; index++) queue.add(write({ ids: [`light ${index}`], tenant: 'b' }))
    const taken = queue.take('shared', { max: 50, costMax: 1_000 }).map(({ tenant }) => tenant)
    expect(taken.filter((tenant) => tenant === 'a')).toHaveLength(10)
  })

  it('are bounded for each caller, tenant and conversation, in number and in bytes, without affecting others', () => {
    const queue = new WriteQueue({
      ...LIMITS,
      writesOfCaller: 3,
      writesOfTenant: 5,
      bytesOfTenant: 100,
      writesOfConversation: 2,
    })
    const full = { code: 'UNAVAILABLE', details: { retryAfterSeconds: 1 } }
    for (let index = 0; index < 3; index++) queue.add(write({ ids: [`${index}`] }))
    expect(() => queue.add(write({ ids: ['x'] }))).toThrow(expect.objectContaining(full))
    queue.add(write({ ids: ['x'], caller: 'two' }))
    queue.add(write({ ids: ['x'], caller: 'two' }))
    expect(() => queue.add(write({ ids: ['y'], caller: 'three' }))).toThrow(expect.objectContaining(full))
    expect(() => queue.add(write({ ids: ['x'], tenant: 'b' }))).toThrow(expect.objectContaining(full))
    queue.add(write({ ids: ['z'], tenant: 'b', bytes: 99 }))
    expect(() => queue.add(write({ ids: ['y'], tenant: 'b', bytes: 2 }))).toThrow(expect.objectContaining(full))
  })
})
