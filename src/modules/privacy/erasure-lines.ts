import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { BadUserInput } from '../../platform/errors.js'
import { ErasureReasonEnum, type ContactErasureStatus, type ErasureReason } from './contact-erasure.js'

export const LINES_MAX = 10_000

/** A line of the list that is kept elsewhere, so that a restore of an older backup can erase the contact again: ids alone. */
export interface ErasureLine {
  erasure: string
  contact: string
  organization: string
  reason: ErasureReason
  at: string
  /** Present if a hold blocked it when the line was made: a restore leaves it blocked. */
  blocked?: true
}

/** Returns the line of an erasure, without its end. */
export function lineOf(erasure: {
  id: string
  contactId: string
  organizationId: string
  reason: ErasureReason
  createdAt: Date
  status: ContactErasureStatus
}): string {
  const line: ErasureLine = {
    erasure: erasure.id,
    contact: erasure.contactId,
    organization: erasure.organizationId,
    reason: erasure.reason,
    at: erasure.createdAt.toISOString(),
    ...(erasure.status === 'blocked' && { blocked: true }),
  }
  return JSON.stringify(line)
}

/**
 * Returns the erasures of the caller's organization and those below it, the oldest first.
 * @throws BadUserInput for a limit out of bounds, and a malformed id
 */
export async function readLines(
  ctx: Context,
  { since, after, limit }: { since: Date | null; after: string | null; limit: number },
): Promise<{ lines: string; last: string | null }> {
  if (limit < 1 || limit > LINES_MAX)
    throw new BadUserInput('limit', `limit must be from 1 to ${LINES_MAX}, not ${limit}`)
  if (after !== null && !isId(after)) throw new BadUserInput('after', 'after must be the id of an erasure')
  const values: unknown[] = [since, after, limit]
  const rows = await ctx.reads.query<Parameters<typeof lineOf>[0]>(
    `select t.id, t.contact_id as "contactId", t.organization_id as "organizationId", t.reason, t.status, t.created_at as "createdAt"
     from erasure t where ($1::timestamptz is null or t.created_at >= $1) and ($2::uuid is null or t.id > $2)
       and ${tenantSql(ctx.tenant, 't', values)} order by t.id limit $3`,
    values,
  )
  return { lines: rows.map((row) => `${lineOf(row)}\n`).join(''), last: rows.at(-1)?.id ?? null }
}

/**
 * Reads lines as {@link lineOf} makes them; further members and empty lines are ignored.
 * @throws Error naming the line that is none
 */
export function parseLines(text: string): ErasureLine[] {
  return text.split('\n').flatMap((each, index) => {
    if (each.trim() === '') return []
    const line = parseLine(each)
    if (line) return [line]
    throw new Error(`line ${index + 1} is no erasure: expected {"erasure": "<id>", "contact": "<id>", …}`)
  })
}

function parseLine(text: string): ErasureLine | null {
  try {
    const { erasure, contact, organization, reason, at, blocked } = JSON.parse(text) as Partial<Record<string, unknown>>
    const isWhole = [erasure, contact, organization].every((id) => typeof id === 'string' && isId(id))
    if (!isWhole || typeof reason !== 'string' || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return null
    const known = Object.values(ErasureReasonEnum).find((each) => each === reason) ?? 'other'
    return { erasure, contact, organization, reason: known, at, ...(blocked === true && { blocked }) } as ErasureLine
  } catch {
    return null
  }
}
