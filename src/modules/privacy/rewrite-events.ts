import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../platform/db/database.js'
import type { JsonObject } from '../../platform/json.js'

/** An event as it stands in the log. */
export interface LoggedEvent {
  stream: string
  number: number
  type: string
  at: Date
  data: JsonObject
  /** The digest of the data as it was read. */
  digest: string
}

type Named = Pick<LoggedEvent, 'stream' | 'number'>

/** Returns what is left of an event's data. */
export type Redact = (event: LoggedEvent) => JsonObject

/** SQL: the columns of a logged event at `e`. */
export const LOGGED = 'e.stream, e.number, e.type, e.at, e.data, md5(e.data::text) as digest'

const NAMED = `select ${LOGGED} from event e
  join unnest($1::text[], $2::bigint[]) as named(stream, number) using (stream, number)`

export const readNamed = (sql: Sql, events: readonly Named[]): Promise<LoggedEvent[]> =>
  sql.query<LoggedEvent>(NAMED, [events.map(({ stream }) => stream), events.map(({ number }) => number)])

/**
 * Writes what a redaction takes from events, and no more: another erasure may have redacted one since it was read, which writing
 * what was read would undo. Such a one is read again.
 */
export async function rewriteEvents(sql: Sql, events: readonly LoggedEvent[], redact: Redact): Promise<void> {
  for (let left = events; left.length > 0;) {
    const redacted = left.flatMap((event) => {
      const data = redact(event)
      return isDeepStrictEqual(data, event.data) ? [] : [{ ...event, data }]
    })
    if (redacted.length === 0) return
    const written = await sql.query<Named>(
      `update event e set data = x.data from jsonb_to_recordset($1::jsonb) as x(stream text, number bigint, data jsonb, digest text)
       where e.stream = x.stream and e.number = x.number and md5(e.data::text) = x.digest returning e.stream, e.number`,
      [JSON.stringify(redacted.map(({ stream, number, data, digest }) => ({ stream, number, data, digest })))],
    )
    const keyOf = ({ stream, number }: Named): string => `${stream} ${number}`
    const done = new Set(written.map(keyOf))
    left = await readNamed(
      sql,
      redacted.filter((event) => !done.has(keyOf(event))),
    )
  }
}
