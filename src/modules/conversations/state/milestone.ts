import type { Sql } from '../../../platform/db/database.js'
import { waitedSql } from '../../channels/service-level.js'
import { columnName, type SqlType } from '../../../platform/db/columns.js'
import type { ConversationStatus } from './conversation-enums.js'
import type { ProposalKind } from './proposal-kind.js'

/** The detail of a `consumerTurn` or an `agentTurn` that was merged in: reports count that of the origin. */
export const MERGED_TURN = 'merged'

/** Occurrences in a conversation, or of an agent, that concern reports and clocks. */
export type MilestoneKind =
  /** A conversation with a consumer was created. */
  | 'created'
  /** It began to wait in the queue. */
  | 'queued'
  /** Channels were notified of it: `channels` are those added. */
  | 'notified'
  /** It was offered to `userId`. */
  | 'offered'
  /** The offer ended: `detail` says how, `ms` is how long it was pending; null if it was assigned. */
  | 'offerEnded'
  /** `userId` accepted it; `ms` is how long it had waited, for the one who took it from the queue, `detail` if in time. */
  | 'accepted'
  /** `userId`, who had accepted it, no longer has; `ms` is for how long, `detail` how much of that was before it was snoozed last. */
  | 'agentLeft'
  /** It was put aside while `userId` had it, who had worked on it for `ms` since it was accepted or woken. */
  | 'snoozed'
  /** It was put aside no longer, after `ms`; `userId` had put it aside. */
  | 'woken'
  /** `userId` handed it over, `detail` says to whom: an `agent` or a `queue`. For the channels from which it came. */
  | 'transferred'
  /** `userId` was handed it by a colleague. */
  | 'received'
  /** The consumer began to wait for an answer; `turn` counts these in the case. */
  | 'consumerTurn'
  /** `userId` answered that, null if it was written with the provider's own app; `ms` is how long the consumer waited. */
  | 'agentTurn'
  /** `userId` streamed that answer; `ms` is how long the consumer waited for its first text. */
  | 'firstText'
  /** Its category changed to `category`. */
  | 'categorised'
  /** It left the queue closed or deleted, without an agent; `ms` is how long it had waited, `detail` if that was short. */
  | 'abandoned'
  /** Its case was closed; `ms` is how long that took, `turn` the number of turns. */
  | 'closed'
  /** It was merged into another conversation. */
  | 'merged'
  /** It was deleted. */
  | 'deleted'
  /** The clock `detail` stopped in time, by `userId`; `ms` is the open time that it ran. */
  | 'clockMet'
  /** `userId` put the label `detail` on it. */
  | 'labelled'
  /** `userId` ran the macro `detail` on it. */
  | 'macro'
  /** The consumer was asked to rate the case in which `userId` answered. */
  | 'asked'
  /** The consumer did: `detail` is the score, `up` and `down` on a scale of two. */
  | 'rated'
  /** The clock `detail` missed its target at that instant; `userId` had the conversation. */
  | 'clockBreached'
  /** The clock `detail`, which had missed its target, ended; `ms` is the open time since it was due. */
  | 'clockOverrun'
  /** `userId` was in the state `detail` for `ms`, up to now. The subject is the agent, not a conversation. */
  | 'agentState'
  /**
   * In a quarter of an hour in which `userId` was at work, it was occupied for `ms`: by conversations, or by wrapping up
   * without any, as `detail` says. The subject is the agent.
   */
  | 'occupied'
  /** For how long `userId` had conversations in it, that of each of them added. The subject is the agent. */
  | 'held'
  /** The bot `botId` proposed something of the kind `proposalKind`. */
  | 'proposed'
  /** A proposal of `botId` ended after `ms`: `detail` is the outcome, `userId` who decided. */
  | 'proposalEnded'

/** One milestone. No content: ids, times, numbers and the values of enums and settings. */
export interface MilestoneRow {
  /** The conversation; of an agent's state, the agent. Stays when that is deleted. */
  conversationId: string
  /** Position among the milestones of the conversation or agent, from 1. */
  nth: number
  kind: MilestoneKind
  at: Date
  org1: string
  org2: string | null
  org3: string | null
  userId: string | null
  /** Channels whose queues hold the conversation, or held it last in the case. */
  channels: string[]
  touchpoint: string | null
  category: string | null
  /** The time that ended with it, in milliseconds. */
  ms: number | null
  turn: number | null
  detail: string | null
  /** The bot and the kind of a proposal. */
  botId?: string | null
  proposalKind?: ProposalKind | null
}

type Presence = ConversationStatus | 'none'

/**
 * The milestones of each change of status; `none` is before the creation and after the deletion. The compiler requires
 * an entry for every pair, so that a new status cannot be forgotten. Who accepts and leaves derives from the
 * participants.
 */
export const STATUS_MILESTONES = {
  none: { none: [], queued: ['created', 'queued'], active: ['created'], closed: ['created'], archived: ['created'] },
  queued: {
    none: ['abandoned', 'deleted'],
    queued: [],
    active: [],
    closed: ['abandoned', 'closed'],
    archived: ['merged'],
  },
  active: { none: ['deleted'], queued: ['queued'], active: [], closed: ['closed'], archived: ['merged'] },
  closed: { none: ['deleted'], queued: ['queued'], active: [], closed: [], archived: ['merged'] },
  archived: { none: ['deleted'], queued: ['queued'], active: [], closed: [], archived: [] },
} as const satisfies Record<Presence, Record<Presence, readonly MilestoneKind[]>>

/** Columns of one milestone; `channels` are given once for all of an operation that have the same. */
const COLUMNS = {
  conversationId: 'uuid',
  nth: 'int',
  kind: 'text',
  at: 'timestamptz',
  org1: 'uuid',
  org2: 'uuid',
  org3: 'uuid',
  userId: 'uuid',
  touchpoint: 'text',
  category: 'text',
  ms: 'bigint',
  turn: 'int',
  detail: 'text',
  botId: 'uuid',
  proposalKind: 'text',
} satisfies Record<keyof Omit<MilestoneRow, 'channels'>, SqlType>

const names = Object.keys(COLUMNS)
const columns = Object.entries(COLUMNS).map(([name, type]) => `"${name}" ${type}`)

const detailSql = `coalesce(x.detail, ${waitedSql({ kind: 'x.kind', ms: 'x.ms', channels: 'g.channels' })})`

/** Decides whether a wait was long as it inserts the row, by the channels as they are set then. */
export const INSERT_MILESTONES = `insert into milestone (channels, ${names.map(columnName).join(', ')})
  select g.channels, ${names.map((name) => (name === 'detail' ? detailSql : `x."${name}"`)).join(', ')}
  from jsonb_to_recordset($1::jsonb) as g(channels uuid[], rows jsonb),
    jsonb_to_recordset(g.rows) as x(${columns.join(', ')})`

/** Milestones with the same array of channels, of which there may be thousands, as the statement takes them. */
export function groupMilestones(rows: readonly MilestoneRow[]): { channels: string[]; rows: object[] }[] {
  const groups = Map.groupBy(rows, ({ channels }) => channels)
  return [...groups].map(([channels, alike]) => ({
    channels,
    rows: alike.map((row) => ({ ...row, channels: undefined })),
  }))
}

/** Adds milestones in the caller's transaction, which holds the lock of their conversation or agent. */
export async function insertMilestones(sql: Sql, rows: readonly MilestoneRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql.query(INSERT_MILESTONES, [JSON.stringify(groupMilestones(rows))], 'insert-milestones')
}
