import { afterAll, describe, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { createLoginThrottle, type LoginThrottle } from '../../src/modules/auth/login-throttle.js'
import { RateLimited } from '../../src/platform/errors.js'
import { PATIENCE_MS } from '../support/until.js'

const REDIS = new URL(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379')
const redis = new Redis(REDIS.href, { lazyConnect: true })
/** A node that is busy counts by itself, so that more guesses pass: what Redis counts is asked for, however late. */
const redisTimeoutMs = PATIENCE_MS
const away = new Redis({ host: '127.0.0.1', port: 1, lazyConnect: true, retryStrategy: null })
away.on('error', () => {})
const prefix = `test:${randomUUID()}`

afterAll(async () => {
  const keys = await redis.keys(`${prefix}*`)
  if (keys.length) await redis.del(keys)
  redis.disconnect()
  away.disconnect()
})

describe.each([
  ['in memory', async () => createLoginThrottle()],
  [
    'on Redis',
    async () => {
      if (redis.status === 'wait') await redis.connect()
      return createLoginThrottle({ redis, prefix: `${prefix}:${randomUUID()}`, redisTimeoutMs })
    },
  ],
  ['with Redis away', async () => createLoginThrottle({ redis: away })],
])('login throttle %s', (_, create: () => Promise<LoginThrottle>) => {
  it('stops the eleventh guess at an account, from any address', async () => {
    const throttle = await create()
    for (let guess = 0; guess < 10; guess++) await throttle.check({ account: 'Ann@x.nl', address: `10.0.0.${guess}` })
    const error = await throttle.check({ account: 'Ann@x.nl', address: '10.0.0.99' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RateLimited)
    expect((error as RateLimited).retryAfterSeconds).toBeGreaterThan(890)
    expect((error as RateLimited).retryAfterSeconds).toBeLessThanOrEqual(900)
    await throttle.check({ account: 'bob@x.nl', address: '10.0.0.99' })
  })

  it('passes no more than ten of a hundred concurrent guesses', async () => {
    const throttle = await create()
    const guesses = Array.from({ length: 100 }, (_unused, index) =>
      throttle.check({ account: 'ann@x.nl', address: `10.1.0.${index}` }),
    )
    const passed = (await Promise.allSettled(guesses)).filter(({ status }) => status === 'fulfilled')
    expect(passed).toHaveLength(10)
  })

  it('stops the fifty-first guess from an address, which then locks no more accounts', async () => {
    const throttle = await create()
    for (let guess = 0; guess < 50; guess++) await throttle.check({ account: `user${guess}@x.nl`, address: '10.0.0.1' })
    for (let guess = 0; guess < 20; guess++) {
      await expect(throttle.check({ account: 'victim@x.nl', address: '10.0.0.1' })).rejects.toThrow(RateLimited)
    }
    await throttle.check({ account: 'victim@x.nl', address: '10.0.0.2' })
  })

  it('counts no success against the account or the address', async () => {
    const throttle = await create()
    for (let signIn = 0; signIn < 120; signIn++) {
      await throttle.check({ account: 'ann@x.nl', address: '10.0.0.1' })
      await throttle.succeeded({ account: 'ann@x.nl', address: '10.0.0.1' })
    }
    await expect(throttle.check({ account: 'ann@x.nl', address: '10.0.0.1' })).resolves.toBeUndefined()
  })

  it('does not clear an address when a guesser signs in to an account of its own', async () => {
    const throttle = await create()
    let passed = 0
    for (let guess = 0; guess < 80; guess++) {
      const own = guess % 2 === 0
      const email = own ? 'own@x.nl' : `victim${guess}@x.nl`
      const allowed = await throttle.check({ account: email, address: '10.0.0.1' }).then(
        () => true,
        () => false,
      )
      if (allowed && own) await throttle.succeeded({ account: email, address: '10.0.0.1' })
      if (allowed && !own) passed++
    }
    expect(passed).toBe(40)
    for (let guess = 0; guess < 10; guess++) await throttle.check({ account: `more${guess}@x.nl`, address: '10.0.0.1' })
    await expect(throttle.check({ account: 'more@x.nl', address: '10.0.0.1' })).rejects.toThrow(RateLimited)
  })

  it('works if the address is unknown', async () => {
    const throttle = await create()
    for (let guess = 0; guess < 60; guess++) await throttle.check({ account: `user${guess}@x.nl`, address: null })
    await expect(throttle.succeeded({ account: 'user1@x.nl', address: null })).resolves.toBeUndefined()
  })
})

describe('login throttle and an unavailable Redis', () => {
  it('continues in memory', async () => {
    const connection = new Redis(REDIS.href)
    const throttle = createLoginThrottle({ redis: connection, prefix: `${prefix}:${randomUUID()}`, redisTimeoutMs })
    await connection.ping()
    await throttle.check({ account: 'ann@x.nl', address: '10.0.0.1' })
    connection.disconnect()
    for (let guess = 0; guess < 10; guess++) await throttle.check({ account: 'ann@x.nl', address: '10.0.0.1' })
    await expect(throttle.check({ account: 'ann@x.nl', address: '10.0.0.1' })).rejects.toThrow(RateLimited)
    await throttle.succeeded({ account: 'ann@x.nl', address: '10.0.0.1' })
    await throttle.check({ account: 'ann@x.nl', address: '10.0.0.1' })
  })

  it('continues in memory when Redis hangs', async () => {
    let isHanging = false
    const proxy = createServer((client) => {
      const server = createConnection(Number(REDIS.port || 6379), REDIS.hostname)
      client.on('data', (data) => isHanging || server.write(data)).on('close', () => server.destroy())
      server.on('data', (data) => client.write(data))
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const connection = new Redis({ host: '127.0.0.1', port: (proxy.address() as AddressInfo).port })
    const throttle = createLoginThrottle({ redis: connection, prefix: `${prefix}:${randomUUID()}` })
    await connection.ping()
    isHanging = true

    // Were they to wait for Redis, they would wait for ever.
    const guesses = Array.from({ length: 11 }, () => throttle.check({ account: 'ann@x.nl', address: null }))
    const passed = (await Promise.allSettled(guesses)).filter(({ status }) => status === 'fulfilled')
    expect(passed).toHaveLength(10)
    connection.disconnect()
    proxy.close()
  })
})
