import type { Sql } from '../../platform/db/database.js'
import { networkOf } from '../../platform/limits/network-of.js'

const DAYS = 90
const NETWORKS_MAX = 20

/** SQL: whether user `u` recently signed in from the network given by this parameter. */
export const knowsNetworkSql = (network: string, now: string): string =>
  `exists (select 1 from user_network n where n.user_id = u.id and n.network = ${hashSql('u.id', network)}
     and n.seen_at > ${now}::timestamptz - interval '${DAYS} days')`

/** Records that a user signed in from an address, as a hash: the newest 20 networks, for 90 days. */
export async function rememberNetwork(
  sql: Sql,
  { user, address, now }: { user: string; address: string | null; now: Date },
): Promise<void> {
  if (address === null) return
  await sql.query(
    `insert into user_network (user_id, network, seen_at) values ($1, ${hashSql('$1', '$2')}, $3)
     on conflict (user_id, network) do update set seen_at = $3`,
    [user, networkOf(address), now],
  )
  await sql.query(
    `delete from user_network where user_id = $1 and (seen_at < $2::timestamptz - interval '${DAYS} days' or network not in (
       select network from user_network where user_id = $1 order by seen_at desc limit ${NETWORKS_MAX}))`,
    [user, now],
  )
}

function hashSql(user: string, network: string): string {
  return `encode(sha256(convert_to(${user}::uuid::text || ' ' || ${network}::text, 'UTF8')), 'hex')`
}
