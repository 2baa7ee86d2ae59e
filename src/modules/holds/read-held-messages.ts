import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { BadUserInput } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import type { ConnectionArgs, Page } from '../../platform/lists/connection.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { heldMessageList, type HeldMessage } from './held-message.js'
import { Hold } from './hold.js'

interface Reading {
  args: ConnectionArgs
  filter?: object | null
  hold: string | null
  conversation: string | null
}

/**
 * Reads what is kept of edited and deleted messages, and has the audit log say so before anybody sees it.
 * @throws BadUserInput without a hold and a conversation; NotFound
 */
export async function readHeldMessages(
  ctx: Context,
  transact: Transact,
  { args, filter, hold, conversation }: Reading,
): Promise<Page<HeldMessage>> {
  if (hold === null && conversation === null)
    throw new BadUserInput('hold', 'heldMessages needs a hold or a conversation', 'MISSING_VALUE')
  if (hold !== null) await fetchRecord(ctx, Hold, hold, { field: 'hold' })
  if (conversation !== null) await requireConversation(ctx, conversation)
  const page = await listPage<HeldMessage>(ctx, heldMessageList, {
    args,
    filter,
    restrict: (values) =>
      [
        ...(hold === null ? [] : [`t.holds @> array[$${values.push(hold)}::uuid]`]),
        ...(conversation === null ? [] : [`t.conversation_id = $${values.push(conversation)}::uuid`]),
      ].join(' and '),
  })
  const object = conversation === null ? { type: 'hold', id: hold! } : { type: 'conversation', id: conversation }
  await transact(ctx, async (tx) =>
    tx.addAudit({ action: 'heldMessages', object: { ...object, id: object.id.toLowerCase() } }),
  )
  return page
}

async function requireConversation(ctx: Context, id: string): Promise<void> {
  const values: unknown[] = [id]
  const found =
    isId(id) &&
    (await ctx.reads.query(
      `select 1 from conversation t where t.id = $1 and ${tenantSql(ctx.tenant, 't', values)}`,
      values,
      'held-conversation',
    ))
  if (!found || found.length === 0) throw recordNotFound('Conversation', id, 'conversation')
}
