import { describe, expect, it } from '@jest/globals'
import { RateLimited } from '../../src/platform/errors.js'
import { type BotHistory, checkBotLimits } from '../../src/modules/messages/bot-limits.js'

const now = new Date('2026-01-01T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const quiet: BotHistory = {
  now,
  identicalInWindow: 0,
  oldestIdenticalAt: null,
  consecutiveInHour: 0,
  oldestConsecutiveAt: null,
}

describe('checkBotLimits (8)', () => {
  it('allows the eighth identical and the twentieth consecutive message', () => {
    expect(() => checkBotLimits(quiet)).not.toThrow()
    const full = { identicalInWindow: 7, oldestIdenticalAt: ago(1), consecutiveInHour: 19, oldestConsecutiveAt: ago(1) }
    expect(() => checkBotLimits({ now, ...full })).not.toThrow()
  })

  it('refuses the ninth identical message until the first of them is 3 minutes old', () => {
    expect(limited({ ...quiet, identicalInWindow: 8, oldestIdenticalAt: ago(30) }).retryAfterSeconds).toBe(150)
  })

  it('refuses the twenty-first consecutive message until the first of them is an hour old', () => {
    expect(limited({ ...quiet, consecutiveInHour: 20, oldestConsecutiveAt: ago(600.5) }).retryAfterSeconds).toBe(3000)
  })

  it('require a delay of at least one second', () => {
    expect(limited({ ...quiet, identicalInWindow: 8, oldestIdenticalAt: ago(180) }).retryAfterSeconds).toBe(1)
  })
})

function limited(history: BotHistory): RateLimited {
  try {
    checkBotLimits(history)
  } catch (error) {
    if (error instanceof RateLimited) return error
    throw error
  }
  throw new Error('not limited')
}
