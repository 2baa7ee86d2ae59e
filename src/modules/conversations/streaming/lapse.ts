import type { Context } from '../../../platform/context.js'
import type { Job, NewJob } from '../../../platform/jobs/job.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import { ifThere } from '../../../platform/if-there.js'
import { isToConsumer } from '../../messages/message-content.js'
import type { Router } from '../routing/router.js'
import { endStream, lockStream, sayingOf } from '../sending/end-stream.js'
import { requeueFor } from '../sending/requeue-for.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { OpenStream } from '../state/message-stream.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { readStream } from './read-streams.js'

/** A stream to which nothing is added is lost after this time. */
const SILENCE_MS = 15_000
/** A stream ends after this time, whatever is added. */
export const AGE_MS_MAX = 300_000

interface Lapse {
  conversation: string
  stream: string
}

/** Ends a stream that nobody goes on with. */
export const STREAM_LAPSE = defineJob<Lapse>('stream.lapse', { conversation: 'string', stream: 'string' })

type Aging = Pick<OpenStream, 'id' | 'conversationId' | 'createdAt' | 'touchedAt'>

export function lapseOf(stream: Aging): NewJob {
  const { id, conversationId } = stream
  return STREAM_LAPSE.create(
    { conversation: conversationId, stream: id },
    { key: `stream:${id}`, runAt: lapsesAt(stream) },
  )
}

const lapsesAt = ({ createdAt, touchedAt }: Aging): Date =>
  new Date(Math.min(touchedAt.getTime() + SILENCE_MS, createdAt.getTime() + AGE_MS_MAX))

/** Handles the job: ends the stream, or looks again when it may have lapsed. */
export async function lapse(
  { writer, router }: { writer: ConversationWriter; router: Router },
  system: Context,
  job: Job<Lapse>,
): Promise<void> {
  const { conversation, stream: id } = job.payload
  const known = await readStream(system.reads, id)
  if (!known || known.ending) return
  const settle = async (change: ConversationChange): Promise<void> => {
    const stream = change.streams.find((each) => each.id === id)
    if (!stream) return
    const { touchedAt } = await lockStream(change, stream)
    const now = { ...stream, touchedAt }
    if (change.now < lapsesAt(now)) return change.addJob(lapseOf(now))
    const isOld = change.now.getTime() >= stream.createdAt.getTime() + AGE_MS_MAX
    await endStream(change, stream, isOld ? 'limit' : 'lost')
    if (!isOld) await requeue(change, router, stream)
  }
  await ifThere(writer.run(system, conversation, settle, { job }))
}

/**
 * Its author is gone: unless a person has the conversation, it waits for one. Not for a note to the team by one who did not have
 * the conversation: the consumer misses nothing.
 */
async function requeue(change: ConversationChange, router: Router, stream: OpenStream): Promise<void> {
  const { userId } = stream
  if (!isToConsumer(sayingOf(stream).newMessage) && !change.participants.get(userId)?.accepted) return
  await requeueFor(change, router, userId, { trigger: 'the bot was lost', isUnanswered: true })
}
