import type { Connected } from '../../platform/access/authenticator.js'
import { hidesContacts, maskOf, type Caller, type OperatorCaller } from '../../platform/access/caller.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Sql } from '../../platform/db/database.js'
import { plainAddress } from '../../platform/limits/address-ranges.js'
import { isKeptOutSql } from '../sign-in-policy/sign-in-rules.js'
import { hidesContactsSql } from '../users/hides-contacts.js'
import { hasApiTokenSql } from '../users/api-token-uses.js'
import { isOpenSql } from './token-families.js'

/** Implements `Authenticator.findEnded` by one statement, whatever the number of callers. */
export async function findEnded<Connection extends Connected>(
  sql: Sql,
  connections: readonly Connection[],
  now: Date,
): Promise<Set<Connection>> {
  const ended = new Set<Connection>()
  const checked: Connection[] = []
  const questions: Record<string, unknown>[] = []
  for (const connection of connections) {
    const { caller, address } = connection
    // By a token of the configuration, which lasts as long as this process.
    if (caller.kind === 'operator') continue
    if (caller.expiresAt && caller.expiresAt <= now) ended.add(connection)
    else {
      questions.push(question(caller, address, checked.length))
      checked.push(connection)
    }
  }
  if (checked.length === 0) return ended
  const rows = await sql.query<{ ord: number }>(ENDED, [JSON.stringify(questions), now], 'ended-callers')
  for (const { ord } of rows) ended.add(checked[ord]!)
  return ended
}

function question(caller: Exclude<Caller, OperatorCaller>, from: string | null, ord: number): Record<string, unknown> {
  const { family = null, apiToken = null, organization } = caller
  return caller.kind === 'user'
    ? {
        ord,
        family,
        api_token: apiToken,
        organization,
        user_id: caller.user,
        role: caller.role,
        hides_contacts: hidesContacts(caller),
        mask: maskOf(caller),
        address: plainAddress(from),
      }
    : { ord, family, organization, contact_id: caller.contact, conversation_id: caller.conversation }
}

const ENDED = `
select x.ord
from jsonb_to_recordset($1::jsonb) as x(ord int, user_id uuid, contact_id uuid, conversation_id uuid, family uuid,
  api_token uuid, organization uuid, role text, hides_contacts boolean,
  mask text[], address inet)
where (x.family is not null and not exists (
    select 1 from token_family f where f.id = x.family and ${isOpenSql('f', '$2')}))
  or (x.user_id is not null and not exists (
    select 1 from app_user u where u.id = x.user_id and u.role = x.role and ${hidesContactsSql('u')} = x.hides_contacts and u.mask is not distinct from x.mask
      and (u.status = 'active' or x.api_token is not null and u.status <> 'archived')
      and u.organization_id = x.organization and (x.api_token is null or ${hasApiTokenSql('u', 'x.api_token', '$2')})
      and ${isCenterInUseSql('u')} and not ${isKeptOutSql('u', 'x.address', 'x.api_token is not null')}))
  or (x.contact_id is not null and not exists (
    select 1 from contact c where c.id = x.contact_id and c.organization_id = x.organization and ${isCenterInUseSql('c')}))
  or (x.conversation_id is not null and not exists (
    select 1 from conversation v where v.id = x.conversation_id and v.contact_id = x.contact_id))`
