import type { Context } from '../../platform/context.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { lockToCount } from '../organizations/owned-record.js'
import type { MatchedRecord, Matches, Names } from './match-records.js'
import { TRAITS, type Section } from './sections.js'
import { refuseChanged } from './state-digest.js'

export interface ToLock {
  matches: Matches
  /** Those that change. */
  changing: ReadonlySet<MatchedRecord>
  names: Names
  organization: string
}

/**
 * Locks what a document changes and removes before its first change, in the order in which the mutations of one record lock: a workflow
 * or a policy, then the organization whose records are counted, then the schedules that policies have. In the document's order it and a
 * save of one record would wait for each other. Channels are locked later: see {@link lockChannels}.
 * @throws DomainError PRECONDITION_FAILED naming what has changed since it was read
 */
export async function lockRecords(ctx: Context, tx: WriteTx, toLock: ToLock): Promise<void> {
  const { matches, changing, names, organization } = toLock
  await lockSection(ctx, tx, toLock, 'workflows')
  await lockSection(ctx, tx, toLock, 'slaPolicies')
  const written = matches.matched.filter((match) => !match.stored || changing.has(match))
  const isCounted = written.some(
    ({ desired: { section }, stored }) => section !== 'channels' && (!stored || section === 'workflows'),
  )
  if (isCounted) await lockToCount(tx, organization)
  const schedules = written.flatMap(({ desired }) => {
    const schedule = desired.section === 'slaPolicies' ? names.resolve(desired).schedule : null
    return typeof schedule === 'string' ? schedule : []
  })
  await lockSection(ctx, tx, toLock, 'schedules', schedules)
  await lockSection(ctx, tx, toLock, 'holidayCalendars')
  await lockSection(ctx, tx, toLock, 'skills')
}

/**
 * Locks the channels that a document changes and removes, just before it does: agents who come online and conversations that are queued
 * wait for them. @throws as {@link lockRecords}
 */
export function lockChannels(ctx: Context, tx: WriteTx, toLock: ToLock): Promise<void> {
  return lockSection(ctx, tx, toLock, 'channels')
}

/** Locks in the order of ids, as whoever locks several does. @param also ids of records that stay as they are, if there are such */
async function lockSection(
  ctx: Context,
  tx: WriteTx,
  { matches, changing }: ToLock,
  section: Section,
  also: readonly string[] = [],
): Promise<void> {
  const changed = [...changing].flatMap(({ stored }) => stored ?? [])
  const records = [...changed, ...matches.removed].filter((record) => record.section === section)
  if (records.length === 0 && also.length === 0) return
  const values: unknown[] = [[...records.map(({ id }) => id), ...also]]
  const rows = await tx.query<{ id: string; version: number }>(
    `select t.id, t.version from ${TRAITS[section].table} t
     where t.id = any($1::uuid[]) and ${tenantSql(ctx.tenant, 't', values)} order by t.id for update`,
    values,
  )
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  const others = records.filter(({ id, version }) => versions.get(id) !== version)
  if (others.length > 0) refuseChanged(others.map(({ title }) => ({ section, name: title })))
}
