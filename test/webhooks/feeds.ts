import type { MadeUser } from '../support/factories.js'
import { sampleOf } from '../support/metrics.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

export interface Fed {
  id: string
  event: string
  cursor: string
  // The tests state what they expect of it.
  payload: any // oxlint-disable-line typescript/no-explicit-any
}
export interface FedPage {
  events: Fed[]
  cursor: string
  hasMore: boolean
}
export interface FeedArgs {
  service?: string
  after?: string
  since?: string
  types?: readonly string[]
  limit?: number
  waitSeconds?: number
}

export interface Feeds {
  /** A service of type `feed`. @returns its id */
  begin(admin: MadeUser, more?: object): Promise<string>
  read(as: MadeUser | string, args?: FeedArgs): Promise<FedPage>
  /** Reads on until nothing follows. */
  readAll(as: MadeUser, args?: FeedArgs): Promise<Fed[]>
  /** @returns status, reason and field of a read that is refused */
  refused(as: MadeUser, args?: FeedArgs): Promise<[status: number, reason: string, field: string | undefined]>
  /** Reads that wait on the node. */
  waiting(): Promise<number>
}

/** Readers of feeds, by `/v2`. */
export function createFeeds(app: TestServer): Feeds {
  /** Waits for what was written: it is read once older transactions have ended, also those of other suites on the same server. */
  const settle = async (): Promise<void> => {
    const { database } = app.server
    const [now] = await database.query<{ xid: number }>('select pg_current_xact_id()::text::int8 as xid')
    const oldest = 'select pg_snapshot_xmin(pg_current_snapshot())::text::int8 as xid'
    await until(async () => (await database.query<{ xid: number }>(oldest))[0]!.xid > now!.xid)
  }
  const get = async (as: MadeUser | string, { types, ...args }: FeedArgs) => {
    if (!args.waitSeconds) await settle()
    const given = { ...args, ...(types && { types: types.join(',') }) }
    const query = new URLSearchParams(
      Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
    )
    return app.rest(as, 'GET', `/v2/events?${query}`)
  }
  const feeds: Feeds = {
    async begin(admin, more = {}) {
      const { status, body } = await app.rest(admin, 'POST', '/v2/services', { type: 'feed', ...more })
      if (status !== 201 || body.status !== 'active') throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.id
    },
    async read(as, args = {}) {
      const { status, body } = await get(as, args)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body
    },
    async readAll(as, args = {}) {
      const all: Fed[] = []
      for (let next = args; ;) {
        const { events, cursor, hasMore } = await feeds.read(as, next)
        all.push(...events)
        if (events.length === 0 && !hasMore) return all
        const { since: _, ...rest } = next
        next = { ...rest, after: cursor }
      }
    },
    async refused(as, args = {}) {
      const { status, body } = await get(as, args)
      return [status, body.reason, body.field]
    },
    waiting: () => sampleOf(app.url, 'event_feed_reads_waiting'),
  }
  return feeds
}

export const messagesOf = (fed: readonly Fed[]): string[] =>
  fed
    .filter(({ event }) => event.startsWith('message.create'))
    .map(({ payload }) => payload.data.message.text as string)

export const conversationOf = ({ payload }: Pick<Fed, 'payload'>): string => payload.data.conversation.id
