import { reading, type ReadSql } from '../../../platform/db/sql.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { StreamEnding } from '../../messages/stream-ending.js'
import { OPEN_STREAM_COLUMNS, OPEN_STREAMS, type OpenStream } from '../state/message-stream.js'

export interface StreamRow extends OpenStream {
  bytes: number
  ending: StreamEnding | null
}

export interface StreamWithText extends OpenStream {
  text: string
}

export async function readStream(sql: ReadSql, id: string): Promise<StreamRow | null> {
  const [row] = await sql.query<Record<string, unknown>>(ONE, [id], 'stream-of-id')
  return row ? camelRow<StreamRow>(row) : null
}

/** Reads the open streams of conversations, without their texts. */
export async function readOpenLengths(sql: ReadSql, conversations: readonly string[]): Promise<OpenStream[]> {
  const rows = await sql.query<Record<string, unknown>>(LENGTHS, [conversations], 'open-streams')
  return rows.map((row) => camelRow<OpenStream>(row))
}

/** Reads the open streams of conversations with the whole text that is stored of each. */
export async function readOpenStreams(sql: ReadSql, conversations: readonly string[]): Promise<StreamWithText[]> {
  const rows = await sql.query<Record<string, unknown>>(OPEN, [conversations], 'open-streams-with-text')
  return rows.map((row) => {
    const { parts, ...stream } = camelRow<OpenStream & { parts: string[] }>(row)
    return { ...stream, text: parts.map((part) => JSON.parse(part) as string).join('') }
  })
}

const ONE = reading(`select ${OPEN_STREAM_COLUMNS}, bytes, ending from message_stream where id = $1`)
const LENGTHS = reading(OPEN_STREAMS)
const OPEN = reading(`select ${OPEN_STREAM_COLUMNS},
    array(select p.text from message_stream_part p where p.stream_id = s.id order by p.at) as parts
  from message_stream s where s.conversation_id = any($1::uuid[]) and s.ending is null order by s.id`)
