import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import { batching } from '../../db/batching.js'
import { isId } from '../../db/clock.js'
import type { Sql } from '../../db/database.js'
import { isWithin, type TenantColumns } from '../../db/tenancy.js'
import { BadUserInput, Forbidden, NotFound, quoteValue } from '../../errors.js'

/** Each channel adds some bytes to a cursor, and each event carries a cursor. */
const CHANNELS_MAX = 1_000

export interface WatchedChannel {
  id: string
  isMember: boolean
}

interface Asked {
  ctx: Context
  /** Null for all channels that the caller is a member of. */
  ids: readonly string[] | null
}

type ChannelRow = Pick<TenantColumns, 'org1' | 'org2' | 'org3'> & { id: string }

/** Finds the channels whose queues a caller may watch. Concurrent requests share statements. */
export class WatchedChannels {
  readonly #read = batching<Asked, WatchedChannel[]>((asked) => readAll(asked[0]!.ctx.database, asked))

  /** Returns the named channels. @throws NotFound, Forbidden naming the channel */
  async named(ctx: Context, ids: readonly string[]): Promise<WatchedChannel[]> {
    if (ids.length === 0 || ids.length > CHANNELS_MAX) {
      throw new BadUserInput('channels', `channels has ${ids.length} ids, not 1 to ${CHANNELS_MAX}`)
    }
    const found = new Map((await this.#among(ctx, ids)).map((channel) => [channel.id, channel]))
    const watched = new Map<string, WatchedChannel>()
    for (const id of ids) {
      const channel = found.get(id.toLowerCase())
      if (!channel) throw new NotFound(`channels: Channel ${quoteValue(id)} not found`)
      if (!channel.isMember && !isAllowed(ctx.caller, 'channel.update')) {
        throw new Forbidden(`channels: only members of channel ${id} and administrators may watch its queue`)
      }
      watched.set(channel.id, channel)
    }
    return [...watched.values()]
  }

  /** Returns all channels that the caller is a member of. @throws BadUserInput if there are too many */
  async own(ctx: Context): Promise<WatchedChannel[]> {
    const channels = await this.#read({ ctx, ids: null })
    if (channels.length > CHANNELS_MAX) {
      throw new BadUserInput(
        'channels',
        `the user is a member of ${channels.length} channels: name up to ${CHANNELS_MAX} of them in channels`,
      )
    }
    return channels
  }

  /** Whether the caller may still watch the channels. */
  async areAllowedStill(ctx: Context, channels: readonly WatchedChannel[]): Promise<boolean> {
    if (!isAllowed(ctx.caller, 'queue.watch')) return false
    const isAdmin = isAllowed(ctx.caller, 'channel.update')
    const found = await this.#among(
      ctx,
      channels.map(({ id }) => id),
    )
    const now = new Map(found.map(({ id, isMember }) => [id, isMember]))
    return channels.every(({ id, isMember }) => {
      const stillMember = now.get(id)
      return stillMember === true || (stillMember === false && isAdmin && !isMember)
    })
  }

  #among(ctx: Context, ids: readonly string[]): Promise<WatchedChannel[]> {
    return this.#read({ ctx, ids: ids.filter(isId).map((id) => id.toLowerCase()) })
  }
}

async function readAll(sql: Sql, asked: readonly Asked[]): Promise<WatchedChannel[][]> {
  const users = [...new Set(asked.map(({ ctx }) => ctx.userCaller.user))]
  const named = [...new Set(asked.flatMap(({ ids }) => ids ?? []))]
  const [memberships, channels] = await Promise.all([
    sql.query<ChannelRow & { userId: string }>(MEMBERSHIPS, [users]),
    named.length > 0 ? sql.query<ChannelRow>(CHANNELS, [named]) : [],
  ])
  const byUser = Map.groupBy(memberships, ({ userId }) => userId)
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  return asked.map(({ ctx, ids }) => {
    const own = (byUser.get(ctx.userCaller.user) ?? []).filter((channel) => isWithin(ctx.tenant, channel))
    if (!ids) return own.map(({ id }) => ({ id, isMember: true }))
    const ownIds = new Set(own.map(({ id }) => id))
    const found = ids.map((id) => byId.get(id)).filter((channel) => channel !== undefined)
    return found.filter((channel) => isWithin(ctx.tenant, channel)).map(({ id }) => ({ id, isMember: ownIds.has(id) }))
  })
}

const MEMBERSHIPS = `
select m.user_id as "userId", t.id, t.org1, t.org2, t.org3 from channel_member m join channel t on t.id = m.channel_id
where m.user_id = any($1::uuid[]) order by t.id`

const CHANNELS = 'select id, org1, org2, org3 from channel where id = any($1::uuid[])'
