import { describe, expect, it } from '@jest/globals'
import { networkOf, networksOf } from '../../src/platform/limits/network-of.js'

describe('networkOf', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::10.0.0.1', '64:ff9b:0:0::/64'],
    ['', ''],
    ['not an address', 'not an address'],
  ])('takes %j as %j', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('networksOf', () => {
  it.each([
    ['10.0.1.2', ['10.0.1.2', '10.0.1.0/24', '10.0.1.0/24']],
    ['::ffff:10.0.1.2', ['10.0.1.2', '10.0.1.0/24', '10.0.1.0/24']],
    ['2001:db8:1:234::9', ['2001:db8:1:234::/64', '2001:db8:1:0200::/56', '2001:db8:1::/48']],
    ['not an address', ['not an address', 'not an address', 'not an address']],
  ])('takes %j as %j', (address, networks) => {
    expect(networksOf(address)).toEqual(networks)
  })
})
