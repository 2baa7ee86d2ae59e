import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/sql.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { quoteValue } from '../../platform/errors.js'
import type { RecordChanges } from './describe-changes.js'

/** Counts the members of an organization's channels, by channel: before these go, and their memberships with them. */
export async function countMembers(
  sql: Pick<Sql, 'query'>,
  organization: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ channel: string; members: number }>(
    `select m.channel_id as channel, count(*)::int as members
     from channel c join channel_member m on m.channel_id = c.id where c.organization_id = $1 group by m.channel_id`,
    [organization],
  )
  return new Map(rows.map(({ channel, members }) => [channel, members]))
}

/**
 * Says what else the removal of channels changes: their members lose them, and what the document does not have may name them still. Needs
 * the changes to be made. Records that the caller does not see are not counted.
 */
export async function noteChannels(
  ctx: Context,
  sql: Pick<Sql, 'query'>,
  members: ReadonlyMap<string, number>,
  changes: readonly RecordChanges[],
): Promise<string[]> {
  const removed = changes.filter(({ section, action }) => section === 'channels' && action === 'delete')
  if (removed.length === 0) return []
  const ids = removed.map(({ recordId }) => recordId!)
  const [workflows, policies] = [
    await countNaming(ctx, sql, ids, { table: 'workflow', column: 'rules', path: '$[*].event.params.channels[*]' }),
    await countNaming(ctx, sql, ids, { table: 'sla_policy', column: 'targets', path: '$[*].acts[*].channels[*]' }),
  ]
  return removed.flatMap(({ name, recordId }) => {
    const facts = [
      counted(members.get(recordId!), 'member loses it', 'members lose it'),
      counted(
        workflows.get(recordId!),
        'workflow outside the document names it',
        'workflows outside the document name it',
      ),
      counted(
        policies.get(recordId!),
        'SLA policy outside the document names it',
        'SLA policies outside the document name it',
      ),
    ].filter((fact) => fact !== null)
    return facts.length === 0 ? [] : [`the channel ${quoteValue(name)} is deleted: ${facts.join('; ')}`]
  })
}

const counted = (count: number | undefined, one: string, many: string): string | null =>
  count === undefined ? null : `${count} ${count === 1 ? one : many}`

/** Counts the records that name channels, by channel. */
async function countNaming(
  ctx: Context,
  sql: Pick<Sql, 'query'>,
  channels: readonly string[],
  { table, column, path }: { table: string; column: string; path: string },
): Promise<ReadonlyMap<string, number>> {
  const values: unknown[] = [channels]
  // Each record is read once, however many channels go.
  const rows = await sql.query<{ channel: string; count: number }>(
    `select n.channel #>> '{}' as channel, count(distinct t.id)::int as count
     from ${table} t cross join jsonb_path_query(t.${column}, '${path}') n(channel)
     where n.channel #>> '{}' = any($1::text[]) and ${tenantSql(ctx.tenant, 't', values)} group by 1`,
    values,
  )
  return new Map(rows.map(({ channel, count }) => [channel, count]))
}
