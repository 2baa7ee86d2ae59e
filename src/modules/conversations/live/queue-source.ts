import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import type { Sql } from '../../../platform/db/database.js'
import { channelOfStream, channelStream } from '../../../platform/events/event.js'
import { liveView, type LiveEvent, type LiveFeed, type LiveSource } from '../../../platform/events/live-feed.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { Presence } from '../../../platform/presence/presence.js'
import { queueEntry, SHOWN_COLUMNS, type ShownConversation } from '../state/change-events.js'
import type { QueueEntryData, QueueEvents } from '../state/conversation-event-types.js'
import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import type { ChannelsBack } from '../routing/channels-back.js'
import { queueRow } from './entry-ids.js'
import { readPageSize } from './page-size.js'
import { WatchedChannels, type WatchedChannel } from './watched-channels.js'

export interface QueueSourceOptions {
  presence: Presence
  back: ChannelsBack
  /** Called after an agent subscribed, who may be offered what waits there. */
  onSubscribed: (ctx: Context) => void
}

/**
 * Source of `queue`: the queues of the named channels, or of all channels that the caller is a member of. A member's
 * subscription makes a channel online; an administrator of its organization who is not a member can watch without that
 * effect.
 */
export class QueueSource implements LiveSource {
  readonly field = 'queue'
  readonly #watched = new WatchedChannels()

  constructor(private readonly options: QueueSourceOptions) {}

  async open(ctx: Context, args: Readonly<Record<string, unknown>>, isReopened = false): Promise<LiveFeed> {
    ctx.require('queue.watch')
    const { user } = ctx.userCaller
    const size = readPageSize(args)
    const named = (args.channels ?? undefined) as string[] | undefined
    const channels = await this.#watched.of(ctx, named, isReopened)
    const current = (now: Context): Promise<WatchedChannel[]> => this.#watched.of(now, named, true)
    const online = membershipsOf(channels)
    const { presence, back, onSubscribed } = this.options
    const ids = channels.map(({ id }) => id)
    return {
      streams: ids.map(channelStream),
      audience: `agent:${ctx.caller.organization}`,
      ...(size !== null && { pages: { size, __typename: 'QueueSnapshotPage' } }),
      snapshot: (sql) => readQueue(sql, ids),
      toEvent,
      async begin(subscription) {
        if (online.length === 0) return
        await presence.enterQueues(subscription, online, user)
        back.note(online)
        onSubscribed(ctx)
      },
      async end(subscription, isLost) {
        if (online.length > 0) await presence.leaveQueues(subscription, isLost)
      },
      isStillAllowed: async (now) =>
        named ? this.#watched.areAllowedStill(now, channels) : isAllowed(now.caller, 'queue.watch'),
      currentStreams: async (now) => (await current(now)).map(({ id }) => channelStream(id)),
      // An administrator may become a member of what is on screen.
      ...(named && { part: online.join(), currentPart: async (now) => membershipsOf(await current(now)).join() }),
    }
  }
}

const membershipsOf = (channels: readonly WatchedChannel[]): string[] =>
  channels.filter(({ isMember }) => isMember).map(({ id }) => id)

type QueuedRow = ShownConversation & { contactName: string | null; shownIn: string[] }

/**
 * Reads only the columns that entries show: a conversation may have thousands of channels, and many kilobytes of
 * metadata.
 */
async function readQueue(sql: Sql, channels: readonly string[]): Promise<LiveEvent> {
  const rows = await sql.query<Record<string, unknown>>(
    `select ${SHOWN_COLUMNS}, ct.profile ->> 'name' as contact_name,
       array(select distinct x from unnest(c.channels || c.channels_offline) x where x = any($1::uuid[])) as shown_in
     from conversation c left join contact ct on ct.id = c.contact_id
     where ${isWaitingSql('c')} and (c.channels && $1::uuid[] or c.channels_offline && $1::uuid[])
     order by c.queued_at, c.id`,
    [channels],
  )
  const entries = rows.flatMap((row) => {
    const { contactName, shownIn, ...conversation } = camelRow<QueuedRow>(row)
    const entry = queueEntry({ conversation, contactName })
    return shownIn.map((channel) => queueRow({ ...entry, channel }))
  })
  return { __typename: 'QueueSnapshot', entries }
}

const toEvent = liveView<QueueEvents>({
  'queue.added': ({ entry }, stream) => ({ __typename: 'QueueEntryAdded', entry: entryIn(stream, entry) }),
  'queue.changed': ({ entry }, stream) => ({ __typename: 'QueueEntryChanged', entry: entryIn(stream, entry) }),
  'queue.removed': (removed) => ({ __typename: 'QueueEntryRemoved', ...removed }),
  // For subscribers of `agentStates`.
  'agent.changed': null,
  'agent.removed': null,
})

/** Adds the channel to an entry: for channels with equal events, the log keeps one entry without its channel. */
function entryIn(stream: string, entry: QueueEntryData & { channel?: string }): QueueEntryData & { channel: string } {
  return queueRow({ ...entry, channel: entry.channel ?? channelOfStream(stream) })
}
