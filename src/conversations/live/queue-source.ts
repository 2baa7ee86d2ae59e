import type { Logger } from 'pino'
import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import { isId } from '../../db/clock.js'
import type { Sql } from '../../db/database.js'
import { tenantSql } from '../../db/tenancy.js'
import { BadUserInput, Forbidden, NotFound, shown } from '../../errors.js'
import { channelStream, type StoredEvent } from '../../events/event.js'
import type { LiveEvent, LiveFeed, LiveSource } from '../../events/live-feed.js'
import { camelRow } from '../../lists/rows.js'
import type { Presence } from '../../presence/presence.js'
import { queueChannels, queueEntry } from '../change-events.js'
import type { ConversationState } from '../conversation-state.js'
import { bringOnline } from '../bring-online.js'
import type { ConversationWriter } from '../conversation-writer.js'

const CHANNELS_MAX = 200

export interface QueueSourceOptions {
  presence: Presence
  writer: ConversationWriter
  log: Logger
}

interface WatchedChannel {
  id: string
  isMember: boolean
}

/**
 * `queue`: the queues of the channels named, or of all that the caller is a member of. A member makes the channel
 * online; an administrator of its organization who is no member watches without.
 */
export class QueueSource implements LiveSource {
  readonly field = 'queue'

  constructor(private readonly options: QueueSourceOptions) {}

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('queue.watch')
    const { user } = ctx.userCaller
    const named = (args.channels ?? undefined) as string[] | undefined
    const channels = named ? await readNamed(ctx, named) : await readOwn(ctx)
    const online = channels.filter(({ isMember }) => isMember).map(({ id }) => id)
    const { presence, writer, log } = this.options
    const ids = channels.map(({ id }) => id)
    return {
      streams: ids.map(channelStream),
      audience: `agent:${ctx.caller.organization}`,
      snapshot: (sql) => readQueue(sql, ids),
      toEvent,
      payloadContext: (of) => of.renewed(),
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
      isStillAllowed: async (now) => (named ? isAllowedStill(now, channels) : isAllowed(now.caller, 'queue.watch')),
      ...(!named && { currentStreams: async (now) => (await readOwn(now)).map(({ id }) => channelStream(id)) }),
    }
  }
}

/** @throws NotFound, Forbidden naming the channel. */
async function readNamed(ctx: Context, ids: readonly string[]): Promise<WatchedChannel[]> {
  if (ids.length === 0 || ids.length > CHANNELS_MAX) {
    throw new BadUserInput('channels', `channels has ${ids.length} ids, not 1 to ${CHANNELS_MAX}`)
  }
  const found = new Map((await readChannels(ctx, ids.filter(isId))).map((channel) => [channel.id, channel]))
  const watched = new Map<string, WatchedChannel>()
  for (const id of ids) {
    const channel = found.get(id.toLowerCase())
    if (!channel) throw new NotFound(`channels: Channel ${shown(id)} not found`)
    if (!channel.isMember && !isAllowed(ctx.caller, 'channel.update')) {
      throw new Forbidden(`channels: only members of channel ${id} and administrators may watch its queue`)
    }
    watched.set(channel.id, channel)
  }
  return [...watched.values()]
}

async function readOwn(ctx: Context): Promise<WatchedChannel[]> {
  return (await readChannels(ctx, null)).filter(({ isMember }) => isMember).slice(0, CHANNELS_MAX)
}

/** Channels among the caller's tenants; only the caller's own when `ids` is null. */
async function readChannels(ctx: Context, ids: readonly string[] | null): Promise<WatchedChannel[]> {
  const values: unknown[] = [ctx.userCaller.user, ids]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await ctx.database.query<{ id: string; is_member: boolean }>(
    `select t.id, m.user_id is not null as is_member
     from channel t left join channel_member m on m.channel_id = t.id and m.user_id = $1
     where ${ids ? 't.id = any($2::uuid[])' : 'm.user_id is not null and $2::uuid[] is null'} and ${tenant} order by t.id`,
    values,
  )
  return rows.map((row) => ({ id: row.id, isMember: row.is_member }))
}

async function isAllowedStill(ctx: Context, channels: readonly WatchedChannel[]): Promise<boolean> {
  if (!isAllowed(ctx.caller, 'queue.watch')) return false
  const isAdmin = isAllowed(ctx.caller, 'channel.update')
  const found = await readChannels(ctx, channels.map(({ id }) => id))
  const now = new Map(found.map(({ id, isMember }) => [id, isMember]))
  return channels.every(({ id, isMember }) => {
    const stillMember = now.get(id)
    return stillMember === true || (stillMember === false && isAdmin && !isMember)
  })
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
