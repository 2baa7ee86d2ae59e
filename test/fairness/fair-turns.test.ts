import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { FairTurns, type TurnItem } from '../../src/platform/fairness/fair-turns.js'
import { accountsOf, type Share } from '../../src/platform/fairness/share.js'

interface Item extends TurnItem {
  order: number
}

const SHARES: readonly Share[] = [
  ['A', 'A', 'bot'],
  ['A', 'A', 'agent'],
  ['A', 'B', 'agent'],
  ['A', 'B', 'guests', 'one'],
  ['A', 'B', 'guests', 'two'],
  ['C', 'C', 'agent'],
]

let order = 0
const item = (share: Share, cost = 1): Item => ({ share, cost, since: order, order: order++ })

function takeAll(turns: FairTurns<Item>): Item[] {
  const taken: Item[] = []
  for (let next = turns.take(); next; next = turns.take()) taken.push(next)
  return taken
}

const names = (items: readonly Item[]): string[] => items.map(({ share }) => share.join(''))

describe('turns of accounts', () => {
  it('go by contact center, by customer, by caller', () => {
    const turns = new FairTurns<Item>()
    for (let index = 0; index < 8; index++) turns.add(item(['A', 'A', 'bot']))
    for (const share of SHARES.slice(1)) for (let index = 0; index < 2; index++) turns.add(item(share))
    const taken = names(takeAll(turns))
    // A half is C's, and of what is A's a half is B's, as long as they have some.
    expect(taken.slice(0, 4).toSorted()).toEqual(['AAbot', 'ABagent', 'CCagent', 'CCagent'])
    expect(taken.slice(4, 12).filter((name) => name.startsWith('AB'))).toHaveLength(4)
    expect(taken.slice(-3)).toEqual(['AAbot', 'AAbot', 'AAbot'])
  })

  it('are skipped for what an item costs, at each level', () => {
    const turns = new FairTurns<Item>()
    for (let index = 0; index < 100; index++) {
      turns.add(item(['A', 'A', 'heavy'], 4))
      turns.add(item(['A', 'A', 'light']))
      turns.add(item(['B', 'B', 'light']))
    }
    const taken = names(Array.from({ length: 100 }, () => turns.take()!))
    const count = (name: string): number => taken.filter((each) => each === name).length
    // Of two equal parts of the cost, B has one; of the other, each caller has a half.
    expect(count('BBlight')).toBeGreaterThanOrEqual(60)
    expect(count('AAlight') / count('AAheavy')).toBeCloseTo(4, 0)
  })

  it('wait for an item that does not fit: nothing passes it', () => {
    const turns = new FairTurns<Item>()
    const large = item(['A', 'A', 'bot'], 50)
    turns.add(large)
    turns.add(item(['A', 'A', 'agent']))
    const fits = ({ cost }: Item): boolean => cost < 10
    expect(turns.take({ fits })).toBeUndefined()
    expect(turns.take()).toBe(large)
  })

  it('of one lane delay none of another', () => {
    const turns = new FairTurns<Item>(2)
    for (let index = 0; index < 10; index++) {
      turns.add(item(['A', 'A', 'bot'], 100))
      turns.add(item(['A', 'A', 'agent']))
      turns.add(item(['B', 'B', 'agent']))
    }
    const bots = { lane: 1, serves: (account: string) => ('A A bot'.startsWith(account) ? 'below' : 'none') } as const
    turns.take(bots)
    turns.take(bots)
    const others = { serves: (account: string) => (account === 'A A bot' ? 'none' : 'below') } as const
    const taken = names(Array.from({ length: 10 }, () => turns.take(others)!))
    expect(taken.filter((name) => name === 'AAagent')).toHaveLength(5)
  })

  it('are behind those who wait for whoever has just had something without waiting', () => {
    const turns = new FairTurns<Item>()
    turns.toEnd(['A', 'A', 'one'])
    turns.add(item(['A', 'A', 'one']))
    turns.add(item(['A', 'A', 'two']))
    expect(names(takeAll(turns))).toEqual(['AAtwo', 'AAone'])
  })

  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.nat(SHARES.length - 1), cost: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 3, arbitrary: fc.record({ take: fc.nat(SHARES.length - 1), lane: fc.nat(1) }) },
    fc.record({ remove: fc.nat(200) }),
    fc.record({ owe: fc.nat(SHARES.length - 1), cost: fc.integer({ min: -20, max: 60 }) }),
    fc.record({ back: fc.nat(200) }),
  )

  it('lose no item, serve none twice, keep the order of each caller, and leave nothing, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const turns = new FairTurns<Item>(2)
        const waiting = new Set<Item>()
        const taken: Item[] = []
        for (const each of steps) {
          if ('add' in each) {
            const added = item(SHARES[each.add]!, each.cost)
            turns.add(added)
            waiting.add(added)
          } else if ('take' in each) {
            const barred = accountsOf(SHARES[each.take]!).at(-1)
            const next = turns.take({ lane: each.lane, serves: (account) => (account === barred ? 'none' : 'below') })
            // Whoever may be served is: no debt keeps the queue from serving anybody.
            const others = [...waiting].filter(({ share }) => accountsOf(share).at(-1) !== barred)
            expect(next === undefined).toBe(others.length === 0)
            if (!next) continue
            const same = others.filter(({ share }) => share === next.share)
            expect(next.order).toBe(Math.min(...same.map((other) => other.order)))
            waiting.delete(next)
            taken.push(next)
          } else if ('owe' in each) turns.owe(SHARES[each.owe]!, each.cost)
          else if ('back' in each) {
            const [back] = taken.splice(each.back % Math.max(1, taken.length), 1)
            if (!back) continue
            turns.add(back)
            waiting.add(back)
          } else {
            const gone = [...waiting][each.remove % Math.max(1, waiting.size)]
            if (!gone) continue
            turns.remove(gone)
            waiting.delete(gone)
          }
          expect(turns.size).toBe(waiting.size)
        }
        expect(new Set(takeAll(turns))).toEqual(waiting)
        for (const share of SHARES) turns.forget(share)
        expect(turns.isForgotten).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('starve nobody: an item waits for as much of others as its accounts have parts of, and no more', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: SHARES.length, maxLength: SHARES.length })
    fc.assert(
      fc.property(costs, (each) => {
        const turns = new FairTurns<Item>()
        const dearest = Math.max(...each)
        const rounds = 30
        for (let round = 0; round < rounds; round++)
          for (const [index, share] of SHARES.entries()) turns.add(item(share, each[index]!))
        const served = new Map<string, number>()
        // As long as all of them wait, two contact centers have had about as much.
        const isFull = (): boolean => [...served.values()].every((count) => count < rounds)
        const cost = (start: string): number =>
          SHARES.reduce((sum, share, index) => {
            const name = share.join('')
            return name.startsWith(start) ? sum + (served.get(name) ?? 0) * each[index]! : sum
          }, 0)
        while (isFull()) {
          const next = turns.take()!
          const name = next.share.join('')
          served.set(name, (served.get(name) ?? 0) + 1)
          expect(Math.abs(cost('A') - cost('C'))).toBeLessThanOrEqual(2 * dearest + 2)
          expect(Math.abs(cost('AA') - cost('AB'))).toBeLessThanOrEqual(2 * dearest + 2)
          expect(Math.abs(cost('AAbot') - cost('AAagent'))).toBeLessThanOrEqual(2 * dearest + 2)
        }
      }),
      { numRuns: 100 },
    )
  })
})
