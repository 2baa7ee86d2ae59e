import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { changedShare } from '../../src/platform/content/changed-share.js'

describe('the share of a text that was changed', () => {
  it.each([
    ['On Friday.', 'On Friday.', 0],
    ['one two  three', 'three\ntwo one', 0],
    ['Friday, then.', 'Monday, then.', 0.25],
    ['one', 'one one one', 0.5],
    ['one', 'two', 1],
    ['', 'one', 1],
    ['', ' ', 0],
    ['你好世界', '你好世间', 0.25],
    ['Grüße', 'Gruesse', 1],
  ])('of %j as %j is %d', (before, after, share) => {
    expect(changedShare(before, after)).toBe(share)
  })

  it('is the same both ways, between 0 and 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const share = changedShare(one, other)
        expect(share).toBe(changedShare(other, one))
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
        expect(changedShare(one, one)).toBe(0)
      }),
    )
  })

  it('grows with the words that are replaced, also in the longest of messages', () => {
    const words = Array.from({ length: 10_000 }, (_, index) => `w${index}`)
    for (const replaced of [1, 100, 5_000]) {
      const after = words.map((word, index) => (index < replaced ? `x${index}` : word)).join(' ')
      expect(changedShare(words.join(' '), after)).toBeCloseTo(replaced / words.length, 1)
    }
  })
})
