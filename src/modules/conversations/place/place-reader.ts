import { LRUCache } from 'lru-cache'
import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import { batchingBy } from '../../../platform/db/batching.js'
import { pacedMs, type Clock } from '../../../platform/db/clock.js'
import type { Database, Sql } from '../../../platform/db/database.js'
import { readOnlineChannels } from '../../../platform/presence/online-channels.js'
import { readSchedules, type CompiledSchedules } from '../../schedules/current-schedule.js'
import { expectedWait, medianGap, readAccepts } from './accept-pace.js'
import type { QueuePlace } from './queue-place.js'
import { systemShare } from '../../../platform/fairness/share.js'
import { inTurnSql } from '../writer/in-turn.js'
import { lastUsed } from '../../../platform/last-used.js'

/** Time for which the pace is used. */
const STALE_MS = 10_000
/** Bound of the names of all channels whose pace is known: some 4 MB. */
const PACE_CHARS_MAX = 4_000_000
/** A place that was asked for once more within this time is the same: no caller makes the server count more often. */
const ANSWER_MS = 1_000
const ANSWERS_MAX = 10_000

interface Asked {
  tenant: string
  conversation: string
}

/** The median time between accepts from a set of channels. */
interface Pace {
  gapMs: number | null
}

/**
 * Reads places in line. Of a contact center one read runs at a time on a node, for all who ask meanwhile, live or
 * not: one statement numbers all that waits, whatever number of them is asked for. No write does anything for places.
 */
export class PlaceReader {
  /** By the channels of those who ask: few numbers, not what they were made of. */
  readonly #paces = new LRUCache<string, Pace>({
    maxSize: PACE_CHARS_MAX,
    sizeCalculation: (_, key) => key.length,
    ttl: STALE_MS,
  })
  readonly #answers: LRUCache<string, { place: QueuePlace | null }>
  readonly #read = batchingBy<Asked, QueuePlace | null>(
    ({ tenant }) => tenant,
    (asked) =>
      this.#readTogether(
        asked[0]!.tenant,
        asked.map(({ conversation }) => conversation),
      ),
    { atOnce: 1 },
  )

  constructor(
    private readonly options: { database: Pick<Database, 'readsOf'>; clock: Clock; compiled: CompiledSchedules },
  ) {
    this.#answers = lastUsed(ANSWERS_MAX, { ttl: pacedMs(options.clock, ANSWER_MS) })
  }

  /** Returns the place of a conversation that the caller may see; null if it does not wait in a channel's queue. */
  async read(asked: Asked): Promise<QueuePlace | null> {
    const known = this.#answers.get(asked.conversation)
    if (known) return known.place
    const place = await this.#read(asked)
    this.#answers.set(asked.conversation, { place })
    return place
  }

  /** Reads anew, in the order of the ids. */
  readAll(tenant: string, conversations: readonly string[]): Promise<(QueuePlace | null)[]> {
    return Promise.all(conversations.map((conversation) => this.#read({ tenant, conversation })))
  }

  async #readTogether(tenant: string, conversations: readonly string[]): Promise<(QueuePlace | null)[]> {
    const { clock, compiled, database } = this.options
    // In turn with the organization's other reads, and limited like them.
    const sql = database.readsOf(systemShare([tenant], 'places'))
    const ids = [...new Set(conversations)]
    const rows = await sql.query<WaitingRow>(WAITING, [tenant, ids], 'waiting-for-places')
    const waiting = new Map(rows.map((row) => [row.id, row]))
    if (waiting.size === 0) return conversations.map(() => null)
    const now = clock.now()
    const telling = new Set(
      (await sql.query<{ id: string }>(TELLING, [tenant], 'telling-channels')).map(({ id }) => id),
    )
    const told = rows.filter(({ channels }) => channels.some((channel) => telling.has(channel)))
    const positions = await readPositions(sql, tenant, told, telling)
    const schedules = await readSchedules(sql, [...new Set(rows.flatMap(({ schedule }) => schedule ?? []))], compiled)
    const opensAtOf = (schedule: string | null): string | null => {
      const hours = schedule === null ? undefined : schedules.get(schedule)?.hours
      if (!hours || hours.isOpenAt(now.getTime())) return null
      const at = hours.nextChangeAfter(now.getTime())
      return at === null ? null : new Date(at).toISOString()
    }
    // Few sets of channels hold all that waits.
    const setOf = ({ channels }: WaitingRow): string[] => channels.filter((each) => telling.has(each)).toSorted()
    const sets = told.map(setOf)
    const paces = await this.#pacesOf(sql, { tenant, now, sets })
    const { online, isComplete } = await readOnlineChannels(sql, [...new Set(sets.flat())])
    return conversations.map((id) => {
      const row = waiting.get(id)
      if (!row) return null
      const opensAt = opensAtOf(row.schedule)
      const position = positions.get(id) ?? null
      if (position === null && opensAt === null) return null
      const channels = setOf(row)
      // Without an agent, the pace of those who have left says nothing. Nobody is taken to be offline too early.
      const isServed =
        position !== null && opensAt === null && (!isComplete || channels.some((each) => online.has(each)))
      const gap = isServed ? paces.get(keyOf(channels))!.gapMs : null
      return { position, waitSeconds: gap === null ? null : expectedWait(gap, position!), opensAt }
    })
  }

  /** Returns the pace of each set of channels. If one is not known, all are read together: one pass gives all. */
  async #pacesOf(
    sql: Sql,
    { tenant, now, sets }: { tenant: string; now: Date; sets: readonly string[][] },
  ): Promise<Map<string, Pace>> {
    const named = new Map(sets.map((channels) => [keyOf(channels), channels]))
    const known = new Map(named.keys().map((key) => [key, this.#paces.get(key)]))
    if (known.values().every((pace) => pace !== undefined)) return known as Map<string, Pace>
    const accepts = await readAccepts(sql, { tenant, now, channels: [...new Set(sets.flat())] })
    return new Map(
      named.entries().map(([key, channels]) => {
        const pace = { gapMs: medianGap(accepts, new Set(channels)) }
        this.#paces.set(key, pace)
        return [key, pace]
      }),
    )
  }
}

const keyOf = (channels: readonly string[]): string => channels.join()

const TELLING = `select id from channel where org1 = $1 and (assignment ->> 'tellPlace')::boolean`

interface WaitingRow {
  id: string
  channels: string[]
  schedule: string | null
}

const WAITING = `
select c.id, c.channels || c.channels_offline as channels, c.sla -> 'choice' ->> 'schedule' as schedule
from conversation c where c.id = any($2::uuid[]) and c.org1 = $1 and c.status = 'queued' and c.type = 'contact'`

/** Numbers what waits in the channels that tell places: those who wait in no channel of one's own are not before one. */
async function readPositions(
  sql: Sql,
  tenant: string,
  asked: readonly WaitingRow[],
  telling: ReadonlySet<string>,
): Promise<Map<string, number>> {
  if (asked.length === 0) return new Map()
  const rows = await sql.query<{ id: string; position: number }>(
    POSITIONS,
    [tenant, asked.map(({ id }) => id), [...telling]],
    'queue-positions',
  )
  return new Map(rows.map(({ id, position }) => [id, position]))
}

/**
 * All that waits is put in order once. The conversations of equal channels make a line, an ascending array of turns, in
 * which `width_bucket` finds by halves how many come before. Only the numbers of a line are sorted, which are in order
 * already: to sort what waits by channels and turn took half as long as all else. Who asks is joined: a prepared statement
 * compares each that waits with every element of an array.
 */
const POSITIONS = `
with waiting as materialized (
  select c.id, c.channels || c.channels_offline as channels, row_number() over (order by ${inTurnSql('c')})::int as turn
  from conversation c where c.org1 = $1 and ${isWaitingSql('c')} and c.status = 'queued' and c.type = 'contact'
    and (c.channels && $3::uuid[] or c.channels_offline && $3::uuid[])
), lines as materialized (
  select channels, (select array_agg(turn order by turn) from unnest(turns) as turn) as turns
  from (select channels, array_agg(turn) as turns from waiting group by channels) line
), asked as materialized (
  select w.id, w.turn, array(select unnest(w.channels) intersect select unnest($3::uuid[])) as channels
  from unnest($2::uuid[]) as given(id) join waiting w using (id)
)
select a.id, sum(width_bucket(a.turn, l.turns))::int as position
from lines l join asked a on a.channels && l.channels group by a.id`
