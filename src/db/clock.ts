import { v7 } from 'uuid'

/** Time and identifiers of the product; tests put a fake in their place. */
export interface Clock {
  now(): Date
  /** A UUIDv7, growing within a process. */
  newId(): string
}

export const systemClock: Clock = { now: () => new Date(), newId: () => v7() }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What is no UUID is no id of ours: a lookup by it finds nothing. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}
