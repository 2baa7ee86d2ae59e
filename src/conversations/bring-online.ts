import type { Context } from '../context.js'
import type { ConversationWriter } from './conversation-writer.js'

/**
 * Moves queued conversations from `channelsOffline` to `channels` for channels that have a subscriber now (2.8). The
 * queue shows them either way; each conversation decides under its own lock.
 */
export async function bringOnline(writer: ConversationWriter, system: Context, channels: readonly string[]): Promise<void> {
  const waiting = await system.database.query<{ id: string }>(
    `select id from conversation where status = 'queued' and channels_offline && $1::uuid[]`,
    [channels],
  )
  const online = new Set(channels)
  await Promise.all(
    waiting.map(({ id }) =>
      writer.run(system, id, ({ conversation }) => {
        if (conversation.status !== 'queued') return
        const moved = conversation.channelsOffline.filter((channel) => online.has(channel))
        if (moved.length === 0) return
        conversation.channels = [...conversation.channels, ...moved]
        conversation.channelsOffline = conversation.channelsOffline.filter((channel) => !online.has(channel))
      }),
    ),
  )
}
