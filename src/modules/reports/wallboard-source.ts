import { createHash } from 'node:crypto'
import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { BadUserInput, Forbidden } from '../../platform/errors.js'
import type { LiveFeed, LiveSource } from '../../platform/events/live-feed.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { rowsById } from '../../platform/lists/rows.js'
import { supervisedChannels } from './report-scope.js'
import { wallboardSnapshot } from './wallboard-snapshot.js'
import type { WallboardState } from './wallboard-state.js'
import { WALLBOARD_TICK, wallboardStream, type WallboardTicker } from './wallboard-ticker.js'

const CHANNELS_MAX = 1_000

/** Source of `wallboard`: what waits in channels, and who is there, every second. */
export class WallboardSource implements LiveSource {
  readonly field = 'wallboard'

  constructor(private readonly ticker: WallboardTicker) {}

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    const named = (args.channels ?? undefined) as string[] | undefined
    const channels = named ? await namedChannels(ctx, named) : await visibleChannels(ctx)
    const watched = new Set(channels)
    const tenant = ctx.caller.path[0]
    const ends = new Map<string, () => void>()
    return {
      streams: [wallboardStream(tenant)],
      audience: `wallboard:${createHash('sha256').update(channels.toSorted().join()).digest('base64url')}`,
      snapshot: async (sql) => wallboardSnapshot(await this.ticker.read(sql, tenant), watched),
      toEvent: () => null,
      toEphemeral({ type, data }) {
        if (type !== WALLBOARD_TICK) return null
        const state: object = data
        return wallboardSnapshot(state as WallboardState, watched)
      },
      begin: async (subscription) => void ends.set(subscription, this.ticker.watch(tenant)),
      async end(subscription) {
        ends.get(subscription)?.()
        ends.delete(subscription)
      },
      isStillAllowed: async (now) => {
        if (!isAllowed(now.caller, 'wallboard.watch')) return false
        const visible = new Set(await visibleChannels(now).catch(whenForbidden))
        const lost = channels.filter((channel) => !visible.has(channel))
        // A channel that was deleted shows nothing any more.
        return lost.length === 0 || (await existing(now, lost)).length === 0
      },
    }
  }
}

/** @throws Forbidden */
async function visibleChannels(ctx: Context): Promise<string[]> {
  const supervised = await supervisedChannels(ctx, 'wallboard.watch')
  if (supervised) return supervised
  const values: unknown[] = []
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await ctx.reads.query<{ id: string }>(`select t.id from channel t where ${tenant} order by t.id`, values)
  return rows.map(({ id }) => id)
}

/** @throws BadUserInput; NotFound, Forbidden naming the channel */
async function namedChannels(ctx: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0 || ids.length > CHANNELS_MAX) {
    throw new BadUserInput('channels', `channels has ${ids.length} ids, not 1 to ${CHANNELS_MAX}`)
  }
  const visible = new Set(await visibleChannels(ctx))
  const found = new Set(await existing(ctx, ids))
  for (const id of ids) {
    if (!found.has(id.toLowerCase())) throw recordNotFound('Channel', id, 'channels')
    if (!visible.has(id.toLowerCase())) {
      throw new Forbidden(`channels: only supervisors of channel ${id} and administrators may watch its wallboard`)
    }
  }
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

async function existing(ctx: Context, ids: readonly string[]): Promise<string[]> {
  return [...(await rowsById<{ id: string }>(ctx, 'channel', ids, 't.id')).keys()]
}

function whenForbidden(error: unknown): string[] {
  if (error instanceof Forbidden) return []
  throw error
}
