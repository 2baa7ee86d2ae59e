import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { memberIds } from './channel-members.js'
import { changeAccess, emitChannel, type ChannelWriteOptions } from './channel-writes.js'
import { Channel } from './channel.js'
import { isWaitingSql } from './is-waiting-sql.js'

/**
 * Deletes a channel and its memberships. Refused while conversations are queued in it, since nobody would be notified
 * of them any more. Workflows that name it ignore it from now on. The row lock orders the deletion and concurrent
 * queueings: either the deletion sees the queued conversation, or the queueing no longer finds the channel.
 * @throws NotFound; Unprocessable with the number of queued conversations, and the oldest
 */
export async function deleteChannel(ctx: Context, options: ChannelWriteOptions, id: string): Promise<boolean> {
  await changeAccess(ctx, options, async (tx) => {
    const channel = await fetchRecord(ctx, Channel, id, { em: tx.em, lock: true })
    const [queued] = await tx.query<{ count: number; oldest: string | null }>(
      `select count(*) as count, (array_agg(c.id order by c.queued_at, c.id))[1] as oldest
       from conversation c
       where ${isWaitingSql('c')} and (c.channels @> array[$1::uuid] or c.channels_offline @> array[$1::uuid])`,
      [channel.id],
    )
    if (queued?.oldest) {
      throw new Unprocessable(
        `channel ${channel.id} has ${queued.count} queued conversations: have them accepted or notify other channels`,
        { reason: 'IN_USE', conversations: queued.count, conversation: queued.oldest },
      )
    }
    const users = await memberIds(tx, channel.id)
    await tx.query('delete from channel where id = $1', [channel.id])
    emitChannel(tx, channel, 'deleted')
    return { channel, users }
  })
  return true
}
