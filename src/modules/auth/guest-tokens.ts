import { recordNotFound } from '../../platform/lists/fetch-record.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { Unprocessable } from '../../platform/errors.js'
import { openFamily } from './token-families.js'
import type { TokenResponse } from './token-response.js'
import type { TokenSigner } from './tokens.js'

/**
 * Creates tokens for the consumer of a conversation, for the web widget: guest scope, bound to the contact and the
 * conversation.
 * @throws NotFound, Unprocessable for a conversation without a contact
 */
export async function createGuestToken(
  ctx: Context,
  signer: TokenSigner,
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
  const { apiToken } = ctx.caller
  const holder = { kind: 'guest', contact, conversation: id, organization, ...(apiToken && { apiToken }) } as const
  return ctx.database.sqlTransaction((sql) => openFamily(sql, { signer, clock: ctx.clock }, holder))
}

interface ConversationRow {
  id: string
  organization_id: string
  contact_id: string | null
}

async function findContact(ctx: Context, conversation: string): Promise<ConversationRow | undefined> {
  const values: unknown[] = [conversation]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await ctx.reads.query<ConversationRow>(
    `select t.id, t.organization_id, t.contact_id from conversation t where t.id = $1 and ${tenant}`,
    values,
  )
  return rows[0]
}
