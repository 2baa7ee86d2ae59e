import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import { parseText } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { decided, requirePending, settle } from './decide-change.js'
import { refuseSameUser } from './four-eyes-guard.js'
import { PendingChange, type PendingChangeStatus } from './pending-change.js'

const COMMENT_CHARS_MAX = 500

/** Refuses a change of another administrator. Repeating it changes nothing. @throws NotFound, BadUserInput, Unprocessable */
export async function refuseChange(
  ctx: Context,
  transact: Transact,
  { id, comment }: { id: string; comment: string | null },
): Promise<PendingChange> {
  const why = comment === null ? null : parseText(comment, 'comment', { max: COMMENT_CHARS_MAX }).trim() || null
  const change = await fetchRecord(ctx, PendingChange, id)
  refuseSameUser(change, ctx.userCaller.user)
  return decide(ctx, transact, change, { status: 'refused', comment: why })
}

/** Takes back a change that the caller has proposed. Repeating it changes nothing. @throws NotFound, Unprocessable */
export async function withdrawChange(ctx: Context, transact: Transact, id: string): Promise<PendingChange> {
  const change = await fetchRecord(ctx, PendingChange, id)
  if (change.proposedById !== ctx.userCaller.user) {
    const message = `user ${change.proposedById} has proposed this change: refuse it`
    throw new Unprocessable(message)
  }
  return decide(ctx, transact, change, { status: 'withdrawn', comment: null })
}

async function decide(
  ctx: Context,
  transact: Transact,
  change: PendingChange,
  { status, comment }: { status: PendingChangeStatus & ('refused' | 'withdrawn'); comment: string | null },
): Promise<PendingChange> {
  const by = ctx.userCaller.user
  if (change.status === status && change.decidedById === by) return change
  requirePending(change, ctx.now())
  await transact(ctx, async (tx) => {
    const tell = await settle(ctx, tx, change, { status, by, comment })
    if (!tell) throw decided(change.id, null)
    tell()
    return { id: change.id }
  })
  await ctx.em.refresh(change)
  return change
}
