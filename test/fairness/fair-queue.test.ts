import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { RateLimited } from '../../src/platform/errors.js'
import { FairQueue } from '../../src/platform/fairness/fair-queue.js'
import type { Share } from '../../src/platform/fairness/share.js'

const LIMITS = { total: 4, perTenant: 3, perCaller: 2, waitingPerCaller: 100 }

function open(limits = LIMITS) {
  const queue = new FairQueue({ name: 'reads', limits })
  const started: { tenant: string; customer: string; caller: string }[] = []
  const ends: (() => void)[] = []
  const ask = (tenant: string, caller: string, customer = tenant): Promise<void> => {
    return queue.run(
      [tenant, customer, caller],
      () =>
        new Promise<void>((resolve) => {
          started.push({ tenant, customer, caller })
          ends.push(resolve)
        }),
    )
  }
  return { queue, started, ends, ask }
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('a pause after each piece of work', () => {
  const QUEUE = { name: 'calls', limits: { total: 1, perTenant: 1, perCaller: 1, waitingPerCaller: 1_000 } }
  let turn = 0
  let counting: NodeJS.Immediate

  beforeEach(() => {
    const count = (): void => {
      turn += 1
      counting = setImmediate(count)
    }
    count()
  })
  afterEach(() => clearImmediate(counting))

  /** @returns the number of turns of the event loop in which the pieces ran */
  async function turnsOf(count: number, ms: number): Promise<number> {
    const queue = new FairQueue({ ...QUEUE, pause: { factor: 1, msMax: 100 } })
    const turns = new Set<number>()
    const work = (): void => {
      turns.add(turn)
      for (const end = performance.now() + ms; performance.now() < end;);
    }
    await Promise.all(Array.from({ length: count }, () => queue.run(['A', 'A', 'a'], work)))
    return turns.size
  }

  it('leaves everybody else a turn of the event loop', async () => {
    expect(await turnsOf(20, 2)).toBe(20)
  })

  it('is one of several that take microseconds: of others a turn may take long', async () => {
    expect(await turnsOf(500, 0)).toBeLessThan(250)
  })
})

describe('a fair queue', () => {
  it('keeps a slot free for others, however many requests one tenant or caller sends', async () => {
    const { started, ask } = open()
    for (let index = 0; index < 50; index += 1) void ask('A', 'a1')
    for (let index = 0; index < 50; index += 1) void ask('A', 'a2')
    void ask('B', 'b1')
    await settle()
    expect(started.filter(({ caller }) => caller === 'a1')).toHaveLength(2)
    expect(started.filter(({ tenant }) => tenant === 'A')).toHaveLength(3)
    expect(started.filter(({ tenant }) => tenant === 'B')).toHaveLength(1)
  })

  it('serves waiting requests in turn: by tenant, and within a tenant by caller', async () => {
    const { started, ends, ask } = open({ total: 1, perTenant: 1, perCaller: 1, waitingPerCaller: 100 })
    for (let index = 0; index < 5; index += 1) void ask('A', 'a1')
    void ask('A', 'a2')
    void ask('B', 'b1')
    for (let index = 0; index < 7; index += 1) {
      await settle()
      ends[index]!()
    }
    expect(started.map(({ caller }) => caller)).toEqual(['a1', 'b1', 'a2', 'a1', 'a1', 'a1', 'a1'])
  })

  it('gives a customer half of its contact center at most while another asks for something, and all of it alone', async () => {
    const { started, ends, ask } = open({ total: 8, perTenant: 4, perCaller: 4, waitingPerCaller: 100 })
    const running = (customer: string): number => started.filter((each) => each.customer === customer).length
    for (let index = 0; index < 20; index += 1) void ask('A', `a${index}`, 'greedy')
    await settle()
    expect(running('greedy')).toBe(4)
    void ask('A', 'b1', 'quiet')
    void ask('A', 'b2', 'quiet')
    for (const end of ends.splice(0)) end()
    await settle()
    expect(running('quiet')).toBe(2)
    expect(running('greedy')).toBe(6)
  })

  it('refuses requests of one caller beyond its limit, and no others', async () => {
    const { ask } = open({ ...LIMITS, waitingPerCaller: 2 })
    for (let index = 0; index < 4; index += 1) void ask('A', 'a1')
    await expect(ask('A', 'a1')).rejects.toThrow(RateLimited)
    void ask('A', 'a2')
    await settle()
  })

  it('enforces its limits, loses no entry and retains none, in any order of arrivals and ends', async () => {
    const request = fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('1', '2', '3'), fc.nat(3), fc.boolean())
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 80 }), async (requests) => {
        const queue = new FairQueue({ name: 'reads', limits: LIMITS })
        const running: string[] = []
        let done = 0
        const count = (prefix: string): number => running.filter((each) => each.startsWith(prefix)).length
        await Promise.all(
          requests.map(async ([tenant, caller, turns, fails]) => {
            // The third caller is one of many guests.
            const share: Share = caller === '3' ? [tenant, '2', 'guests', caller] : [tenant, caller, caller]
            await queue
              .run(share, async () => {
                const name = `${tenant}${caller}`
                running.push(name)
                expect(running.length).toBeLessThanOrEqual(LIMITS.total)
                expect(count(tenant)).toBeLessThanOrEqual(LIMITS.perTenant)
                expect(count(name)).toBeLessThanOrEqual(LIMITS.perCaller)
                for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
                running.splice(running.indexOf(name), 1)
                done += 1
                if (fails) throw new Error('failed')
              })
              .catch((error: Error) => expect(error.message).toBe('failed'))
          }),
        )
        expect({ done, running: queue.running, waiting: queue.waiting }).toEqual({
          done: requests.length,
          running: 0,
          waiting: 0,
        })
      }),
      { numRuns: 200 },
    )
  })
})
