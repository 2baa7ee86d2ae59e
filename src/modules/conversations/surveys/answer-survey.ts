import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { BadUserInput, Forbidden, Unprocessable } from '../../../platform/errors.js'
import { parseText } from '../../../platform/input.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { SurveyScale } from '../../channels/survey.js'
import { inGuestsConversation } from '../state/guest-line.js'
import { inMergedConversation } from '../state/merged-conversation.js'
import type { WritingChange } from '../state/writing-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { emitRating, type RatingRow } from './rating-row.js'

const COMMENT_CHARS_MAX = 2_000
const SCORES: Readonly<Record<SurveyScale, { min: number; max: number }>> = {
  thumbs: { min: 0, max: 1 },
  five: { min: 1, max: 5 },
}

export interface SurveyAnswer {
  /** Id of the rating. */
  id: string
  score: number
  comment?: string | null
}

/**
 * Rates a case, once: the same answer again changes nothing. It neither queues nor reopens the conversation.
 * @param ctx a guest's, of whose own conversation it must be, or the system's for whoever has the link
 * @throws NotFound; Unprocessable if another answer was given, or the time is over; BadUserInput
 */
export async function answerSurvey(writer: ConversationWriter, ctx: Context, given: SurveyAnswer): Promise<RatingRow> {
  const id = given.id.toLowerCase()
  const comment = parseComment(given.comment)
  const answer = (conversation: string): Promise<RatingRow> =>
    writer.runExclusive(ctx, conversation, (change) => rate(change, { id, score: given.score, comment }))
  const [found] = isId(id)
    ? await ctx.reads.query<{ conversation: string }>(CONVERSATION_OF, [id], 'conversation-of-rating')
    : []
  if (!found) throw recordNotFound('Rating', id)
  try {
    return ctx.guestCaller
      ? await inGuestsConversation(ctx, found.conversation, answer)
      : await inMergedConversation(ctx.reads, found.conversation, answer)
  } catch (error) {
    // Whose conversation it is stays unknown to whoever may not see it.
    if (error instanceof Error && error.name === 'NotFound') throw recordNotFound('Rating', id)
    throw error
  }
}

const CONVERSATION_OF = reading(
  'select conversation_id as conversation from rating where id = $1 and asked_at is not null',
)

async function rate(
  change: WritingChange,
  { id, score, comment }: { id: string; score: number; comment: string | null },
): Promise<RatingRow> {
  const { conversation, now, sql } = change
  if (change.aggregate.isContactBlocked) throw new Forbidden('the contact is blocked', { reason: 'CONTACT_BLOCKED' })
  const [row] = await sql.query<Record<string, unknown>>(
    `select r.*, c.comment from rating r left join rating_comment c on c.rating_id = r.id
     where r.id = $1 and r.conversation_id = $2 and exists (select 1 from conversation where id = r.case_conversation_id)
     for update of r`,
    [id, conversation.id],
  )
  if (!row) throw recordNotFound('Rating', id)
  const { comment: earlier, ...rating } = camelRow<RatingRow & { comment: string | null }>(row)
  requireScore(rating.scale, score)
  if (rating.score !== null) {
    if (rating.score === score && (comment === null || earlier === comment)) return rating
    throw new Unprocessable('the case has been rated: a rating is given once', { reason: 'ALREADY_RATED' })
  }
  if (rating.expiresAt! <= now) throw new Unprocessable('the time to rate is over', { reason: 'SURVEY_OVER' })
  const rated: RatingRow = { ...rating, score, ratedAt: now }
  change.afterWrites(
    'update rating set score = $2, rated_at = $3, updated_at = $3, version = version + 1 where id = $1',
    [...[id, score, now]],
  )
  if (comment !== null) {
    change.afterWrites(
      `insert into rating_comment (rating_id, conversation_id, case_conversation_id, comment)
       select id, conversation_id, case_conversation_id, $2 from rating where id = $1`,
      [id, comment],
    )
  }
  const detail = rating.scale === 'thumbs' ? (score === 1 ? 'up' : 'down') : String(score)
  change.noted.push({ kind: 'rated', userId: rating.userId, ms: null, detail, channels: rating.channels.toSorted() })
  await showAnswer(change, id)
  emitRating(change, rated, 'updated')
  return rated
}

/** Tells whoever watches the conversation: its question shows the answer. */
async function showAnswer(change: WritingChange, id: string): Promise<void> {
  const [question] = await change.sql.query<{ id: string }>(
    QUESTION,
    [change.conversation.id, id],
    'question-of-rating',
  )
  const message = question && (await change.findMessage(question.id))
  if (message) change.changeMessage(message)
}

const QUESTION = reading(
  `select id from message where conversation_id = $1 and meta ->> '_rating' = $2 order by position desc limit 1`,
)

function requireScore(scale: SurveyScale, score: number): void {
  const { min, max } = SCORES[scale]
  if (Number.isInteger(score) && score >= min && score <= max) return
  throw new BadUserInput('score', `score ${score} must be an integer from ${min} to ${max}`)
}

function parseComment(value: unknown): string | null {
  if (value === undefined || value === null) return null
  // Forms send a line break as two characters, and count one.
  const text = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value
  const comment = parseText(text, 'comment', { max: COMMENT_CHARS_MAX }).trim()
  return comment === '' ? null : comment
}
