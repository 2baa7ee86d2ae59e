import { expect, it } from '@jest/globals'
import { FairQueue } from '../../src/platform/fairness/fair-queue.js'
import { LeftPlace } from '../../src/platform/fairness/left-place.js'
import { shareOf } from '../../src/platform/fairness/share.js'

const share = shareOf(['center'], 'caller')
const open = (total: number, waitingPerCaller = 10): FairQueue =>
  new FairQueue({ name: 'reads', limits: { total, perTenant: total, perCaller: total, waitingPerCaller } })
const gate = () => Promise.withResolvers<void>()

it('leaves its place to others while it waits, and has one again before it goes on', async () => {
  const queue = open(1)
  const [waited, other] = [gate(), gate()]
  const steps: string[] = []
  const place = new LeftPlace(queue, share)
  const work = place.run(async () => {
    await place.outside(() => waited.promise)
    steps.push('goes on')
  })
  const second = queue.run(share, async () => {
    steps.push('the other')
    await other.promise
  })
  await new Promise(setImmediate)
  expect(steps).toEqual(['the other'])
  waited.resolve()
  await new Promise(setImmediate)
  expect(queue).toMatchObject({ running: 1, waiting: 1 })
  other.resolve()
  await Promise.all([work, second])
  expect(steps).toEqual(['the other', 'goes on'])
  expect(queue).toMatchObject({ running: 0, waiting: 0 })
})

it('takes one place for several waits, and none that is left behind keeps one', async () => {
  const queue = open(5)
  const [one, two, late] = [gate(), gate(), gate()]
  const place = new LeftPlace(queue, share)
  const work = place.run(async () => {
    void place.outside(() => late.promise)
    const waits = [one, two].map(({ promise }) => place.outside(() => promise))
    expect(queue.running).toBe(0)
    one.resolve()
    two.resolve()
    await Promise.all(waits)
    expect(queue.running).toBe(1)
    throw new Error('failed')
  })
  await expect(work).rejects.toThrow('failed')
  late.resolve()
  await new Promise(setImmediate)
  expect(queue).toMatchObject({ running: 0, waiting: 0 })
})

it('is refused a place like all others when too many wait', async () => {
  const queue = open(1, 1)
  const [waited, other] = [gate(), gate()]
  const place = new LeftPlace(queue, share)
  const work = place.run(() => place.outside(() => waited.promise))
  await new Promise(setImmediate)
  const others = [queue.run(share, () => other.promise), queue.run(share, () => undefined)]
  waited.resolve()
  await expect(work).rejects.toThrow('more than 1 reads of one caller are waiting')
  other.resolve()
  await Promise.all(others)
  expect(queue).toMatchObject({ running: 0, waiting: 0 })
})
