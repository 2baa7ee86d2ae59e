import { organizationStream, type RecordChange, type ResourceEvents } from '../../../platform/events/event.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import type { TenantColumns } from '../../../platform/db/tenancy.js'
import type { SurveyScale } from '../../channels/survey.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import type { ConversationChange } from '../state/conversation-change.js'

export const NotAskedEnum = graphqlEnum('NotAskedReason', 'Reason for which a consumer was not asked to rate a case.', {
  NO_AGENT: ['noAgent', 'No agent had answered in the case.'],
  BLOCKED: ['blocked', 'The contact was blocked.'],
  UNREACHABLE: ['unreachable', 'No touchpoint could reach the contact.'],
  OTHER_TOUCHPOINT: ['otherTouchpoint', 'The survey does not ask by the touchpoint that reaches the contact.'],
  ASKED_RECENTLY: ['askedRecently', 'The contact had been asked within `onceDays`.'],
  REOPENED: ['reopened', 'The conversation had gone on before it was asked.'],
  MERGED: ['merged', 'The conversation had been merged into another one before it was asked.'],
})
export type NotAskedReason = (typeof NotAskedEnum)[keyof typeof NotAskedEnum]

/** A rating as events show it: ids and numbers, not the consumer's words. */
export interface RatingData {
  conversation: string
  channel: string
  user: string | null
  touchpoint: Touchpoint | null
  scale: SurveyScale
  score: number | null
}

declare module '../../../platform/events/event.js' {
  interface EventTypes extends Omit<ResourceEvents<'rating', RatingData>, 'rating.deleted'> {}
}

/** Members of a rating's row that writing it needs. */
export interface RatingRow extends TenantColumns {
  id: string
  conversationId: string
  channelId: string
  channels: string[]
  userId: string | null
  touchpoint: Touchpoint | null
  scale: SurveyScale
  askedAt: Date | null
  expiresAt: Date | null
  score: number | null
  ratedAt: Date | null
}

export function emitRating(
  change: ConversationChange,
  rating: RatingRow,
  what: Exclude<RecordChange, 'deleted'>,
): void {
  const { id, organizationId, conversationId, channelId, userId, touchpoint, scale, score } = rating
  change.emit(organizationStream(organizationId), `rating.${what}`, {
    ...{ id, organization: organizationId, conversation: conversationId, channel: channelId, user: userId },
    ...{ touchpoint, scale, score },
  })
}
