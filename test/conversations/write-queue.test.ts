import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BULKHEADS } from '../../src/modules/conversations/writer/bulkhead.js'
import { LIMITS, WriteQueue, type QueuedWrite } from '../../src/modules/conversations/writer/write-queue.js'

let order = 0
interface Fields extends Partial<Omit<QueuedWrite, 'share'>> {
  ids: readonly string[]
  tenant?: string
  customer?: string
  caller?: string
}

function write({
  tenant = 'a',
  customer = tenant,
  caller = 'one',
  ...fields
}: Fields): QueuedWrite & { order: number; tenant: string } {
  const share = [tenant, customer, caller] as const
  return { share, bytes: 1, cost: 1, bulkhead: 'shared', since: 0, order: order++, ...fields, tenant }
}

describe('writes that wait', () => {
  it('are each executed once, in order of arrival within a conversation, even if some are returned to the queue', () => {
    const writes = fc.array(
      fc.record({
        ids: fc.uniqueArray(fc.constantFrom('p', 'q', 'r', 's'), { minLength: 1, maxLength: 2 }),
        tenant: fc.constantFrom('a', 'b'),
        customer: fc.constantFrom('a', 'b'),
        caller: fc.constantFrom('one', 'two'),
        cost: fc.integer({ min: 1, max: 4 }),
        bulkhead: fc.constantFrom(...BULKHEADS),
        fails: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(writes, fc.integer({ min: 1, max: 8 }), (all, max) => {
        const queue = new WriteQueue<QueuedWrite & { order: number; fails: number; tenant: string }>()
        for (const { fails, ...fields } of all) queue.add({ ...write(fields), fails })
        const done = new Map<string, number[]>()
        let ended = 0
        for (let turns = 0; queue.size > 0 && turns < 1_000; turns++) {
          const taken = BULKHEADS.flatMap((bulkhead) => {
            const accountOf = ({ tenant }: { tenant: string }) => [tenant]
            const together = queue.take(bulkhead, { max, costMax: max }, bulkhead === 'tenant' ? { accountOf } : {})
            if (together.length > 1) expect(together.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(max)
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

  it('take turns by tenant, customer and caller: 2,000 of one delay no other', () => {
    const queue = new WriteQueue()
    for (let index = 0; index < 1_000; index++) queue.add(write({ ids: [`flood ${index}`], caller: 'bot' }))
    queue.add(write({ ids: ['colleague'], caller: 'agent' }))
    queue.add(write({ ids: ['customer'], customer: 'c', caller: 'agent' }))
    for (let index = 0; index < 5; index++) queue.add(write({ ids: [`other ${index}`], tenant: 'b' }))
    const first = queue.take('shared', { max: 12, costMax: 12 }).map(({ ids }) => ids[0])
    expect(first.filter((id) => id!.startsWith('other'))).toHaveLength(5)
    expect(first).toEqual(expect.arrayContaining(['colleague', 'customer']))
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
    const queue = new WriteQueue<ReturnType<typeof write>>()
    for (let index = 0; index < 100; index++) queue.add(write({ ids: [`heavy ${index}`], cost: 4 }))
    for (let index = 0; index < 100; index++) queue.add(write({ ids: [`light ${index}`], tenant: 'b' }))
    const taken = queue.take('shared', { max: 50, costMax: 1_000 }).map(({ tenant }) => tenant)
    expect(taken.filter((tenant) => tenant === 'a')).toHaveLength(10)
  })

  it('are alone in a batch if they cost more than one may, and none passes them', () => {
    const queue = new WriteQueue()
    const [small, large] = [write({ ids: ['small'] }), write({ ids: ['large'], caller: 'two', cost: 85 })]
    const last = write({ ids: ['last'], caller: 'three' })
    for (const each of [small, large, last]) queue.add(each)
    const size = { max: 64, costMax: 48 }
    expect([queue.take('shared', size), queue.take('shared', size), queue.take('shared', size)]).toEqual([
      [small],
      [large],
      [last],
    ])
  })

  it('skip turns for what they cost in fact', () => {
    const queue = new WriteQueue<ReturnType<typeof write>>()
    const first = write({ ids: ['first'] })
    queue.add(first)
    for (let index = 0; index < 50; index++) {
      queue.add(write({ ids: [`a ${index}`] }))
      queue.add(write({ ids: [`b ${index}`], tenant: 'b' }))
    }
    expect(queue.take('shared', { max: 1, costMax: 64 })).toEqual([first])
    queue.settle(first, 20)
    queue.end(first)
    const taken = queue.take('shared', { max: 24, costMax: 64 }).map(({ tenant }) => tenant)
    expect(taken.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'b'))
    expect(taken).toContain('a')
  })

  it('say which accounts have much unfinished, at each level, until it has ended', () => {
    const queue = new WriteQueue()
    const all = Array.from({ length: 3 }, (_, index) => write({ ids: [`${index}`], customer: 'c', cost: 6 }))
    for (const each of all) queue.add(each)
    queue.add(write({ ids: ['x'], customer: 'd' }))
    expect([...queue.heavy].map((path) => path.at(-1)).toSorted()).toEqual(['a', 'a c', 'a c one'])
    expect([queue.costOf('a'), queue.costOf('a c one'), queue.costOf('a d')]).toEqual([19, 18, 1])
    queue.end(all[0]!)
    expect([...queue.heavy]).toEqual([])
  })

  it('are bounded for each caller, customer, tenant and conversation, in number and in bytes, without affecting others', () => {
    const queue = new WriteQueue({
      ...LIMITS,
      writesOfCaller: 3,
      writesOfCustomer: 5,
      writesOfTenant: 6,
      bytesOfTenant: 100,
      writesOfConversation: 2,
    })
    const full = { code: 'UNAVAILABLE', details: expect.objectContaining({ retryAfterSeconds: 1 }) }
    for (let index = 0; index < 3; index++) queue.add(write({ ids: [`${index}`] }))
    expect(() => queue.add(write({ ids: ['x'] }))).toThrow(expect.objectContaining(full))
    queue.add(write({ ids: ['x'], caller: 'two' }))
    queue.add(write({ ids: ['x'], caller: 'two' }))
    expect(() => queue.add(write({ ids: ['y'], caller: 'three' }))).toThrow(expect.objectContaining(full))
    queue.add(write({ ids: ['w'], customer: 'c' }))
    expect(() => queue.add(write({ ids: ['v'], customer: 'c' }))).toThrow(expect.objectContaining(full))
    expect(() => queue.add(write({ ids: ['x'], tenant: 'b' }))).toThrow(expect.objectContaining(full))
    queue.add(write({ ids: ['z'], tenant: 'b', bytes: 99 }))
    expect(() => queue.add(write({ ids: ['y'], tenant: 'b', bytes: 2 }))).toThrow(expect.objectContaining(full))
  })
})
