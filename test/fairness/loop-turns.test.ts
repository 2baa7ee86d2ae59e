import { describe, expect, it } from '@jest/globals'
import { LoopTurns } from '../../src/platform/fairness/loop-turns.js'

const WORK_MS = 1
const busy = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('thousands of queued steps', () => {
  it('run in slices, in order of arrival, with timers in between', async () => {
    const turns = new LoopTurns()
    const done: number[] = []
    const seen: number[] = []
    const timer = setInterval(() => seen.push(done.length), 1)
    const all = Array.from({ length: 60 }, async (_, index) => {
      await turns.enter()
      busy(WORK_MS)
      done.push(index)
    })
    await Promise.all(all)
    clearInterval(timer)
    expect(done).toEqual(Array.from({ length: 60 }, (_, index) => index))
    // Several times while it went on: each slice is some pieces of work, whatever follows the promise included.
    expect(seen.length).toBeGreaterThan(10)
    const slices = seen.map((count, index) => count - (seen[index - 1] ?? 0))
    expect(Math.max(...slices)).toBeLessThan(12)
  })

  it('go before new ones that bring more, however many of these came first', async () => {
    const turns = new LoopTurns()
    const done: string[] = []
    const sockets = Array.from({ length: 1_500 }, async (_, index) => {
      await turns.enterLast()
      busy(0.1)
      done.push(`socket ${index}`)
      turns.run(() => done.push(`sign-in ${index}`))
    })
    await Promise.all(sockets)
    await turns.enter()
    // Few sockets are between one and its sign-in: those of the same slice.
    const waits = sockets.map((_, index) => done.indexOf(`sign-in ${index}`) - done.indexOf(`socket ${index}`))
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThan(20)
  })

  it('does not wait when there is nothing else to do', () => {
    const turns = new LoopTurns()
    let ran = false
    turns.run(() => {
      ran = true
    })
    expect(ran).toBe(true)
  })

  it('rest after each slice by as many times its length as was said, and begin with one', async () => {
    const turns = new LoopTurns({ restFactor: 4 })
    const times: { begun: number; ended: number }[] = []
    const all = Array.from({ length: 10 }, async () => {
      await turns.enter()
      const begun = performance.now()
      busy(2)
      times.push({ begun, ended: performance.now() })
    })
    expect(times).toEqual([])
    await Promise.all(all)
    // Each is longer than a slice. A timer may come a millisecond early.
    const rests = times.slice(1).map(({ begun }, at) => begun - times[at]!.ended)
    expect(Math.min(...rests)).toBeGreaterThan(4 * 2 - 1.5)
  })
})
