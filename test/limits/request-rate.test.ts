import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { until } from '../support/until.js'
import { Metrics } from '../../src/platform/metrics.js'
import { closeRedis, connectRedis } from '../../src/platform/redis.js'
import { RequestRate, type RateCount } from '../../src/platform/limits/request-rate.js'

const url = process.env.TEST_REDIS_URL
const withRedis = url ? describe : describe.skip

const passed = (counts: RateCount[]): number => counts.filter(({ isExceeded }) => !isExceeded).length
const burst = (rate: RequestRate, size: number, of: string): Promise<RateCount[]> =>
  Promise.all(Array.from({ length: size }, () => rate.count('key', of)))

describe('the request rate', () => {
  it('allows exactly the limit of concurrent requests, and returns the remaining number', async () => {
    const rate = new RequestRate(20)
    const counts = await burst(rate, 500, 'a')
    expect(passed(counts)).toBe(20)
    expect(counts.slice(0, 21).map(({ remaining }) => remaining)).toEqual([...Array(20).keys()].reverse().concat(0))
    expect(counts.at(-1)).toEqual({ isExceeded: true, limit: 20, windowSeconds: 1, remaining: 0, resetSeconds: 1 })
  })

  it('counts each key and each policy separately, and restarts each second', async () => {
    const rate = new RequestRate(2)
    expect(passed(await burst(rate, 3, 'a'))).toBe(2)
    expect(passed(await burst(rate, 3, 'b'))).toBe(2)
    expect((await rate.count('address', 'a')).isExceeded).toBe(false)
    // The first of its next window.
    await until(async () => !(await rate.count('key', 'a')).isExceeded)
  })
})

withRedis('the request rate of several nodes', () => {
  const clients: Redis[] = []
  const connect = (url: string): Redis => {
    const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, retryStrategy: () => null })
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }
  beforeAll(async () => {
    await Promise.all(
      [connect(url!), connect(url!)].map((client) => new Promise((resolve) => client.once('ready', resolve))),
    )
  })
  afterAll(() => clients.forEach((client) => client.disconnect()))

  // [8 Request rate]
  it('is exact', async () => {
    const nodes = [new RequestRate(20, clients[0], 600), new RequestRate(20, clients[1], 600)]
    const of = randomUUID()
    const counts = await Promise.all(nodes.map((node) => burst(node, 100, of)))
    expect(passed(counts.flat())).toBe(20)
  })

  it('continues separately on each node when Redis is unavailable, and the metrics tell how often', async () => {
    const metrics = new Metrics()
    const away = connectRedis('redis://127.0.0.1:1', pino({ level: 'silent' }), metrics)
    const rate = new RequestRate(20, away, 600)
    expect(passed(await burst(rate, 50, 'a'))).toBe(20)
    closeRedis(away)
    expect(await metrics.text()).toMatch(/^switchboard_counted_alone_total 50$/m)
  })
})
