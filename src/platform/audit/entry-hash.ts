import canonicalize from 'canonicalize'
import { createHash } from 'node:crypto'
import type { JsonObject } from '../json.js'

/** Stands in place of the previous entry's hash in a chain's first one. */
export const CHAIN_START = '0'.repeat(64)

/** The part of an audit entry that never changes, and of which its hash is made. */
export interface ChainedEntry {
  /** The contact center, whose chain it is in. */
  org: string
  /** Its place in the chain, from 1. */
  number: number
  /** ISO 8601, in milliseconds. */
  at: string
  action: string
  actor: JsonObject
  object: JsonObject | null
  /** {@link commitTo} of its details: they can be dropped, and the chain still verifies. */
  commit: string
}

/** Hashes an entry together with the one before it: SHA-256 of the previous hash and of RFC 8785's form of the entry. */
export function hashEntry(previous: string, entry: ChainedEntry): string {
  const { org, number, at, action, actor, object, commit } = entry
  const text = canonical({ org, number, at, action, actor, object, commit })
  return createHash('sha256').update(Buffer.from(previous, 'hex')).update(text).digest('hex')
}

/** Commits to details without telling them: who has the salt and the details can prove that they belong to the entry. */
export function commitTo(salt: string, details: JsonObject): string {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(canonical(details)).digest('hex')
}

function canonical(value: object): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('a value without a JSON form has no hash')
  return text
}
