import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { Entries } from '@switchboard/client'
import type { Chat, InboxRow } from '@switchboard/client/documents'
import { readCursor, type CursorPositions } from '../../src/platform/events/cursor.js'
import type { Subscriber } from './subscribers.js'
import type { Acknowledged } from './writers.js'

/** The event log as it is at the end: what every subscriber must have received. */
export class Log {
  constructor(
    /** Types by number, by the stream's key in cursors. */
    private readonly streams: ReadonlyMap<number, ReadonlyMap<number, string>>,
  ) {}

  static async read(sql: pg.Client): Promise<Log> {
    const { rows } = await sql.query<{ key: number; number: string; type: string }>(
      'select s.key::int, e.number, e.type from event e join stream s on s.name = e.stream',
    )
    const streams = new Map<number, Map<number, string>>()
    for (const { key, number, type } of rows) {
      const stream = streams.get(key) ?? new Map<number, string>()
      streams.set(key, stream.set(Number(number), type))
    }
    return new Log(streams)
  }

  /** Returns what the event at this place shows to a subscriber: null for what is not shown, or not there. */
  shown(key: number, number: number): string | null {
    return SHOWN_AS[this.streams.get(key)?.get(number) ?? ''] ?? null
  }

  head(key: number): number {
    return Math.max(0, ...(this.streams.get(key)?.keys() ?? []))
  }
}

const SHOWN_AS: Readonly<Record<string, string>> = {
  'queue.added': 'QueueEntryAdded',
  'queue.changed': 'QueueEntryChanged',
  'queue.removed': 'QueueEntryRemoved',
  'inbox.added': 'InboxEntryAdded',
  'inbox.changed': 'InboxEntryChanged',
  'inbox.removed': 'InboxEntryRemoved',
  'rule.notification': 'RuleNotification',
  'message.added': 'MessageAdded',
  'message.changed': 'MessageChanged',
  'message.deleted': 'MessageRemoved',
  'conversation.changed': 'ConversationChanged',
  'participants.changed': 'ParticipantsChanged',
}

/** Differences between one subscriber's history and the log. */
export interface Verdict {
  events: number
  missed: number
  repeated: number
  disordered: number
  /** Snapshots after the first: each replaces events that were not delivered. */
  resyncs: number
}

export function judge(log: Log, { seen, view }: Pick<Subscriber, 'seen' | 'view'>): Verdict {
  const verdict: Verdict = { events: 0, missed: 0, repeated: view.counts.repeated, disordered: 0, resyncs: 0 }
  let position: ReadonlyMap<number, number> | null = null
  for (const { type, cursor } of seen) {
    const numbers = numbersOf(readCursor(cursor)!)
    if (type.endsWith('Snapshot')) {
      if (position) verdict.resyncs += 1
      position = numbers
      continue
    }
    verdict.events += 1
    let delivered = 0
    for (const [key, number] of numbers) {
      const before = position?.get(key) ?? 0
      if (number < before) verdict.disordered += 1
      for (let passed = before + 1; passed < number; passed += 1) if (log.shown(key, passed)) verdict.missed += 1
      if (number <= before) continue
      // The last of what it moves past is the one delivered.
      if (log.shown(key, number) === type && delivered === 0) delivered = 1
      else if (log.shown(key, number)) verdict.missed += 1
    }
    if (delivered === 0) verdict.repeated += 1
    position = numbers
  }
  for (const [key, number] of position ?? []) {
    for (let left = number + 1; left <= log.head(key); left += 1) if (log.shown(key, left)) verdict.missed += 1
  }
  return verdict
}

function numbersOf(cursor: CursorPositions): Map<number, number> {
  return new Map([...cursor].map(([key, { number }]) => [key, number]))
}

/** Tells whether it stands where the log ends. */
export function isCaughtUp(log: Log, { view }: Pick<Subscriber, 'view'>): boolean {
  const cursor = readCursor(view.cursor ?? '')
  if (!cursor) return false
  const numbers = numbersOf(cursor)
  return [...numbers].every(([key, number]) => {
    for (let left = number + 1; left <= log.head(key); left += 1) if (log.shown(key, left)) return false
    return true
  })
}

/** Events that say to have happened a second or more before the one before them: nodes that go by clocks of their own. */
export async function countOutOfTime(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::int as count from (
       select at - lag(at) over (partition by stream order by number) as since from event) e
     where since < interval '-1 second'`,
  )
  return rows[0]!.count
}

const SNAPSHOT_MESSAGES = 50

/** Returns where two states of a screen first differ, with both values; ignores what depends on when it was opened. */
export function differenceOf(one: unknown, other: unknown): string | null {
  const normal = (state: unknown): unknown => {
    if (state instanceof Map) return Object.fromEntries(state as Entries<InboxRow>)
    const { typing: _typing, viewers: _viewers, startCursor: _startCursor, messages, ...rest } = state as Chat
    return { ...rest, messages: messages.slice(-SNAPSHOT_MESSAGES) }
  }
  return firstDifference(normal(one), normal(other), 'state')
}

function firstDifference(one: unknown, other: unknown, path: string): string | null {
  if (isDeepStrictEqual(one, other)) return null
  const areObjects = [one, other].every((each) => typeof each === 'object' && each !== null)
  if (!areObjects) return `${path} is ${JSON.stringify(one)}, not ${JSON.stringify(other)}`
  const [left, right] = [new Map(Object.entries(one as object)), new Map(Object.entries(other as object))]
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const difference = firstDifference(left.get(key), right.get(key), `${path}.${key}`)
    if (difference) return difference
  }
  return `${path} is of another kind`
}

/** Counts the answered writes that are not in the table and once in the log. */
export async function countLost(sql: pg.Client, acknowledged: readonly Acknowledged[]): Promise<number> {
  const { rows } = await sql.query<{ lost: number }>(
    `with reported as (
       select (data -> 'message' ->> 'id')::uuid as id, count(*) as times from event where type = 'message.added' group by 1
     )
     select count(*)::int as lost from unnest($1::uuid[]) as answered(id)
     left join message m on m.id = answered.id left join reported on reported.id = answered.id
     where m.id is null or reported.times is distinct from 1`,
    [acknowledged.map(({ message }) => message)],
  )
  return rows[0]!.lost
}

/** Writes that had their effect more than once: each text, and each key of a command, is one write's own. */
export async function countDoubled(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ doubled: number }>(
    `select count(*)::int as doubled from (
       select 1 from message where type = 'chat' or meta ? 'key'
       group by case when type = 'chat' then text else meta ->> 'key' end having count(*) > 1) as doubles`,
  )
  return rows[0]!.doubled
}
