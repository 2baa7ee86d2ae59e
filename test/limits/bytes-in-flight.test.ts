import { describe, expect, it } from '@jest/globals'
import { BytesInFlight, HeldBlocks } from '../../src/platform/limits/bytes-in-flight.js'

const KIBIBYTE = 1_024
const MEBIBYTE = 1_048_576

describe('what a client sends', () => {
  it('is counted from its first byte, and until it is dropped', () => {
    const bytes = new BytesInFlight({ total: MEBIBYTE, perAddress: MEBIBYTE })
    const flight = bytes.open('192.0.2.1')
    const blocks = new HeldBlocks(flight)
    blocks.push(Buffer.from('x'))
    expect(bytes.total).toBe(4 * KIBIBYTE)
    blocks.drop()
    expect(bytes.total).toBe(0)
  })

  it('is kept as it came, in whatever pieces', () => {
    const bytes = new BytesInFlight({ total: 8 * MEBIBYTE, perAddress: 8 * MEBIBYTE })
    const flight = bytes.open('192.0.2.1')
    const blocks = new HeldBlocks(flight)
    const pieces = [1, 4_095, 1, 0, 10_000, 70_000, 3, 2 * MEBIBYTE + 1].map((length, at) =>
      Buffer.alloc(length, at + 1),
    )
    for (const piece of pieces) blocks.push(piece)
    expect(blocks.join().equals(Buffer.concat(pieces))).toBe(true)
    flight.end()
    expect(bytes.total).toBe(0)
  })

  it('is kept in few blocks, however small its pieces', () => {
    const bytes = new BytesInFlight({ total: 32 * MEBIBYTE, perAddress: 32 * MEBIBYTE })
    const blocks = new HeldBlocks(bytes.open('192.0.2.1'))
    for (let count = 0; count < MEBIBYTE; count += 1) blocks.push(Buffer.from('.\r\n'))
    expect(bytes.total).toBe(3 * MEBIBYTE)
    expect(blocks.join()).toHaveLength(3 * MEBIBYTE)
  })

  it('is refused when there is no room for another block', () => {
    const bytes = new BytesInFlight({ total: MEBIBYTE, perAddress: 16 * KIBIBYTE })
    const blocks = new HeldBlocks(bytes.open('192.0.2.1'))
    blocks.push(Buffer.alloc(8 * KIBIBYTE))
    expect(() => blocks.push(Buffer.alloc(16 * KIBIBYTE))).toThrow('too much data is being sent at once')
  })
})

describe('while all room is taken', () => {
  const LIMITS = { total: 100, perAddress: 60 }
  /** Opens requests that hold so many bytes each. @returns those that were cut off */
  function fill(bytes: BytesInFlight, from: readonly [string, number][]): string[] {
    const cut: string[] = []
    for (const [at, [address, held]] of from.entries())
      bytes.open(address, () => cut.push(`${at} ${address}`)).add(held)
    return cut
  }

  it('what comes has the room of the largest of whoever holds the most', () => {
    const bytes = new BytesInFlight(LIMITS)
    const cut = fill(bytes, [
      ['192.0.2.1', 10],
      ['192.0.2.1', 35],
      ['192.0.2.2', 40],
      ['192.0.2.3', 15],
    ])
    bytes.open('192.0.2.4').add(5)
    expect(cut).toEqual(['1 192.0.2.1'])
    expect(bytes.total).toBe(70)
  })

  it('one customer with many networks of IPv6 counts once', () => {
    const bytes = new BytesInFlight(LIMITS)
    const cut = fill(bytes, [
      ['192.0.2.1', 20],
      ...Array.from({ length: 8 }, (_, at): [string, number] => [`2001:db8:0:${at}::1`, 10]),
    ])
    bytes.open('192.0.2.4').add(5)
    expect(cut).toEqual([expect.stringContaining('2001:db8:0:')])
  })

  it('nobody is cut off for who holds about as much, or would', () => {
    const bytes = new BytesInFlight(LIMITS)
    const cut = fill(bytes, [
      ['192.0.2.1', 50],
      ['192.0.2.2', 50],
    ])
    expect(() => bytes.open('192.0.2.3').add(30)).toThrow('send it again')
    expect(() => bytes.open('192.0.2.2').add(1)).toThrow('send it again')
    expect(cut).toEqual([])
  })

  it('those that are not known leave those that are alone', () => {
    const bytes = new BytesInFlight({ ...LIMITS, unknown: { total: 40, perAddress: 30 } })
    const known = bytes.open('192.0.2.1', () => expect('not to be').toBe('cut off'))
    known.add(10)
    known.know()
    known.add(50)
    const cut = fill(bytes, [
      ['192.0.2.2', 30],
      ['192.0.2.3', 10],
    ])
    bytes.open('192.0.2.4').add(2)
    expect(cut).toEqual(['0 192.0.2.2'])
  })
})
