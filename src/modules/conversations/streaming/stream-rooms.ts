import { reading } from '../../../platform/db/sql.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { tooManyStreams } from './stream-errors.js'

/** Streams that are open at the same time. */
const OF_CONVERSATION_MAX = 2
const OF_USER_MAX = 50
const OF_CENTER_MAX = 500

/** A stream that is about to be begun. */
interface Beginning {
  id: string
  user: string
  /** Known once its conversation is. */
  center: string | null
}

/**
 * Room for streams. Those that are about to be begun on this node are not counted by the database yet: each counts the ones before it,
 * so that many at once take no more than there is. Between nodes it is not exact: what begins on two of them in the same milliseconds
 * may be more by the number of these.
 */
export class StreamRooms {
  readonly #beginning = new Set<Beginning>()

  /** Runs what begins a stream, whose operation calls `enter`, also repeatedly. */
  async during<T>(
    stream: { id: string; user: string },
    work: (enter: (change: ConversationChange) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const own: Beginning = { ...stream, center: null }
    this.#beginning.add(own)
    try {
      return await work((change) => this.#require(change, own))
    } finally {
      this.#beginning.delete(own)
    }
  }

  /** @throws RateLimited */
  async #require({ conversation, sql, streams }: ConversationChange, own: Beginning): Promise<void> {
    if (streams.length >= OF_CONVERSATION_MAX)
      throw tooManyStreams(`${OF_CONVERSATION_MAX} messages are being written in the conversation already`)
    own.center = conversation.org1
    const before: Beginning[] = []
    for (const each of this.#beginning) {
      if (each === own) break
      before.push(each)
    }
    const ids = before.map(({ id }) => id)
    const values = [conversation.org1, own.user, ids]
    const [open] = await sql.query<{ own: number; all: number }>(COUNT, values, 'count-open-streams')
    const ofUser = open!.own + before.filter(({ user }) => user === own.user).length
    const ofCenter = open!.all + before.filter(({ center }) => center === own.center).length
    if (ofUser >= OF_USER_MAX) throw tooManyStreams(`the user has ${OF_USER_MAX} open streams already`)
    if (ofCenter >= OF_CENTER_MAX) throw tooManyStreams(`the contact center has ${OF_CENTER_MAX} open streams already`)
  }
}

const COUNT = reading(`select count(*)::int as all, count(*) filter (where user_id = $2)::int as own
  from message_stream where org1 = $1 and ending is null and not id = any($3::uuid[])`)
