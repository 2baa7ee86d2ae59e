import type { Logger } from 'pino'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database, Sql } from '../../../platform/db/database.js'
import { NotFound, Unavailable } from '../../../platform/errors.js'
import { dueNowSql, type DueParameters, type Pulse } from '../../../platform/jobs/pulse.js'
import { Maintenance } from '../../../platform/maintenance/maintenance.js'
import { settleAfterLeave } from '../commands/leave.js'
import type { Router } from '../routing/router.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'

export interface GoneWatchOptions {
  database: Database
  clock: Clock
  log: Logger
  writer: ConversationWriter
  router: Router
  systemContext: (requestId: string) => Context
  everyMs?: number
  /** Asks whether there are any; absent: each round looks. */
  pulse?: Pulse | undefined
}

const EVERY_MS = 2_000
/** Conversations that are queued again in one round; the others follow in the next. */
const ROUND_MAX = 256
const AT_ONCE = 32
/** Rows that others have locked for longer follow in the next round. */
const WAIT_MS_MAX = 2_000
/** An arbitrary constant: the node that looks for abandoned conversations holds this advisory lock. */
const GONE_LOCK = 7_301_960_435

/** An active conversation with an unanswered consumer message, of which all agents who accepted it are offline. */
interface Abandoned {
  id: string
  version: number
  /** All who accepted it, and since when each of them is offline. */
  agents: { id: string; since: string | null }[]
  /** Bots that accepted it and take no part in availability: they are neither there nor away. */
  bots: string[]
}

/**
 * Queues again, as `/leave` would, what consumers wait for of agents who are offline. It looks at the state rather than at
 * changes of it: so it does not matter what came last, the agent's leave, the message, a hand-over or a new setting, nor
 * which node was there to see it. The writer decides each again, under the locks of the conversation and the agents.
 */
export class GoneWatch {
  readonly #maintenance: Maintenance

  constructor(private readonly options: GoneWatchOptions) {
    const { database, clock, log, pulse, everyMs = EVERY_MS } = options
    const due = pulse && { pulse, dueSql: ({ now }: DueParameters) => dueNowSql(`exists (${abandonedSql(now)})`, now) }
    const tasks = [{ name: 'conversations of absent agents', run: (sql: Sql, now: Date) => this.#round(sql, now) }]
    this.#maintenance = new Maintenance({ database, clock, log, tasks, everyMs, due, lock: GONE_LOCK })
  }

  start(): Promise<void> {
    return this.#maintenance.start()
  }

  stop(): Promise<void> {
    return this.#maintenance.stop()
  }

  async #round(sql: Sql, now: Date): Promise<void> {
    const rows = await sql.query<Abandoned>(abandonedSql('$1'), [now], 'abandoned-conversations')
    for (let at = 0; at < rows.length; at += AT_ONCE)
      await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => this.#requeue(row)))
  }

  /** Does not reject: one that fails keeps none of the others waiting, and is tried again in the next round. */
  async #requeue(row: Abandoned): Promise<void> {
    const { clock, log, router, systemContext, writer } = this.options
    const options = { agentsToLock: row.agents.map(({ id }) => id), waitMsMax: WAIT_MS_MAX }
    try {
      await writer.run(systemContext(clock.newId()), row.id, (change) => leaveGone(change, row, router), options)
    } catch (error) {
      if (error instanceof NotFound || error instanceof Unavailable) return
      log.warn({ err: error, conversation: row.id }, 'failed to queue a conversation of absent agents')
    }
  }
}

/** Ends the parts of the agents, unless one of them came back or something happened in the conversation meanwhile. */
async function leaveGone(
  change: ConversationChange,
  { version, agents, bots }: Abandoned,
  router: Router,
): Promise<void> {
  const { conversation, participants, agentLocks } = change
  if (
    conversation.snoozedUntil ||
    conversation.version !== version ||
    conversation.status !== 'active' ||
    !conversation.awaitingReply
  )
    return
  const since = new Map(agents.map((agent) => [agent.id, agent.since && new Date(agent.since).getTime()]))
  const isGone = (user: string): boolean => {
    const lockedAgent = agentLocks.of(user)
    return lockedAgent?.availability === 'offline' && since.get(user) === (lockedAgent.since?.getTime() ?? null)
  }
  const accepting = [...participants.values()].filter(({ accepted }) => accepted)
  if (!accepting.every(({ userId }) => bots.includes(userId) || isGone(userId))) return
  for (const { userId } of accepting) participants.delete(userId)
  await settleAfterLeave(change, router, 'the agent is offline')
}

/**
 * The seconds are those of the conversation's own channels, the least patient of them; of a conversation that was in no
 * queue in its case, or only in queues that were deleted since, those of the most patient channel of its agents. They
 * count from when the last agent went offline, from the message, from the acceptance or from when it was woken, whichever
 * came last; not while it is snoozed. A bot that takes no part in availability keeps what it alone accepted, and holds up
 * nothing that agents accepted beside it.
 */
const abandonedSql = (now: string): string => `
with setting as materialized (
  select id, org1, (assignment ->> 'requeueGoneSeconds')::int as seconds from channel
  where assignment ->> 'requeueGoneSeconds' is not null
), gone as materialized (
  select u.id, s.since from app_user u left join staff s on s.user_id = u.id
  where u.org1 = any(array(select distinct org1 from setting)) and coalesce(s.availability, 'offline') = 'offline'
    and (u.role <> 'bot' or s.since is not null)
), kept as materialized (
  select distinct p.conversation_id as id from gone g join participant p on p.user_id = g.id and p.accepted
), abandoned as (
  select c.id, c.version, c.case_channels, array_agg(g.id) filter (where g.id is not null) as users,
    coalesce(array_agg(p.user_id) filter (where g.id is null), '{}') as bots,
    jsonb_agg(jsonb_build_object('id', g.id, 'since', g.since)) filter (where g.id is not null) as agents,
    greatest(c.unanswered_since, max(g.since), max(p.accepted_at) filter (where g.id is not null)) as since
  from kept k join conversation c on c.id = k.id and c.status = 'active' and c.awaiting_reply and c.type = 'contact'
    and c.snoozed_until is null
  join participant p on p.conversation_id = c.id and p.accepted left join gone g on g.id = p.user_id
  left join app_user w on w.id = p.user_id left join staff ws on ws.user_id = p.user_id
  group by c.id having bool_and(g.id is not null or (w.role = 'bot' and ws.since is null))
)
select a.id, a.version, a.agents, a.bots from abandoned a cross join lateral (
  select case when exists (select 1 from channel own where own.id = any(a.case_channels)) then (select min(t.seconds) from setting t where t.id = any(a.case_channels))
    else (select max(t.seconds) from setting t join channel_member m on m.channel_id = t.id where m.user_id = any(a.users))
  end as seconds) own
where a.since + make_interval(secs => own.seconds) <= ${now} order by a.since, a.id limit ${ROUND_MAX}`
