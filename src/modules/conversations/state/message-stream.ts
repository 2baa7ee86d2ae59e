import type { TenantColumns } from '../../../platform/db/tenancy.js'
import type { StreamEnding } from '../../messages/stream-ending.js'

/** A message that is being written in front of its readers. Its id becomes that of the message. */
export interface OpenStream extends TenantColumns {
  id: string
  conversationId: string
  /** The user who began it, and alone adds to it. */
  userId: string
  /** The message but for its text, with its author; see `sending/end-stream.ts`. */
  saying: object
  /** In UTF-16 units. */
  length: number
  createdAt: Date
  /** Time of its last part. */
  touchedAt: Date
}

/** A stream that an operation ended. */
export interface EndedStream extends Pick<OpenStream, 'id' | 'conversationId' | 'userId' | 'saying' | 'createdAt'> {
  ending: StreamEnding
}

/** The longest text of a stream, in UTF-8 bytes, as of any message. */
export const STREAM_BYTES_MAX = 65_536

export const OPEN_STREAM_COLUMNS = `id, organization_id, org1, org2, org3, conversation_id, user_id, saying, length, created_at,
  touched_at`

/** Read once the conversation is locked: streams begin and end under its lock. */
export const OPEN_STREAMS = `select ${OPEN_STREAM_COLUMNS} from message_stream
  where conversation_id = any($1::uuid[]) and ending is null order by id`

export const INSERT_STREAMS = `insert into message_stream (${OPEN_STREAM_COLUMNS})
  select x.id, x."organizationId", x.org1, x.org2, x.org3, x."conversationId", x."userId", x.saying, 0, x."createdAt", x."touchedAt"
  from jsonb_to_recordset($1::jsonb) as x(id uuid, "organizationId" uuid, org1 uuid, org2 uuid, org3 uuid, "conversationId" uuid,
    "userId" uuid, saying jsonb, "createdAt" timestamptz, "touchedAt" timestamptz)`

/** The text is the message's by now: no part of it is left beside it. */
export const END_STREAMS = `with given as (
  select x.id, x.ending from jsonb_to_recordset($1::jsonb) as x(id uuid, ending text)
), ended as (
  update message_stream s set ending = g.ending from given g where s.id = g.id returning s.id
) delete from message_stream_part p using ended e where p.stream_id = e.id`
