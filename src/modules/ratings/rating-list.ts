import { SurveyScaleEnum } from '../channels/survey.js'
import { NotAskedEnum } from '../conversations/surveys/rating-row.js'
import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import { Rating } from './rating.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  conversation: { kind: 'id', sql: 't.conversation_id' },
  contact: { kind: 'id', sql: 't.contact_id' },
  channel: { kind: 'id', sql: 't.channel_id' },
  user: { kind: 'id', sql: 't.user_id' },
  touchpoint: { kind: 'text', sql: 't.touchpoint', values: TouchpointEnum },
  scale: { kind: 'text', sql: 't.scale', values: SurveyScaleEnum },
  notAsked: { kind: 'text', sql: 't.not_asked', values: NotAskedEnum },
  score: { kind: 'int', sql: 't.score' },
  askedAt: { kind: 'time', sql: 't.asked_at' },
  ratedAt: { kind: 'time', sql: 't.rated_at' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const ratingList: ListDefinition = {
  table: 'rating',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}
export const RatingFilter = filterInput('RatingFilter', fields)
export const RatingOrder = orderInput('Rating', fields)
export const RatingConnection = connectionType('Rating', () => Rating)
