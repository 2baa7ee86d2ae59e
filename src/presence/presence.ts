import { defineJob } from '../jobs/job-type.js'
import type { Logger } from 'pino'
import { batching } from '../db/batching.js'
import type { Clock } from '../db/clock.js'
import type { Database, Sql } from '../db/database.js'
import { addJobs } from '../jobs/job.js'

/** Interval in which a node renews its row. */
const HEARTBEAT_MS = 3_000
/** A node that has not renewed its row for this long counts as dead, and its presence is ignored. */
export const DEAD_AFTER_SECONDS = 10
/** While many come and go, their statements are few, and take little of the database from others. */
const AT_ONCE = { atOnce: 2 }
const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Job: the subscribers of these `channels` were all on a dead node, so that the channels wrongly counted as online
 * since `since`.
 */
export const SUBSCRIBERS_LOST = defineJob<{ channels: string[]; since: string }>('presence.lost', {
  channels: 'array',
  since: 'string',
})
/** Job: the subscribers of these `channels` were ignored for a while. */
export const SUBSCRIBERS_BACK = defineJob<{ channels: string[] }>('presence.back', { channels: 'array' })

interface QueueRegistration {
  subscription: string
  channels: readonly string[]
  user: string
}

interface ViewerRegistration {
  subscription: string
  conversation: string
  user: string | null
  contact: string | null
}

/**
 * Tracks connections on all nodes: the active subscribers of channels, and which users and contacts have a conversation
 * open. It is stored in the database, so that a firing rule and an agent who subscribes are ordered by the channel's
 * row lock: either the rule sees the subscriber, or the subscriber's snapshot sees the conversation. Changes of one
 * turn of the event loop are written together.
 */
export class Presence {
  readonly #queues = new Map<string, QueueRegistration>()
  readonly #viewers = new Map<string, ViewerRegistration>()
  readonly #addQueues = batching((all: readonly QueueRegistration[]) => this.#insertQueues(all))
  readonly #removeQueues = batching((all: readonly QueueRegistration[]) => this.#deleteQueues(all))
  readonly #addViewer = batching((all: readonly ViewerRegistration[]) => this.#insertViewers(all), AT_ONCE)
  readonly #removeViewer = batching((all: readonly ViewerRegistration[]) => this.#deleteViewers(all), AT_ONCE)
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly options: { database: Database; clock: Clock; log: Logger; nodeId: string; heartbeatMs?: number },
  ) {}

  async start(): Promise<void> {
    await this.#heartbeat()
    this.#timer = setInterval(() => {
      this.#heartbeat().catch((error: unknown) => this.options.log.warn({ err: error }, 'failed to renew presence'))
    }, this.options.heartbeatMs ?? HEARTBEAT_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#queues.clear()
    this.#viewers.clear()
    await this.options.database.query('delete from node where id = $1', [this.options.nodeId])
  }

  /** Makes the channels online. Waits for rules that are firing for them. */
  async enterQueues(subscription: string, channels: readonly string[], user: string): Promise<void> {
    const registration = { subscription, channels, user }
    this.#queues.set(subscription, registration)
    await this.#addQueues(registration)
  }

  async leaveQueues(subscription: string): Promise<void> {
    const registration = this.#queues.get(subscription)
    this.#queues.delete(subscription)
    if (registration) await this.#removeQueues(registration)
  }

  async enterConversation(subscription: string, viewer: Omit<ViewerRegistration, 'subscription'>): Promise<void> {
    const registration = { subscription, ...viewer }
    this.#viewers.set(subscription, registration)
    await this.#addViewer(registration)
  }

  async leaveConversation(subscription: string): Promise<void> {
    const registration = this.#viewers.get(subscription)
    this.#viewers.delete(subscription)
    if (registration) await this.#removeViewer(registration)
  }

  /**
   * Uses a transaction per channel, so that waiting for one channel's row holds no other: a rule may lock several in
   * another order.
   */
  async #insertQueues(all: readonly QueueRegistration[]): Promise<void[]> {
    const byChannel = Map.groupBy(
      all.flatMap(({ subscription, channels, user }) => channels.map((channel) => ({ subscription, channel, user }))),
      ({ channel }) => channel,
    )
    const enter = ([channel, entries]: [string, { subscription: string; user: string }[]]): Promise<void> =>
      this.#asKnownNode(
        `with locked as (select id from channel where id = $2 for no key update)
         insert into queue_subscriber (node_id, subscription_id, channel_id, user_id)
         select $1, x.subscription, id, x.who from locked, unnest($3::uuid[], $4::uuid[]) as x(subscription, who)
         on conflict do nothing`,
        [
          this.options.nodeId,
          channel,
          entries.map(({ subscription }) => subscription),
          entries.map(({ user }) => user),
        ],
        'enter-queue',
      )
    await Promise.all([...byChannel].map(enter))
    return all.map(() => undefined)
  }

  async #deleteQueues(all: readonly QueueRegistration[]): Promise<void[]> {
    const entries = all.flatMap(({ subscription, channels }) => channels.map((channel) => ({ subscription, channel })))
    await this.options.database.query(
      `delete from queue_subscriber q using unnest($1::uuid[], $2::uuid[]) as x(subscription, channel)
       where q.channel_id = x.channel and q.subscription_id = x.subscription and q.node_id = $3`,
      [entries.map(({ subscription }) => subscription), entries.map(({ channel }) => channel), this.options.nodeId],
      'leave-queue',
    )
    return all.map(() => undefined)
  }

  async #insertViewers(all: readonly ViewerRegistration[]): Promise<void[]> {
    await this.#asKnownNode(
      `with seen as (
         insert into contact_presence (contact_id, touchpoint, last_seen_at)
         select id, 'web', now() from contact where id = any($5::uuid[]) order by id
         on conflict (contact_id, touchpoint) do update set last_seen_at = excluded.last_seen_at)
       insert into conversation_viewer (node_id, subscription_id, conversation_id, user_id, contact_id)
       select $1, x.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) as x on conflict do nothing`,
      [
        this.options.nodeId,
        all.map(({ subscription }) => subscription),
        all.map(({ conversation }) => conversation),
        all.map(({ user }) => user),
        all.map(({ contact }) => contact),
      ],
      'enter-conversation',
    )
    return all.map(() => undefined)
  }

  async #deleteViewers(all: readonly ViewerRegistration[]): Promise<void[]> {
    await this.options.database.query(
      `with gone as (
         delete from conversation_viewer v using unnest($1::uuid[], $2::uuid[]) as x(subscription, conversation)
         where v.conversation_id = x.conversation and v.subscription_id = x.subscription and v.node_id = $3
         returning v.contact_id
       ), seen as (
         select contact_id from contact_presence where touchpoint = 'web' and contact_id in (select contact_id from gone)
         order by contact_id for update)
       update contact_presence p set last_seen_at = now() from seen
       where p.contact_id = seen.contact_id and p.touchpoint = 'web'`,
      [all.map(({ subscription }) => subscription), all.map(({ conversation }) => conversation), this.options.nodeId],
      'leave-conversation',
    )
    return all.map(() => undefined)
  }

  /** A PostgreSQL that was killed has lost the presence, including this node's row: everything is registered again. */
  async #asKnownNode(text: string, values: unknown[], name: string): Promise<void> {
    const { database } = this.options
    try {
      await database.query(text, values, name)
    } catch (error) {
      if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error
      await this.#heartbeat()
      await database.query(text, values, name)
    }
  }

  /** Renews this node's row and removes dead nodes. A node that was declared dead registers everything again. */
  async #heartbeat(): Promise<void> {
    const { database, nodeId } = this.options
    const renewed = await database.query('update node set seen_at = now() where id = $1 returning id', [nodeId])
    if (renewed.length === 0) {
      await database.query(
        `insert into node (id, seen_at, started_at, reads_shared) values ($1, now(), now(), true)
         on conflict do nothing`,
        [nodeId],
      )
      await this.#registerAll()
    }
    await this.#reapDeadNodes()
  }

  async #registerAll(): Promise<void> {
    await Promise.all(
      [...this.#queues.values()].map(async (registration) => {
        await this.#addQueues(registration)
        // It may have ended in the meantime.
        if (!this.#queues.has(registration.subscription)) await this.#removeQueues(registration)
      }),
    )
    await Promise.all(
      [...this.#viewers.values()].map(async (registration) => {
        await this.#addViewer(registration)
        if (!this.#viewers.has(registration.subscription)) await this.#removeViewer(registration)
      }),
    )
    const channels = [...new Set([...this.#queues.values()].flatMap((queue) => queue.channels))]
    if (channels.length === 0) return
    await addJobs(this.options.database, [SUBSCRIBERS_BACK.create({ channels })], this.options.clock)
  }

  /**
   * Removes dead nodes, in one transaction with the job for the conversations that only their subscribers could see.
   */
  #reapDeadNodes(): Promise<void> {
    return this.options.database.sqlTransaction(async (sql) => {
      const lost = await sql.query<{ channel_id: string; since: Date }>(REAP_DEAD_NODES, [
        DEAD_AFTER_SECONDS,
        HEARTBEAT_MS,
      ])
      if (lost.length === 0) return
      const since = new Date(Math.min(...lost.map((row) => row.since.getTime()))).toISOString()
      const payload = { channels: lost.map((row) => row.channel_id), since }
      await addJobs(sql, [SUBSCRIBERS_LOST.create(payload)], this.options.clock)
    })
  }
}

/**
 * Deletes their subscribers too. `since` is one heartbeat early, since the clocks of nodes and database may differ a
 * little.
 */
const REAP_DEAD_NODES = `
with dead as (
  select id, seen_at from node where seen_at < now() - make_interval(secs => $1) for update skip locked
), buried as (
  delete from node where id in (select id from dead)
)
select q.channel_id, min(d.seen_at) - make_interval(secs => $2 / 1000.0) as since
from queue_subscriber q join dead d on d.id = q.node_id
where not exists (
  select 1 from queue_subscriber other join node n on n.id = other.node_id
  where other.channel_id = q.channel_id and n.seen_at >= now() - make_interval(secs => $1))
group by q.channel_id order by q.channel_id`

/**
 * Returns which of the channels have an active subscriber, and blocks new subscribers of the others until the end of the
 * transaction. Channels that have one are not locked: a further one changes nothing. Locks in the order of ids; take
 * conversations' locks first.
 */
export async function lockOnlineChannels(sql: Sql, channels: readonly string[]): Promise<Set<string>> {
  if (channels.length === 0) return new Set()
  const values = [channels, DEAD_AFTER_SECONDS]
  // Sent together: the second reads after the first has its locks.
  const [before, after] = await Promise.all([
    sql.query<{ channel_id: string }>(LOCK_OFFLINE, values, 'lock-offline-channels'),
    sql.query<{ channel_id: string }>(ONLINE, values, 'online-channels'),
  ])
  return new Set([...before, ...after].map((row) => row.channel_id))
}

const ONLINE = `
select distinct q.channel_id from queue_subscriber q join node n on n.id = q.node_id
where q.channel_id = any($1::uuid[]) and n.seen_at > now() - make_interval(secs => $2)`

const LOCK_OFFLINE = `
with online as materialized (${ONLINE}
), locked as materialized (
  select id from channel where id = any($1::uuid[]) and id not in (select channel_id from online) order by id for share
)
select channel_id from online where (select count(*) from locked) >= 0`

/** Returns the users who have the conversation open, on any node. */
export async function viewersOf(sql: Sql, conversation: string): Promise<Set<string>> {
  return new Set((await viewersOfEach(sql, [conversation])).get(conversation))
}

/** Returns the users who have each conversation open, on any node, in order of their ids. */
export async function viewersOfEach(sql: Sql, conversations: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await sql.query<{ conversation: string; users: string[] }>(
    `select v.conversation_id as conversation, array_agg(distinct v.user_id order by v.user_id) as users
     from conversation_viewer v join node n on n.id = v.node_id
     where v.conversation_id = any($1::uuid[]) and v.user_id is not null
       and n.seen_at > now() - make_interval(secs => $2)
     group by v.conversation_id`,
    [conversations, DEAD_AFTER_SECONDS],
  )
  return new Map(rows.map(({ conversation, users }) => [conversation, users]))
}
