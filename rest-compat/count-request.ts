import type { FastifyReply } from 'fastify'
import { RateLimited } from '../src/platform/errors.js'

/** Counts requests (section 8). */
export interface RequestRate {
  /** @param policy subject of the count; @param of its identifier */
  count(policy: 'address' | 'key', of: string): Promise<RateCount>
}

export interface RateCount {
  isExceeded: boolean
  /** Requests per window, and its length. */
  limit: number
  windowSeconds: number
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

/** Counts a request, and adds the rate limit headers. @throws RateLimited */
export async function countRequest(
  rate: RequestRate,
  policy: 'address' | 'key',
  of: string,
  reply: FastifyReply,
): Promise<void> {
  const { isExceeded, limit, windowSeconds, remaining, resetSeconds } = await rate.count(policy, of)
  addToList(reply, 'ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`)
  addToList(reply, 'ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`)
  if (!isExceeded) return
  const whose = policy === 'address' ? 'from one address' : 'by one user or API key'
  const span = windowSeconds === 1 ? 'second' : `${windowSeconds} seconds`
  throw new RateLimited(`more than ${limit} requests a ${span} ${whose}`, resetSeconds)
}

/** The fields of draft-ietf-httpapi-ratelimit-headers are lists, with one member per policy. */
function addToList(reply: FastifyReply, name: string, member: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? member : `${String(before)}, ${member}`)
}
