import { graphqlEnum } from '../lists/graphql-enum.js'
import { measureOf, type Measure } from './measures.js'

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
  OFFERS_MADE: ['offersMade', 'Conversations that were offered or assigned to an agent, each time.'],
  OFFERS_ACCEPTED: ['offersAccepted', 'Offers that the agent accepted, and assignments.'],
  OFFERS_DECLINED: ['offersDeclined', 'Offers that the agent declined.'],
  OFFERS_EXPIRED: ['offersExpired', 'Offers that the agent did not answer in time.'],
  OFFERS_WITHDRAWN: ['offersWithdrawn', 'Offers that the server took back, or that somebody else accepted.'],
  OFFER_ANSWER_TIME: ['offerAnswerTime', 'Time from an offer until the agent accepted or declined it.'],
  AVAILABLE_TIME: ['availableTime', 'Time that agents were available.'],
  BUSY_TIME: ['busyTime', 'Time that agents were busy.'],
  AWAY_TIME: ['awayTime', 'Time that agents were away.'],
  NOT_RESPONDING_TIME: ['notRespondingTime', 'Time that agents were not responding.'],
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
  created: count(measureOf('created', 'all')),
  queued: count(measureOf('queued', 'all')),
  notified: count(measureOf('notified', 'all')),
  accepted: count(measureOf('accepted', 'all')),
  waitTime: time(measureOf('accepted', 'all')),
  abandoned: count(measureOf('abandoned', 'all')),
  firstResponseTime: time(measureOf('agentTurn', 'first')),
  responseTime: time(measureOf('agentTurn', 'all')),
  consumerTurns: count(measureOf('consumerTurn', 'all')),
  agentTurns: count(measureOf('agentTurn', 'all')),
  handleTime: time(measureOf('agentLeft', 'all')),
  categorised: count(measureOf('categorised', 'all')),
  closed: count(measureOf('closed', 'all')),
  resolutionTime: time(measureOf('closed', 'all')),
  merged: count(measureOf('merged', 'all')),
  deleted: count(measureOf('deleted', 'all')),
  offersMade: count(measureOf('offered', 'all')),
  offersAccepted: count(measureOf('offerEnded', 'accepted')),
  offersDeclined: count(measureOf('offerEnded', 'declined')),
  offersExpired: count(measureOf('offerEnded', 'expired')),
  offersWithdrawn: count(measureOf('offerEnded', 'withdrawn')),
  offerAnswerTime: time(measureOf('offerEnded', 'answered')),
  availableTime: time(measureOf('agentState', 'available')),
  busyTime: time(measureOf('agentState', 'busy')),
  awayTime: time(measureOf('agentState', 'away')),
  notRespondingTime: time(measureOf('agentState', 'notResponding')),
}
