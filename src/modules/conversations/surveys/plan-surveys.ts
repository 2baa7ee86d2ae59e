import { reading, type ReadSql } from '../../../platform/db/sql.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import type { Survey } from '../../channels/survey.js'
import { UNDO_MS } from '../state/closing.js'
import type { ConversationChange } from '../state/conversation-change.js'

/** A case that was closed. */
export interface ClosedCase {
  conversation: string
  /** Times as texts. */
  closedAt: string
  caseAt: string
  /** Those whose queues held it last. */
  channels: string[]
}

/** Job: asks the consumer for a rating of a case that was closed. */
export const SURVEY_ASK = defineJob<ClosedCase>('survey.ask', {
  conversation: 'string',
  closedAt: 'string',
  caseAt: 'string',
  channels: 'array',
})

/** Those of one conversation are asked for in the order in which it was closed. */
export const surveyKey = (conversation: string): string => `survey:${conversation}`

/**
 * Adds to operations that close a case of a channel with a survey the job that asks. Derived from the difference, so that no
 * way of closing can forget it; one that was undone asks nothing, since the job looks again.
 */
export async function planSurveys(changes: readonly ConversationChange[]): Promise<void> {
  for (const change of changes) {
    const { conversation, earlier, isRestoring, now, sql, undoMs } = change
    if (conversation.type !== 'contact' || conversation.status !== 'closed' || isRestoring) continue
    if (!earlier?.caseAt || (earlier.status !== 'active' && earlier.status !== 'queued')) continue
    const channels = earlier.caseChannels
    const found = channels.length > 0 && (await surveyOf(sql, channels))
    if (!found) continue
    const { id } = conversation
    const payload = {
      ...{ conversation: id, channels },
      ...{ closedAt: now.toISOString(), caseAt: earlier.caseAt.toISOString() },
    }
    const delayMs = Math.max(found.survey.delaySeconds * 1_000, UNDO_MS, undoMs)
    change.addJob(SURVEY_ASK.create(payload, { key: surveyKey(id), runAt: new Date(now.getTime() + delayMs) }))
  }
}

/** Returns the survey of the first of these channels that has one, as it is now. */
export async function surveyOf(
  sql: ReadSql,
  channels: readonly string[],
): Promise<{ channel: string; survey: Survey } | undefined> {
  const rows = await sql.query<{ channel: string; survey: Survey }>(SURVEY, [channels], 'survey-of-channels')
  return rows[0]
}

const SURVEY = reading(`
select id as channel, survey from channel where id = any($1::uuid[]) and survey is not null
order by array_position($1::uuid[], id) limit 1`)
