import type { Context } from '../../../platform/context.js'
import { reading } from '../../../platform/db/sql.js'
import type { Job } from '../../../platform/jobs/job.js'
import type { Survey } from '../../channels/survey.js'
import { consumerVisibleSql } from '../../messages/message-row.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { deliver, routeOf } from '../delivery/deliver.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import type { WritingChange } from '../state/writing-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { SURVEY_ASK, surveyKey, surveyOf, type ClosedCase } from './plan-surveys.js'
import { emitRating, type NotAskedReason, type RatingRow } from './rating-row.js'
import type { SurveyLinks } from './survey-links.js'
import { surveyWords } from './survey-words.js'

/** Time in which a rating can be given. */
const VALID_MS = 14 * 86_400_000

/**
 * The job: asks once for the case if it is still closed, an agent answered, the contact can be reached and was not asked a
 * short time ago; else notes why not. The question is a message of the system (2.9): it answers nothing and opens nothing.
 */
export async function askSurvey(
  { writer, links }: { writer: ConversationWriter; links: SurveyLinks },
  system: Context,
  job: Job<ClosedCase>,
): Promise<void> {
  const ask = async (change: WritingChange): Promise<void> => {
    const { conversation } = change
    const { closedAt, caseAt, channels } = job.payload
    if (conversation.caseAt?.toISOString() === caseAt) return
    const isClosed = conversation.status === 'closed'
    const isLast = isClosed && conversation.closedAt?.toISOString() === closedAt
    // Closed again: after an undone closing the later job asks; after another case this one was not asked for.
    if (isClosed && !isLast && (await isPlannedAgain(change, job))) return
    const found = await surveyOf(change.sql, channels)
    if (!found || (await isKnown(change, job.payload))) return
    const user = await lastAgent(change, caseAt)
    const reach = isLast ? await reachBy(change, found.survey, user) : null
    const reason = reach ? reach.reason : conversation.status === 'archived' ? 'merged' : 'reopened'
    const rating = newRating(change, job.payload, { ...found, user, touchpoint: reach?.touchpoint ?? null, reason })
    insertRating(change, rating, { caseAt, reason })
    if (reason !== null) return
    await sendQuestion(change, { rating, survey: found.survey, links })
    change.noted.push({ kind: 'asked', userId: user, ms: null, detail: null, channels: channels.toSorted() })
    emitRating(change, rating, 'created')
  }
  await writer.runExclusive(system, job.payload.conversation, ask, { job, delivers: true })
}

/** Tells whether the same case was closed again, and is asked for by that. */
async function isPlannedAgain({ sql }: WritingChange, { id, payload }: Job<ClosedCase>): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from job where kind = $1 and key = $2 and id <> $3 and payload ->> 'caseAt' = $4 and payload ->> 'closedAt' > $5`,
    [SURVEY_ASK.kind, surveyKey(payload.conversation), id, payload.caseAt, payload.closedAt],
  )
  return rows.length > 0
}

async function isKnown({ sql }: WritingChange, { conversation, caseAt }: ClosedCase): Promise<boolean> {
  const rows = await sql.query('select 1 from rating where case_conversation_id = $1 and case_at = $2', [
    conversation,
    caseAt,
  ])
  return rows.length > 0
}

/** Returns the agent who answered last in the case; null if nobody or only bots did. */
async function lastAgent({ sql, conversation }: WritingChange, caseAt: string): Promise<string | null> {
  const rows = await sql.query<{ user: string }>(LAST_AGENT, [conversation.id, caseAt], 'last-agent-of-case')
  return rows[0]?.user ?? null
}

const LAST_AGENT = reading(`
select m.user_id as "user" from message m
where m.conversation_id = $1 and m.created_at >= $2 and m.role = 'agent' and m.user_id is not null
  and m.is_automated is distinct from true and ${consumerVisibleSql('m')}
order by m.position desc limit 1`)

interface Reached {
  reason: NotAskedReason | null
  touchpoint: Touchpoint | null
}

async function reachBy(change: WritingChange, survey: Survey, user: string | null): Promise<Reached> {
  const refused = (reason: NotAskedReason): Reached => ({ reason, touchpoint: null })
  if (user === null) return refused('noAgent')
  if (change.aggregate.isContactBlocked) return refused('blocked')
  const route = await routeOf(change, { userId: null, meta: null }, { service: null, touchpoint: null })
  if (!route || 'failure' in route) return refused('unreachable')
  const { touchpoint } = route
  if (survey.touchpoints && !survey.touchpoints.includes(touchpoint)) return refused('otherTouchpoint')
  if (await wasAsked(change, survey.onceDays)) return refused('askedRecently')
  return { reason: null, touchpoint }
}

/** Locks the contact, so that of two of its conversations one asks. */
async function wasAsked({ sql, conversation, now }: WritingChange, onceDays: number): Promise<boolean> {
  if (onceDays === 0) return false
  const { contactId } = conversation
  await sql.query('select 1 from contact where id = $1 for no key update', [contactId])
  const since = new Date(now.getTime() - onceDays * 86_400_000)
  const rows = await sql.query('select 1 from rating where contact_id = $1 and asked_at > $2 limit 1', [
    contactId,
    since,
  ])
  return rows.length > 0
}

function newRating(
  { clock, conversation, now }: WritingChange,
  { channels }: ClosedCase,
  { channel, survey, user, touchpoint, reason }: { channel: string; survey: Survey; user: string | null } & Reached,
): RatingRow {
  const { id, organizationId, org1, org2, org3 } = conversation
  const isAsked = reason === null
  return {
    id: clock.newId(),
    ...{ organizationId, org1, org2, org3 },
    ...{ conversationId: id, channelId: channel, channels, userId: user, touchpoint, scale: survey.scale },
    askedAt: isAsked ? now : null,
    expiresAt: isAsked ? new Date(now.getTime() + VALID_MS) : null,
    ...{ score: null, ratedAt: null },
  }
}

function insertRating(
  change: WritingChange,
  { id, organizationId, org1, org2, org3, ...rating }: RatingRow,
  { caseAt, reason }: { caseAt: string; reason: NotAskedReason | null },
): void {
  const { conversation, now } = change
  const { conversationId, channelId, channels, userId, touchpoint, scale, askedAt, expiresAt } = rating
  change.afterWrites(
    `insert into rating (id, organization_id, org1, org2, org3, created_at, updated_at, conversation_id,
       case_conversation_id, case_at, contact_id, channel_id, channels, user_id, touchpoint, scale, not_asked, asked_at,
       expires_at)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $7, $8, $9, $10, $11::uuid[], $12, $13, $14, $15, $16, $17)`,
    [
      ...[id, organizationId, org1, org2, org3, now, conversationId, caseAt, conversation.contactId, channelId],
      ...[channels, userId, touchpoint, scale, reason, askedAt, expiresAt],
    ],
  )
}

/** Sends the question; where there is no page of ours, with the address of one. */
async function sendQuestion(
  change: WritingChange,
  { rating, survey, links }: { rating: RatingRow; survey: Survey; links: SurveyLinks },
): Promise<void> {
  const { question, rate } = surveyWords(change.conversation.language)
  const asked = survey.text ?? question
  const isInline = rating.touchpoint === 'web'
  const message = change.addMessage({
    ...emptyMessage(change.clock.newId()),
    touchpoint: rating.touchpoint,
    text: isInline ? asked : `${asked}\n\n${rate} ${links.urlOf(rating.id, rating.expiresAt!)}`,
    meta: { _rating: rating.id },
  })
  await deliver(change, message)
}
