import { graphqlEnum } from '../lists/graphql-enum.js'
import { firstAnswer, measureOf, type Measure } from './measures.js'

/** What reports count, each dated by its own milestone. Definitions for users: docs/guide/reports.md. */
export const ReportMetricEnum = graphqlEnum('ReportMetric', 'Metric that a report counts or measures.', {
  CREATED: ['created', 'Conversations that were created with a consumer.'],
  QUEUED: ['queued', 'Times that a conversation began to wait in the queue.'],
  NOTIFIED: ['notified', 'Times that a conversation came into the queue of one or more channels.'],
  ACCEPTED: ['accepted', 'Times that an agent accepted a conversation.'],
  WAIT_TIME: ['waitTime', 'Time in the queue until an agent accepted.'],
  ABANDONED: ['abandoned', 'Conversations that left the queue closed or deleted, and the time they had waited.'],
  FIRST_RESPONSE_TIME: ['firstResponseTime', "Time from the first consumer message of a case until an agent's answer."],
  RESPONSE_TIME: ['responseTime', "Time from the first unanswered consumer message until an agent's answer."],
  CONSUMER_TURNS: ['consumerTurns', 'Times that a consumer began to wait for an answer.'],
  AGENT_TURNS: ['agentTurns', 'Times that an agent answered a consumer who waited.'],
  HANDLE_TIME: [
    'handleTime',
    'Time from accepting a conversation until the agent left it, or it was closed or requeued.',
  ],
  CATEGORISED: ['categorised', 'Times that the category of a conversation changed.'],
  CLOSED: ['closed', 'Cases that were closed.'],
  RESOLUTION_TIME: ['resolutionTime', 'Time from the beginning of a case until it was closed.'],
  MERGED: ['merged', 'Conversations that were merged into another one.'],
  DELETED: ['deleted', 'Conversations that were deleted.'],
})
export type ReportMetric = (typeof ReportMetricEnum)[keyof typeof ReportMetricEnum]
export const REPORT_METRICS = Object.values(ReportMetricEnum)

export interface Metric {
  measure: Measure
  /** Whether it is a duration: counts only what has one. */
  isTimed: boolean
}

const count = (measure: Measure): Metric => ({ measure, isTimed: false })
const time = (measure: Measure): Metric => ({ measure, isTimed: true })

/** Where each metric is read. */
export const METRICS: Readonly<Record<ReportMetric, Metric>> = {
  created: count(measureOf('created')),
  queued: count(measureOf('queued')),
  notified: count(measureOf('notified')),
  accepted: count(measureOf('accepted')),
  waitTime: time(measureOf('accepted')),
  abandoned: count(measureOf('abandoned')),
  firstResponseTime: time(firstAnswer),
  responseTime: time(measureOf('agentTurn')),
  consumerTurns: count(measureOf('consumerTurn')),
  agentTurns: count(measureOf('agentTurn')),
  handleTime: time(measureOf('agentLeft')),
  categorised: count(measureOf('categorised')),
  closed: count(measureOf('closed')),
  resolutionTime: time(measureOf('closed')),
  merged: count(measureOf('merged')),
  deleted: count(measureOf('deleted')),
}
