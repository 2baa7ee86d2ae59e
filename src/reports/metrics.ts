import { graphqlEnum } from '../lists/graphql-enum.js'
import type { ClockKind } from '../sla/clock-kind.js'
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
  QUEUE_SLA_MET: ['queueSlaMet', 'Clocks of queue that stopped in time.'],
  QUEUE_SLA_BREACHED: ['queueSlaBreached', 'Clocks of queue that missed their target, when it was due.'],
  QUEUE_SLA_OVERRUN: ['queueSlaOverrun', 'Open time from when a clock of queue was due until it ended.'],
  FIRST_RESPONSE_SLA_MET: ['firstResponseSlaMet', 'Clocks of first response that stopped in time.'],
  FIRST_RESPONSE_SLA_BREACHED: [
    'firstResponseSlaBreached',
    'Clocks of first response that missed their target, when it was due.',
  ],
  FIRST_RESPONSE_SLA_OVERRUN: [
    'firstResponseSlaOverrun',
    'Open time from when a clock of first response was due until it ended.',
  ],
  NEXT_RESPONSE_SLA_MET: ['nextResponseSlaMet', 'Clocks of next response that stopped in time.'],
  NEXT_RESPONSE_SLA_BREACHED: [
    'nextResponseSlaBreached',
    'Clocks of next response that missed their target, when it was due.',
  ],
  NEXT_RESPONSE_SLA_OVERRUN: [
    'nextResponseSlaOverrun',
    'Open time from when a clock of next response was due until it ended.',
  ],
  RESOLUTION_SLA_MET: ['resolutionSlaMet', 'Clocks of resolution that stopped in time.'],
  RESOLUTION_SLA_BREACHED: ['resolutionSlaBreached', 'Clocks of resolution that missed their target, when it was due.'],
  RESOLUTION_SLA_OVERRUN: ['resolutionSlaOverrun', 'Open time from when a clock of resolution was due until it ended.'],
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
  /** What became of the other targets: the metric is also a share of both. */
  others?: Measure
}

const count = (measure: Measure): Metric => ({ measure, isTimed: false })
const time = (measure: Measure): Metric => ({ measure, isTimed: true })

type SlaMetrics<Clock extends ClockKind> = Record<`${Clock}Sla${'Met' | 'Breached' | 'Overrun'}`, Metric>

function slaMetrics<Clock extends ClockKind>(clock: Clock): SlaMetrics<Clock> {
  const [met, breached] = [measureOf('clockMet', clock), measureOf('clockBreached', clock)]
  return {
    [`${clock}SlaMet`]: { ...count(met), others: breached },
    [`${clock}SlaBreached`]: { ...count(breached), others: met },
    [`${clock}SlaOverrun`]: time(measureOf('clockOverrun', clock)),
  } as SlaMetrics<Clock>
}

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
  ...slaMetrics('queue'),
  ...slaMetrics('firstResponse'),
  ...slaMetrics('nextResponse'),
  ...slaMetrics('resolution'),
  availableTime: time(measureOf('agentState', 'available')),
  busyTime: time(measureOf('agentState', 'busy')),
  awayTime: time(measureOf('agentState', 'away')),
  notRespondingTime: time(measureOf('agentState', 'notResponding')),
}

/** The measures that a report of these metrics reads. */
export const measuresOf = (metrics: readonly ReportMetric[]): number[] => [
  ...new Set(
    metrics.flatMap((metric) => {
      const { measure, others } = METRICS[metric]
      return others ? [measure.code, others.code] : [measure.code]
    }),
  ),
]
