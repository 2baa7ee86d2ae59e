import type { Sql } from '../../platform/db/database.js'
import { displayNameOf, type Named } from '../users/user.js'
import type { ReportCell } from './report-query.js'

export interface Names {
  channel: ReadonlyMap<string, string>
  user: ReadonlyMap<string, string | null>
  bot: ReadonlyMap<string, string | null>
  organization: ReadonlyMap<string, string>
  reason: ReadonlyMap<string, string>
}

/** Reads the names of what a report has ids of; deleted ones have none. */
export async function readNames(sql: Sql, tenant: string, cells: readonly ReportCell[]): Promise<Names> {
  const idsOf = (dimension: keyof Names): string[] => [...new Set(cells.flatMap((cell) => cell[dimension] ?? []))]
  const read = async <Row extends { id: string }>(ids: string[], text: string): Promise<Row[]> =>
    ids.length === 0 ? [] : sql.query<Row>(text, [ids, tenant])
  const channels = await read<{ id: string; name: string }>(
    idsOf('channel'),
    'select id, name from channel where id = any($1::uuid[]) and org1 = $2',
  )
  const users = await read<Named & { id: string }>([...new Set([...idsOf('user'), ...idsOf('bot')])], USERS)
  const namesOfUsers = new Map(users.map((user) => [user.id, displayNameOf(user)]))
  const organizations = await read<{ id: string; name: string }>(
    idsOf('organization'),
    'select id, coalesce(display_name, name) as name from organization where id = any($1::uuid[]) and org1 = $2',
  )
  const reasons = await read<{ id: string; name: string }>(
    idsOf('reason'),
    'select id, name from reason_code where id = any($1::uuid[]) and org1 = $2',
  )
  return {
    reason: new Map(reasons.map(({ id, name }) => [id, name])),
    channel: new Map(channels.map(({ id, name }) => [id, name])),
    user: namesOfUsers,
    bot: namesOfUsers,
    organization: new Map(organizations.map(({ id, name }) => [id, name])),
  }
}

const USERS = `
select id, display_name as "displayName", given_name as "givenName", additional_name as "additionalName",
  family_name as "familyName" from app_user where id = any($1::uuid[]) and org1 = $2`
