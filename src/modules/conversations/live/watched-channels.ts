import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { batching } from '../../../platform/db/batching.js'
import { isId } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { isWithin, type TenantColumns } from '../../../platform/db/tenancy.js'
import { BadUserInput, Forbidden, NotFound, quoteValue } from '../../../platform/errors.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'

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

  /**
   * Returns the channels to watch: the named ones, or all that the caller is a member of.
   * @param isReopened true for a subscription that continues, with those of the named that are left
   * @throws NotFound, Forbidden naming the channel; BadUserInput
   */
  of(ctx: Context, named: readonly string[] | null | undefined, isReopened = false): Promise<WatchedChannel[]> {
    return named ? this.#named(ctx, named, isReopened) : this.#own(ctx)
  }

  async #named(ctx: Context, ids: readonly string[], isReopened: boolean): Promise<WatchedChannel[]> {
    if (ids.length === 0 || ids.length > CHANNELS_MAX) {
      throw new BadUserInput('channels', `channels has ${ids.length} ids, not 1 to ${CHANNELS_MAX}`)
    }
    const found = new Map((await this.#among(ctx, ids)).map((channel) => [channel.id, channel]))
    if (isReopened) requireSome(ids, found.size)
    const watched = new Map<string, WatchedChannel>()
    for (const id of ids) {
      const channel = found.get(id.toLowerCase())
      if (!channel) {
        if (isReopened) continue
        throw recordNotFound('Channel', id, 'channels')
      }
      if (!channel.isMember && !isAllowed(ctx.caller, 'channel.update')) {
        throw new Forbidden(`channels: only members of channel ${id} and administrators may watch its queue`)
      }
      watched.set(channel.id, channel)
    }
    return [...watched.values()]
  }

  async #own(ctx: Context): Promise<WatchedChannel[]> {
    const channels = await this.#read({ ctx, ids: null })
    if (channels.length > CHANNELS_MAX) {
      throw new BadUserInput(
        'channels',
        `the user is a member of ${channels.length} channels: name up to ${CHANNELS_MAX} of them in channels`,
      )
    }
    return channels
  }

  /** Tells whether the caller may still watch those of the channels that are left. @throws NotFound if none is */
  async areAllowedStill(ctx: Context, channels: readonly WatchedChannel[]): Promise<boolean> {
    if (!isAllowed(ctx.caller, 'queue.watch')) return false
    const isAdmin = isAllowed(ctx.caller, 'channel.update')
    const ids = channels.map(({ id }) => id)
    const left = await this.#among(ctx, ids)
    requireSome(ids, left.length)
    const wasMember = new Map(channels.map(({ id, isMember }) => [id, isMember]))
    return left.every(({ id, isMember }) => isMember || (isAdmin && !wasMember.get(id)))
  }

  #among(ctx: Context, ids: readonly string[]): Promise<WatchedChannel[]> {
    return this.#read({ ctx, ids: ids.filter(isId).map((id) => id.toLowerCase()) })
  }
}

/** @throws NotFound for a subscription whose channels were all deleted */
function requireSome(ids: readonly string[], left: number): void {
  if (left === 0) throw new NotFound(`channels: Channel ${quoteValue(ids[0])} was deleted, and no other one is watched`)
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
