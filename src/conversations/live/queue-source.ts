import type { Logger } from 'pino'
import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import type { Sql } from '../../db/database.js'
import { channelStream, type StoredEvent } from '../../events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../events/live-feed.js'
import { camelRow } from '../../lists/rows.js'
import type { Presence } from '../../presence/presence.js'
import { queueChannels, queueEntry } from '../change-events.js'
import type { ConversationState } from '../conversation-state.js'
import { bringOnline } from '../bring-online.js'
import type { ConversationWriter } from '../conversation-writer.js'
import { WatchedChannels } from './watched-channels.js'

export interface QueueSourceOptions {
  presence: Presence
  writer: ConversationWriter
  log: Logger
}

/**
 * `queue`: the queues of the channels named, or of all that the caller is a member of. A member makes the channel
 * online; an administrator of its organization who is no member watches without.
 */
export class QueueSource implements LiveSource {
  readonly field = 'queue'
  readonly #watched = new WatchedChannels()

  constructor(private readonly options: QueueSourceOptions) {}

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('queue.watch')
    const { user } = ctx.userCaller
    const named = (args.channels ?? undefined) as string[] | undefined
    const channels = named ? await this.#watched.named(ctx, named) : await this.#watched.own(ctx)
    const online = channels.filter(({ isMember }) => isMember).map(({ id }) => id)
    const { presence, writer, log } = this.options
    const ids = channels.map(({ id }) => id)
    return {
      streams: ids.map(channelStream),
      audience: `agent:${ctx.caller.organization}`,
      snapshot: (sql) => readQueue(sql, ids),
      toEvent,
      async begin(subscription) {
        if (online.length === 0) return
        await presence.enterQueues(subscription, online, user)
        void bringOnline(writer, ctx.system(), online).catch((error: unknown) =>
          log.warn({ err: error }, 'could not move waiting conversations to their channels'),
        )
      },
      async end(subscription) {
        if (online.length > 0) await presence.leaveQueues(subscription)
      },
      isStillAllowed: async (now) =>
        named ? this.#watched.areAllowedStill(now, channels) : isAllowed(now.caller, 'queue.watch'),
      ...(!named && { currentStreams: async (now) => (await this.#watched.own(now)).map(({ id }) => channelStream(id)) }),
    }
  }
}

async function readQueue(sql: Sql, channels: readonly string[]): Promise<LiveEvent> {
  const rows = await sql.query<Record<string, unknown>>(
    `select c.*, ct.profile ->> 'name' as contact_name from conversation c left join contact ct on ct.id = c.contact_id
     where c.status = 'queued' and (c.channels && $1::uuid[] or c.channels_offline && $1::uuid[])
     order by c.queued_at, c.id`,
    [channels],
  )
  const wanted = new Set(channels)
  const entries = rows.flatMap((row) => {
    const { contactName, ...conversation } = camelRow<ConversationState & { contactName: string | null }>(row)
    const entry = queueEntry({ conversation, contactName })
    return queueChannels(conversation)
      .filter((channel) => wanted.has(channel))
      .map((channel) => ({ ...entry, channel }))
  })
  return { __typename: 'QueueSnapshot', entries }
}

function toEvent({ type, data }: StoredEvent): LiveEvent | null {
  switch (type) {
    case 'queue.added':
      return { __typename: 'QueueEntryAdded', entry: data.entry }
    case 'queue.changed':
      return { __typename: 'QueueEntryChanged', entry: data.entry }
    case 'queue.removed':
      return { __typename: 'QueueEntryRemoved', ...data }
    default:
      return null
  }
}
