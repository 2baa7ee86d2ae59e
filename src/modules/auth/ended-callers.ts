import type { Caller, OperatorCaller } from '../../platform/access/caller.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Sql } from '../../platform/db/database.js'
import { hasApiTokenSql } from '../users/api-token-uses.js'

/** Implements `Authenticator.findEnded` by one statement, whatever the number of callers. */
export async function findEnded(sql: Sql, callers: readonly Caller[], now: Date): Promise<Set<Caller>> {
  const ended = new Set<Caller>()
  const checked: Exclude<Caller, OperatorCaller>[] = []
  for (const caller of callers) {
    // By a token of the configuration, which lasts as long as this process.
    if (caller.kind === 'operator') continue
    if (caller.expiresAt && caller.expiresAt <= now) ended.add(caller)
    else checked.push(caller)
  }
  if (checked.length === 0) return ended
  const rows = await sql.query<{ ord: number }>(ENDED, [JSON.stringify(checked.map(question)), now], 'ended-callers')
  for (const { ord } of rows) ended.add(checked[ord]!)
  return ended
}

function question(caller: Exclude<Caller, OperatorCaller>, ord: number): Record<string, unknown> {
  const { family = null, apiToken = null, organization } = caller
  return caller.kind === 'user'
    ? { ord, family, api_token: apiToken, organization, user_id: caller.user, role: caller.role }
    : { ord, family, organization, contact_id: caller.contact, conversation_id: caller.conversation }
}

const ENDED = `
select x.ord
from jsonb_to_recordset($1::jsonb) as x(ord int, user_id uuid, contact_id uuid, conversation_id uuid, family uuid,
  api_token uuid, organization uuid, role text)
where (x.family is not null and not exists (
    select 1 from token_family f where f.id = x.family and f.revoked_at is null))
  or (x.user_id is not null and not exists (
    select 1 from app_user u where u.id = x.user_id and u.role = x.role
      and (u.status = 'active' or x.api_token is not null and u.status <> 'archived')
      and u.organization_id = x.organization and (x.api_token is null or ${hasApiTokenSql('u', 'x.api_token', '$2')})
      and ${isCenterInUseSql('u')}))
  or (x.contact_id is not null and not exists (
    select 1 from contact c where c.id = x.contact_id and c.organization_id = x.organization and ${isCenterInUseSql('c')}))
  or (x.conversation_id is not null and not exists (
    select 1 from conversation v where v.id = x.conversation_id and v.contact_id = x.contact_id))`
