import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import type { Context } from '../../../platform/context.js'
import { ifThere } from '../../../platform/if-there.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'

/**
 * Moves queued conversations from `channelsOffline` to `channels` for channels that now have a subscriber (2.8). The
 * queue shows them in either case; each conversation is checked under its own lock.
 */
export async function bringOnline(
  writer: ConversationWriter,
  system: Context,
  channels: readonly string[],
): Promise<void> {
  const waiting = await system.reads.query<{ id: string }>(
    `select c.id from conversation c where ${isWaitingSql('c')} and c.channels_offline && $1::uuid[]`,
    [channels],
  )
  const online = new Set(channels)
  // In small batches, since all operations share the writer's queue.
  for (let from = 0; from < waiting.length; from += AT_ONCE) {
    await Promise.all(waiting.slice(from, from + AT_ONCE).map(({ id }) => moveOnline(writer, system, id, online)))
  }
}

const AT_ONCE = 32

async function moveOnline(
  writer: ConversationWriter,
  system: Context,
  id: string,
  online: ReadonlySet<string>,
): Promise<void> {
  const move = ({ conversation }: ConversationChange): void => {
    const moved = conversation.channelsOffline.filter((channel) => online.has(channel))
    if (moved.length === 0) return
    conversation.channels = [...conversation.channels, ...moved]
    conversation.channelsOffline = conversation.channelsOffline.filter((channel) => !online.has(channel))
  }
  await ifThere(writer.run(system, id, move))
}
