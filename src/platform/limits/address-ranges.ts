import { LRUCache } from 'lru-cache'
import { isIPv4, isIPv6 } from 'node:net'
import { BadUserInput } from '../errors.js'
import { mismatch } from '../input.js'
import { groupsOf } from './network-of.js'

/** An address as a number: IPv4 has 32 bits, IPv6 128. */
interface Address {
  bits: 32 | 128
  value: bigint
}

interface Range extends Address {
  prefix: number
}

const CIDR_CHARS_MAX = 60
const MAPPED_BITS = 96
/** Addresses whose answer is remembered, of one list. */
const REMEMBERED_MAX = 10_000

/**
 * Networks, and whether addresses are in them. An IPv4 address that is written as one of IPv6 (`::ffff:192.0.2.1`, as sockets that take
 * both have them) is the IPv4 address.
 */
export class AddressRanges {
  readonly #ranges: readonly Range[]
  readonly #known = new Map<string, boolean>()

  /** @param networks as {@link parseNetwork} returns them */
  constructor(networks: readonly string[]) {
    this.#ranges = networks.map(rangeOf)
  }

  /** Tells whether an address is in one of the networks; none is that is no address. */
  has(address: string | null): boolean {
    if (address === null) return false
    const known = this.#known.get(address)
    if (known !== undefined) return known
    const parsed = parseAddress(address)
    const isIn = parsed !== null && this.#ranges.some((range) => contains(range, parsed))
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear()
    this.#known.set(address, isIn)
    return isIn
  }
}

/**
 * Parses a network such as `192.0.2.0/24` or `2001:db8::/32`; an address alone is the network of this one.
 * @returns its one spelling @throws BadUserInput
 */
export function parseNetwork(value: unknown, field: string): string {
  const rule = 'must be a network such as 192.0.2.0/24 or 2001:db8::/32'
  if (typeof value !== 'string' || value.length > CIDR_CHARS_MAX) throw mismatch(field, value, rule)
  const [text = '', length, ...more] = value.trim().split('/')
  const isPlain = isIPv4(text) || (isIPv6(text) && !text.includes('%'))
  if (!isPlain || more.length > 0 || (length !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(length)))
    throw mismatch(field, value, rule)
  const address = parseAddress(text)!
  const isMapped = address.bits === 32 && isIPv6(text)
  const given = length === undefined ? null : Number(length)
  const prefix = given === null ? address.bits : isMapped ? given - MAPPED_BITS : given
  if (prefix < 0 || prefix > address.bits) throw mismatch(field, value, rule)
  const range = { ...address, prefix }
  const network = textOf({ ...range, value: baseOf(range) })
  if (baseOf(range) !== address.value)
    throw new BadUserInput(field, `${field}: ${value.trim()} is an address within a network: write ${network}`)
  return network
}

/** Both lists, and what they have in common: callers of one organization have the same, and each of their tokens asks for it. */
const COMMON = new LRUCache<string, readonly string[]>({ max: 1_000 })

/** Returns the networks that are in both lists: of two that overlap, one contains the other. */
export function commonNetworks(some: readonly string[], others: readonly string[]): string[] {
  const key = `${some.join(' ')}|${others.join(' ')}`
  let common = COMMON.get(key)
  if (!common) COMMON.set(key, (common = [...new Set([...within(some, others), ...within(others, some)])]))
  return [...common]
}

/** Returns those of some networks that one of the others contains. Looks up the at most 129 networks that may, rather than at each. */
function within(some: readonly string[], others: readonly string[]): string[] {
  const keyOf = ({ bits, value, prefix }: Range): string => `${bits}/${prefix}/${value >> BigInt(bits - prefix)}`
  const containing = others.map(rangeOf)
  const keys = new Set(containing.map(keyOf))
  const prefixes = [...new Set(containing.map(({ prefix }) => prefix))]
  return some.filter((network) => {
    const range = rangeOf(network)
    return prefixes.some((prefix) => prefix <= range.prefix && keys.has(keyOf({ ...range, prefix })))
  })
}

/** Returns an address as PostgreSQL's `inet` has it, IPv4 as IPv4; null for what is none. */
export function plainAddress(address: string | null): string | null {
  const parsed = address === null ? null : parseAddress(address)
  return parsed && textOf({ ...parsed, prefix: parsed.bits }).split('/')[0]!
}

function rangeOf(network: string): Range {
  const [text, prefix] = network.split('/')
  return { ...parseAddress(text!)!, prefix: Number(prefix) }
}

function baseOf({ value, bits, prefix }: Range): bigint {
  const host = BigInt(bits - prefix)
  return (value >> host) << host
}

function contains({ bits, value, prefix }: Range, address: Address): boolean {
  const host = BigInt(bits - prefix)
  return bits === address.bits && value >> host === address.value >> host
}

function parseAddress(given: string): Address | null {
  const [text = ''] = given.split('%')
  if (isIPv4(text)) return { bits: 32, value: numberOf(text.split('.').map(Number), 8n) }
  if (!isIPv6(text)) return null
  const groups = groupsOf(text).map((group) => Number.parseInt(group, 16))
  const value = numberOf(groups, 16n)
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffff_ffffn } : { bits: 128, value }
}

function numberOf(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((number, part) => (number << bits) | BigInt(part), 0n)
}

function textOf({ bits, value, prefix }: Range): string {
  if (bits === 32) {
    const parts = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn)
    return `${parts.join('.')}/${prefix}`
  }
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16))
  return `${new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)}/${prefix}`
}
