import { recordNotFound } from '../../platform/lists/fetch-record.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/sql.js'
import { pathOf, tenantSql, type OrganizationPath } from '../../platform/db/tenancy.js'
import { contactsHidden, GUESTS_READ_ALL } from '../../platform/access/permissions.js'
import { Unprocessable } from '../../platform/errors.js'
import { BotMasked } from '../../platform/masking/bot-masked.js'
import { hasApiTokenSql } from '../users/api-token-uses.js'
import { hidesContactsSql } from '../users/hides-contacts.js'
import { openFamily } from './token-families.js'
import type { TokenResponse } from './token-response.js'
import { invalidToken, type TokenSigner } from './tokens.js'

/** Refuses a governed bot that may not speak as the consumers of this organization, whatever it is about. @throws NoGrant */
export type RequireVoice = (sql: Sql, given: { bot: string; path: OrganizationPath }) => Promise<void>

export interface GuestTokenDependencies {
  signer: TokenSigner
  requireVoice: RequireVoice
}

/**
 * Creates tokens for the consumer of a conversation, for the web widget: guest scope, bound to the contact and the
 * conversation. Whoever has them speaks as the consumer.
 * @throws NotFound, Unprocessable for a conversation without a contact; NoGrant; Unauthenticated, BotMasked, Forbidden for a bot that has
 *   changed meanwhile
 */
export async function createGuestToken(
  ctx: Context,
  { signer, requireVoice }: GuestTokenDependencies,
  conversation: string,
): Promise<TokenResponse> {
  const found = isId(conversation) ? await findContact(ctx, conversation) : undefined
  if (!found) throw recordNotFound('Conversation', conversation, 'conversation')
  const { id, organization_id: organization, contact_id: contact } = found
  if (!contact) {
    throw new Unprocessable(`conversation ${id} has no contact, so it cannot have a guest`, {
      reason: 'NO_CONTACT',
      field: 'conversation',
    })
  }
  const { apiToken, user: bot, isBot } = ctx.userCaller
  const by = { ...(isBot && { bot }), ...(apiToken && { apiToken }) }
  const holder = { kind: 'guest', contact, conversation: id, organization, ...by } as const
  return ctx.database.sqlTransaction(async (sql) => {
    if (isBot) {
      await requireVoice(sql, { bot, path: pathOf(found) })
      await requireReader(sql, { bot, apiToken, now: ctx.now() })
    }
    return openFamily(sql, { signer, clock: ctx.clock }, holder)
  })
}

/**
 * Checks the bot as it is by now, and holds it so: this node may not know of a change yet, and a change that comes later ends the
 * token. Its grants do not change either, since whether it has a voice was asked before.
 * @throws Unauthenticated; BotMasked, Forbidden for a bot that must not read all that the token shows
 */
async function requireReader(
  sql: Sql,
  { bot, apiToken, now }: { bot: string; apiToken: string | undefined; now: Date },
): Promise<void> {
  // Two statements, sent together: the second sees what was committed while the first waited.
  const held = sql.query('select 1 from app_user where id = $1 for share', [bot])
  const read = sql.query<{ isMasked: boolean; hides: boolean }>(READER, [bot, apiToken ?? null, now])
  const [[row]] = await Promise.all([read, held])
  if (!row) throw invalidToken()
  if (row.isMasked) throw new BotMasked(GUESTS_READ_ALL)
  if (row.hides) throw contactsHidden()
}

const READER = `
select u.mask is not null as "isMasked", ${hidesContactsSql('u')} as hides from app_user u
where u.id = $1 and u.role = 'bot' and u.status <> 'archived' and ($2::uuid is null or ${hasApiTokenSql('u', '$2::uuid', '$3')})`

interface ConversationRow {
  id: string
  organization_id: string
  org1: string
  org2: string | null
  org3: string | null
  contact_id: string | null
}

async function findContact(ctx: Context, conversation: string): Promise<ConversationRow | undefined> {
  const values: unknown[] = [conversation]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await ctx.reads.query<ConversationRow>(
    `select t.id, t.organization_id, t.org1, t.org2, t.org3, t.contact_id from conversation t where t.id = $1 and ${tenant}`,
    values,
  )
  return rows[0]
}
