import { describe, expect, it } from '@jest/globals'
import { AddressRanges, commonNetworks, parseNetwork, plainAddress } from '../../src/platform/limits/address-ranges.js'

describe('parseNetwork', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.0/24'],
    [' 192.0.2.7 ', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['::ffff:c000:207', '192.0.2.7/32'],
  ])('reads %s as %s', (given, network) => expect(parseNetwork(given, 'field')).toBe(network))

  it.each([
    ['192.0.2.7/24', 'write 192.0.2.0/24'],
    ['2001:db8::1/32', 'write 2001:db8::/32'],
    ...['192.0.2.0/33', '192.0.2.0/024', '192.0.2/24', '::ffff:192.0.2.0/24', '2001:db8::/129', 'fe80::1%eth0/64'].map(
      (text) => [text, 'must be a network'],
    ),
    ...['', '/8', 'anywhere', '10.0.0.0/8/8', '10.0.0.0/', 'x'.repeat(100), 7, null].map((text) => [
      text,
      'must be a network',
    ]),
  ])('refuses %s', (given, said) => expect(() => parseNetwork(given, 'field')).toThrow(said as string))
})

describe('AddressRanges', () => {
  it('has the addresses of its networks, IPv4 also as IPv6 writes it', () => {
    const ranges = new AddressRanges(['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/48'])
    const inside = [
      '192.0.2.0',
      '192.0.2.255',
      '198.51.100.7',
      '::ffff:192.0.2.9',
      '2001:db8::1',
      '2001:db8:0:9::1%eth0',
    ]
    const outside = ['192.0.3.0', '198.51.100.8', '2001:db8:1::1', '::192.0.2.9', 'unknown', '', null]
    for (let time = 0; time < 2; time++) {
      for (const address of inside) expect([address, ranges.has(address)]).toEqual([address, true])
      for (const address of outside) expect([address, ranges.has(address)]).toEqual([address, false])
    }
    expect(new AddressRanges([]).has('192.0.2.1')).toBe(false)
    expect(new AddressRanges(['0.0.0.0/0']).has('2001:db8::1')).toBe(false)
  })
})

describe('commonNetworks', () => {
  it('are the narrower ones of those that overlap, in either order', () => {
    const some = ['10.0.0.0/8', '192.0.2.0/24', '2001:db8::/32', '0.0.0.0/0']
    const others = ['10.1.0.0/16', '192.0.0.0/16', '2001:db8::/32', '2001:db9::/32']
    const common = ['10.1.0.0/16', '192.0.2.0/24', '192.0.0.0/16', '2001:db8::/32']
    expect(commonNetworks(some, others).toSorted()).toEqual(common.toSorted())
    expect(commonNetworks(others, some).toSorted()).toEqual(common.toSorted())
    expect(commonNetworks(['10.0.0.0/8'], ['11.0.0.0/8', '::/0'])).toEqual([])
    expect(commonNetworks([], ['::/0'])).toEqual([])
  })

  it('are those that every network of one list has within one of the other, however many there are', () => {
    const site = (index: number): string => `2001:db8:${(index + 1).toString(16)}`
    const sites = Array.from({ length: 100 }, (_, index) => `${site(index)}::/48`)
    const offices = Array.from({ length: 100 }, (_, index) => `${site(index)}:1::/64`)
    expect(commonNetworks(sites, offices).toSorted()).toEqual(offices.toSorted())
    expect(commonNetworks(offices, sites).toSorted()).toEqual(offices.toSorted())
    // What a caller gets is its own.
    commonNetworks(sites, offices).pop()
    expect(commonNetworks(sites, offices)).toHaveLength(100)
  })
})

it('plainAddress writes addresses as PostgreSQL does', () => {
  expect(['::ffff:192.0.2.1', '2001:DB8::1', 'unknown', null].map(plainAddress)).toEqual([
    '192.0.2.1',
    '2001:db8::1',
    null,
    null,
  ])
})
