import { BadUserInput } from '../../../platform/errors.js'

const PAGE_SIZE_MAX = 1_000

/** Reads the number of entries per event of a snapshot; null for a single event. @throws BadUserInput */
export function readPageSize({ pageSize }: Readonly<Record<string, unknown>>): number | null {
  if (pageSize === null || pageSize === undefined) return null
  const size = pageSize as number
  if (size < 1 || size > PAGE_SIZE_MAX) {
    throw new BadUserInput('pageSize', `pageSize ${size} is not from 1 to ${PAGE_SIZE_MAX}`)
  }
  return size
}
