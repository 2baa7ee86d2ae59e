import type { Sql } from '../../platform/db/sql.js'
import { pathOf, type TenantColumns } from '../../platform/db/tenancy.js'
import { endGuestsOfBot } from '../users/api-token-uses.js'
import { hidesContactsSql } from '../users/hides-contacts.js'
import type { User } from '../users/user.js'
import { refusalAlways } from './read-grants.js'

/**
 * Ends the sign-ins of guests that a bot has opened and may not open any more: whoever has a guest's token reads the contact, and
 * speaks as it for long. Must be called of a governed bot, where its governance is held.
 * @returns the contacts whose cached callers must be dropped
 */
export async function endRefusedGuests(sql: Sql, bot: Pick<User, 'id'>, now: Date): Promise<string[]> {
  const [row] = await sql.query<{ hides: boolean }>(
    `select ${hidesContactsSql('u')} as hides from app_user u where u.id = $1`,
    [bot.id],
  )
  if (row!.hides) return endGuestsOfBot(sql, bot, now)
  const ended: string[] = []
  for (const organization of await sql.query<TenantColumns & { id: string }>(ORGANIZATIONS, [bot.id, now])) {
    const refusal = await refusalAlways(sql, { bot: bot.id, path: pathOf(organization), action: 'other' })
    if (refusal) ended.push(...(await endGuestsOfBot(sql, bot, now, { of: organization.id })))
  }
  return ended
}

/** Organizations of the contacts of guests whose sign-ins the bot has opened. */
const ORGANIZATIONS = `
select distinct c.organization_id as id, c.org1, c.org2, c.org3 from token_family f join contact c on c.id = f.contact_id
where f.bot_id = $1 and f.revoked_at is null and f.expires_at > $2`
