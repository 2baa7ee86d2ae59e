import type { Logger } from 'pino'
import { Unavailable } from '../errors.js'
import { batching } from '../db/batching.js'
import { pacedMs, type Clock } from '../db/clock.js'
import { TIMELINE } from '../db/commit-outcome.js'
import type { Database } from '../db/database.js'
import { FENCE, type Fence, Fenced, requireUnfenced } from '../db/fence.js'
import { addJobs } from '../jobs/job.js'
import { removeLost, reapDeadNodes, SUBSCRIBERS_BACK } from './lost-channels.js'
import { LostSubscribers, type QueueRegistration } from './lost-subscribers.js'
import { DEAD_AFTER_SECONDS, GRACE_MS, HEARTBEAT_MS } from './presence-times.js'

/** While the database is away: the first heartbeat after that registers everything again. */
const RETRY_MS = 250
/** While many come and go, their statements are few, and take little of the database from others. */
const AT_ONCE = { atOnce: 2 }
const FOREIGN_KEY_VIOLATION = '23503'

/**
 * After a gap in which the node counted as dead it is alive anew, even if nobody removed it; so are the others, which the
 * same outage kept from renewing their rows. What another node has kept for it, it registers itself.
 */
const RENEW = `update node set seen_at = now(),
  alive_since = case when seen_at < now() - make_interval(secs => $2) then now() else alive_since end,
  again_at = case when seen_at < now() - make_interval(secs => $2) then now() else again_at end
where id = $1 and again_at is distinct from 'infinity'
returning array(select id from node where seen_at > now() - make_interval(secs => $2)) as alive,
  exists (select from node where seen_at < now() - make_interval(secs => $2)) as "hasDead", ${FENCE} as fence`

/**
 * Registers a node whose row is gone, and keeps the rows of those that were alive when this one saw them last: none of them
 * is believed to have no subscribers until it has registered them, or has had the time to.
 */
const REGISTER = `insert into node (id, seen_at, started_at, again_at)
select x.id, now(), now(), case when $2 then 'infinity'::timestamptz end from unnest($1::uuid[]) as x(id)
on conflict do nothing`

const NOTE_HISTORY = `update installation set presence_history = ${TIMELINE} where presence_history is distinct from ${TIMELINE}
returning (select before.presence_history from installation before) as before`

const REGISTERED = `update node set seen_at = now(), again_at = now() where id = $1 and again_at = 'infinity'`

export interface PresenceOptions {
  database: Database
  clock: Clock
  log: Logger
  nodeId: string
  heartbeatMs?: number
  graceMs?: number
  /** Called once when the contents of the database are moved: the node must end. */
  onFenced?: (error: Fenced) => void
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
  readonly #markLost = batching((all: readonly QueueRegistration[]) => this.#noteLost(all), AT_ONCE)
  readonly #addViewer = batching((all: readonly ViewerRegistration[]) => this.#insertViewers(all), AT_ONCE)
  readonly #removeViewer = batching((all: readonly ViewerRegistration[]) => this.#deleteViewers(all), AT_ONCE)
  readonly #lost: LostSubscribers
  readonly #graceMs: number
  /** Nodes that were alive at the last heartbeat. */
  #alive: readonly string[] = []
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(private readonly options: PresenceOptions) {
    this.#graceMs = options.graceMs ?? GRACE_MS
    this.#lost = new LostSubscribers({ ...options, graceMs: this.#graceMs, remove: (ended) => this.#removeLost(ended) })
  }

  async start(): Promise<void> {
    await this.#heartbeat(false)
    this.#arm(this.#heartbeatMs)
  }

  /**
   * Ends the presence of this node. Subscribers whose connections it closed count for the grace period, as if its row had
   * been renewed for the last time: another node, or its successor, removes it.
   */
  async stop(): Promise<void> {
    const { database, nodeId } = this.options
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#lost.stop()
    const isLeft = this.#queues.size > 0 && this.#graceMs > 0
    this.#queues.clear()
    this.#viewers.clear()
    if (!isLeft) return void (await database.query('delete from node where id = $1', [nodeId]))
    const agedMs = DEAD_AFTER_SECONDS * 1_000 - this.#graceMs
    await database.query(
      `with viewers as (delete from conversation_viewer where node_id = $1),
         lost as (update queue_subscriber set lost_at = now() where node_id = $1 and lost_at is null)
       update node set seen_at = now() - make_interval(secs => $2 / 1000.0) where id = $1`,
      [nodeId, agedMs],
    )
  }

  get #heartbeatMs(): number {
    return this.options.heartbeatMs ?? pacedMs(this.options.clock, HEARTBEAT_MS)
  }

  #arm(ms: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#heartbeat().then(
        () => this.#arm(this.#heartbeatMs),
        (error: unknown) => {
          if (error instanceof Fenced) return this.options.onFenced?.(error)
          this.options.log.warn({ err: error }, 'failed to renew presence')
          this.#arm(RETRY_MS)
        },
      )
    }, ms)
    this.#timer.unref()
  }

  /** Makes the channels online. Waits for rules that are firing for them. */
  async enterQueues(subscription: string, channels: readonly string[], user: string): Promise<void> {
    const registration = { subscription, channels, user }
    this.#queues.set(subscription, registration)
    await this.#addQueues(registration)
  }

  /** @param isLost the connection was lost: it counts for the grace period, since most clients come back */
  async leaveQueues(subscription: string, isLost = false): Promise<void> {
    const registration = this.#queues.get(subscription)
    if (!registration) return
    if (isLost && this.#graceMs > 0) {
      this.#lost.add(registration)
      return this.#markLost(registration)
    }
    this.#queues.delete(subscription)
    await this.#removeQueues(registration)
  }

  async #noteLost(all: readonly QueueRegistration[]): Promise<void[]> {
    const entries = all.flatMap(({ subscription, channels }) => channels.map((channel) => ({ subscription, channel })))
    await this.options.database.query(
      `update queue_subscriber q set lost_at = now() from unnest($1::uuid[], $2::uuid[]) as x(subscription, channel)
       where q.channel_id = x.channel and q.subscription_id = x.subscription and q.node_id = $3`,
      [entries.map(({ subscription }) => subscription), entries.map(({ channel }) => channel), this.options.nodeId],
      'note-lost',
    )
    return all.map(() => undefined)
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
      await this.#heartbeat().catch((failure: Error) => {
        if (!(failure instanceof Fenced)) throw failure
        throw new Unavailable('the database is not available; retry', { cause: failure })
      })
      await database.query(text, values, name)
    }
  }

  /** Removes subscribers that did not come back. If this process dies first, so does its row, with the same job. */
  async #removeLost(ended: readonly QueueRegistration[]): Promise<void> {
    const { clock, database } = this.options
    await database.sqlTransaction((sql) => removeLost(sql, clock, ended, this.#graceMs))
    for (const { subscription } of ended) this.#queues.delete(subscription)
  }

  /** Renews this node's row and removes dead nodes. A node that was declared dead registers everything again. */
  async #heartbeat(isAgain = true): Promise<void> {
    const { database, nodeId } = this.options
    const [renewed] = await database.query<{ alive: string[]; hasDead: boolean; fence: Fence | null }>(RENEW, [
      nodeId,
      DEAD_AFTER_SECONDS,
    ])
    if (renewed?.fence) throw new Fenced(renewed.fence)
    if (renewed) this.#alive = renewed.alive
    // One that has stopped meanwhile has deleted its row.
    else if (!this.#isStopped) {
      await requireUnfenced((text) => database.query(text))
      isAgain = (await this.#isOtherHistory()) || isAgain
      await database.query(REGISTER, [[...new Set([nodeId, ...this.#alive])], isAgain])
      await this.#registerAll()
      await database.query(REGISTERED, [nodeId])
    }
    // A node that has just been registered may have found others' rows.
    if (renewed?.hasDead === false) return
    await database.sqlTransaction((sql) => reapDeadNodes(sql, this.options.clock, this.#graceMs))
  }

  /** Tells whether the database has crashed or failed over since any node registered: nodes that have not yet again may exist. */
  async #isOtherHistory(): Promise<boolean> {
    const [changed] = await this.options.database.query<{ before: string | null }>(NOTE_HISTORY)
    return changed !== undefined && changed.before !== null
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
}
