import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { isId, systemClock } from '../../src/platform/db/clock.js'

afterEach(() => {
  jest.restoreAllMocks()
})

describe('ids', () => {
  it('are UUIDv7s of their creation time', () => {
    const before = Date.now()
    const id = systemClock.newId()
    expect(isId(id)).toBe(true)
    expect(id).toMatch(/^.{14}7.{4}[89ab]/)
    const madeAt = parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    expect(madeAt).toBeGreaterThanOrEqual(before)
    expect(madeAt).toBeLessThanOrEqual(Date.now() + 1)
  })

  it('increase, even if the clock goes backwards', () => {
    const now = Date.now()
    const ids = [now, now, now - 5_000, now + 1, now + 1].flatMap((time) => {
      jest.spyOn(Date, 'now').mockReturnValue(time)
      return Array.from({ length: 1_000 }, () => systemClock.newId())
    })
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })
})
