import type { Context } from '../../platform/context.js'
import { BadUserInput, Forbidden } from '../../platform/errors.js'
import { ChainCheck, type ChainFault, type ExportedEntry, type SealedHead } from './audit-chain.js'

/** Entries that one request verifies or exports: some tenths of a second. */
export const ENTRIES_MAX = 10_000
const CHUNK = 2_000
const FAULTS_MAX = 100

export interface Verification {
  from: number
  to: number
  isWhole: boolean
  faults: ChainFault[]
  unchained: number
  unsealed: number
}

/**
 * Verifies a part of the contact center's chain, against its seals as they are stored here.
 * @throws Forbidden for a caller of an organization below; BadUserInput
 */
export async function verifyAudit(
  ctx: Context,
  { from = 1, to }: { from?: number | undefined; to?: number | undefined },
): Promise<Verification> {
  const center = centerOf(ctx)
  if (from < 1) throw new BadUserInput('from', `from must be at least 1, not ${from}`)
  const [state] = await ctx.reads.query<{ head: number; sealed: number; unchained: number }>(
    STATE,
    [center],
    'audit-state',
  )
  const { head, sealed, unchained } = state!
  const end = Math.min(to ?? from + ENTRIES_MAX - 1, head)
  if (to !== undefined && to < from) throw new BadUserInput('to', `to must be at least from, ${from}, not ${to}`)
  if (end - from >= ENTRIES_MAX) {
    throw new BadUserInput(
      'to',
      `at most ${ENTRIES_MAX} entries are verified at once: to must be below ${from + ENTRIES_MAX}`,
    )
  }
  const [before] = from === 1 ? [] : await readEntries(ctx, center, from - 1, from - 1)
  const check = new ChainCheck({
    from,
    ...(from > 1 && { previous: before?.hash ?? null }),
    seals: await readSeals(ctx, center, from, end),
  })
  for (let next = from; next <= end; next += CHUNK) {
    for (const entry of await readEntries(ctx, center, next, Math.min(next + CHUNK - 1, end))) check.add(entry)
  }
  if (check.last < end) check.faults.push({ number: check.last + 1, fault: 'missing' })
  return {
    from,
    to: Math.max(end, from - 1),
    isWhole: check.faults.length === 0,
    faults: check.faults.slice(0, FAULTS_MAX),
    unchained,
    unsealed: head - sealed,
  }
}

/** Entries as lines of JSON, and the number of the last one. */
export interface Exported {
  lines: string
  last: number | null
}

/**
 * Writes entries as lines of JSON, from the one after `after` on, with what `npm run audit:verify` needs.
 * @throws Forbidden for a caller of an organization below; BadUserInput
 */
export async function exportAudit(ctx: Context, after: number, limit: number): Promise<Exported> {
  const center = centerOf(ctx)
  if (after < 0) throw new BadUserInput('after', `after must be at least 0, not ${after}`)
  if (limit < 1 || limit > ENTRIES_MAX)
    throw new BadUserInput('limit', `limit must be from 1 to ${ENTRIES_MAX}, not ${limit}`)
  const entries = await readEntries(ctx, center, after + 1, after + limit)
  return {
    lines: entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
    last: entries.at(-1)?.number ?? null,
  }
}

/** A chain is that of a contact center, all of whose organizations have their entries in it. */
export function centerOf(ctx: Context): string {
  const { path } = ctx.caller
  if (path.length === 1) return path[0]
  throw new Forbidden('the chain of the audit log is shown to administrators of the contact center', {
    reason: 'CENTER_ADMIN_REQUIRED',
  })
}

const STATE = `
select coalesce(c.number, 0) as head,
  coalesce((select max(number) from audit_seal where org1 = $1), 0) as sealed,
  (select count(*)::int from audit_entry where org1 = $1 and number is null) as unchained
from (values (1)) one left join audit_chain c on c.org1 = $1`

interface EntryRow extends Omit<ExportedEntry, 'at'> {
  at: Date
}

async function readEntries(ctx: Context, center: string, from: number, to: number): Promise<ExportedEntry[]> {
  const rows = await ctx.reads.query<EntryRow>(
    `select org1 as org, number, at, action, actor, object, commitment as commit, hash, details, salt from audit_entry
     where org1 = $1 and number between $2 and $3 order by number`,
    [center, from, to],
    'audit-entries-by-number',
  )
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

async function readSeals(ctx: Context, center: string, from: number, to: number): Promise<SealedHead[]> {
  const rows = await ctx.reads.query<{ number: number; hash: string; at: Date }>(
    'select number, hash, at from audit_seal where org1 = $1 and number between $2 and $3 order by number',
    [center, from, to],
    'audit-seals',
  )
  return rows.map(({ at, ...seal }) => ({ ...seal, org: center, previous: '', at: at.toISOString() }))
}
