import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import type { ClockKind } from '../sla/clock-kind.js'
import { measureOf, type Measure } from './measures.js'

/** Metrics of reports, each dated by its own milestone. Definitions for users: docs/guide/reports.md. */
export const ReportMetricEnum = graphqlEnum('ReportMetric', 'Metric that a report counts or measures.', {
  CREATED: ['created', 'Conversations that were created with a consumer.'],
  QUEUED: ['queued', 'Times that a conversation began to wait in the queue.'],
  NOTIFIED: ['notified', 'Times that a conversation came into the queue of one or more channels.'],
  ACCEPTED: ['accepted', 'Times that an agent accepted a conversation.'],
  WAIT_TIME: ['waitTime', 'Time in the queue until an agent accepted.'],
  ABANDONED: ['abandoned', 'Conversations that left the queue closed or deleted, and the time they had waited.'],
  SHORT_ABANDONED: ['shortAbandoned', 'Those of `ABANDONED` that waited less than `shortAbandonSeconds`.'],
  HANDLED: ['handled', 'Times that an agent took a conversation from the queue.'],
  SERVICE_LEVEL: [
    'serviceLevel',
    'Those of `HANDLED` that had waited at most `answerSeconds`; `share` is of all handled, and of those who gave up later.',
  ],
  FIRST_RESPONSE_TIME: ['firstResponseTime', "Time from the first consumer message of a case until an agent's answer."],
  RESPONSE_TIME: ['responseTime', "Time from the first unanswered consumer message until an agent's answer."],
  FIRST_TEXT_TIME: [
    'firstTextTime',
    'Time from the first unanswered consumer message until the first text of an answer that was streamed.',
  ],
  CONSUMER_TURNS: ['consumerTurns', 'Times that a consumer began to wait for an answer.'],
  AGENT_TURNS: ['agentTurns', 'Times that an agent answered a consumer who waited.'],
  HANDLE_TIME: [
    'handleTime',
    'Time from accepting a conversation until the agent left it, or it was closed or requeued, but not while it was snoozed.',
  ],
  TRANSFERRED: ['transferred', 'Times that an agent handed a conversation over, to a colleague or to a queue.'],
  TRANSFERRED_TO_AGENT: ['transferredToAgent', 'Those of `TRANSFERRED` that went to a colleague.'],
  TRANSFERRED_TO_QUEUE: ['transferredToQueue', 'Those of `TRANSFERRED` that went to the queue of a channel.'],
  RECEIVED: ['received', 'Times that an agent was handed a conversation by a colleague.'],
  CATEGORISED: ['categorised', 'Times that the category of a conversation changed.'],
  LABELLED: ['labelled', 'Times that a label was put on a conversation.'],
  MACRO_RUNS: ['macroRuns', 'Times that an agent ran a macro on a conversation.'],
  SNOOZED: ['snoozed', 'Times that a conversation of an agent was put aside until a later time.'],
  SNOOZE_TIME: ['snoozeTime', 'Time for which conversations were put aside, until they were woken.'],
  ASKED: ['asked', 'Times that a consumer was asked to rate a case.'],
  RATED: ['rated', 'Times that a consumer rated a case; `share` is of all asked.'],
  RATING: [
    'rating',
    'Cases that consumers rated; `ratio` is the average from 1 to 5, in which thumbs up count as 5 and thumbs down as 1.',
  ],
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
  PROPOSALS_MADE: ['proposalsMade', 'Times that a bot proposed something.'],
  PROPOSALS_ACCEPTED: [
    'proposalsAccepted',
    'Proposals that a person approved, or took unchanged; `share` is of all that ended.',
  ],
  PROPOSALS_EDITED: ['proposalsEdited', 'Proposals that a person changed and took; `share` is of all that ended.'],
  PROPOSALS_REJECTED: ['proposalsRejected', 'Proposals that a person rejected; `share` is of all that ended.'],
  PROPOSALS_IGNORED: [
    'proposalsIgnored',
    'Proposals that ended before anybody had decided; `share` is of all that ended.',
  ],
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
  AVAILABLE_TIME: ['availableTime', 'Time that agents were available, up to now; counts those that ended.'],
  BUSY_TIME: ['busyTime', 'Time that agents were busy, up to now; counts those that ended.'],
  AWAY_TIME: ['awayTime', 'Time that agents were away, up to now; counts those that ended.'],
  NOT_RESPONDING_TIME: [
    'notRespondingTime',
    'Time that agents were not responding, up to now; counts those that ended.',
  ],
  WRAP_UP_TIME: ['wrapUpTime', 'Time that agents wrapped up after closing, up to now; counts those that ended.'],
  OCCUPANCY: [
    'occupancy',
    'Time at work (`AVAILABLE`, `BUSY` or `WRAP_UP`) in which agents had a conversation or wrapped up; `share` is of all ' +
      'their time at work.',
  ],
  CONCURRENCY: [
    'concurrency',
    'Time at work in which agents had conversations, that of each conversation added; `ratio` is how many they had at once.',
  ],
  OFFLINE: ['offline', 'Times that agents were offline, counted when it ended.'],
})
export type ReportMetric = (typeof ReportMetricEnum)[keyof typeof ReportMetricEnum]
export const REPORT_METRICS = Object.values(ReportMetricEnum)

export interface Metric {
  measure: Measure
  /** True if it is a duration: counts only what has one. */
  isTimed: boolean
  /** Measures of what else there was: the metric is also a share of all. */
  others?: readonly Measure[]
  /** Measure of what is not over yet, or is over in a later slot: adds time only. */
  goingOn?: Measure
  /** Measures whose time the metric is a share of. Its own is cut into quarters of an hour: only the sum says something. */
  partOf?: readonly Measure[]
  /** Measure by whose time its own is divided. It is cut as well. */
  per?: Measure
  /** Measure of whose count its own is a share. */
  outOf?: Measure
  /** Measures of what counts this much: the metric is also the average. */
  scores?: readonly (readonly [measure: Measure, score: number])[]
}

/** Tells whether a metric's time is cut into quarters of an hour, so that nothing is known of each piece. */
export const isCut = ({ goingOn, partOf, per }: Metric): boolean => Boolean(goingOn ?? partOf ?? per)

const count = (measure: Measure): Metric => ({ measure, isTimed: false })
const time = (measure: Measure): Metric => ({ measure, isTimed: true })
const timeIn = (state: 'available' | 'busy' | 'away' | 'notResponding' | 'wrapUp'): Metric => ({
  ...time(measureOf('agentState', state)),
  goingOn: measureOf('agentState', `${state}On`),
})

const AT_WORK = (['available', 'busy', 'wrapUp'] as const).flatMap((state) => [
  measureOf('agentState', state),
  measureOf('agentState', `${state}On`),
])

type SlaMetrics<Clock extends ClockKind> = Record<`${Clock}Sla${'Met' | 'Breached' | 'Overrun'}`, Metric>

function slaMetrics<Clock extends ClockKind>(clock: Clock): SlaMetrics<Clock> {
  const [met, breached] = [measureOf('clockMet', clock), measureOf('clockBreached', clock)]
  return {
    [`${clock}SlaMet`]: { ...count(met), others: [breached] },
    [`${clock}SlaBreached`]: { ...count(breached), others: [met] },
    [`${clock}SlaOverrun`]: time(measureOf('clockOverrun', clock)),
  } as SlaMetrics<Clock>
}

const OUTCOMES = ['accepted', 'edited', 'rejected', 'ignored'] as const
const proposals = (outcome: (typeof OUTCOMES)[number]): Metric => ({
  ...count(measureOf('proposalEnded', outcome)),
  others: OUTCOMES.filter((each) => each !== outcome).map((each) => measureOf('proposalEnded', each)),
})

/** Source of each metric. */
export const METRICS: Readonly<Record<ReportMetric, Metric>> = {
  created: count(measureOf('created', 'all')),
  queued: count(measureOf('queued', 'all')),
  notified: count(measureOf('notified', 'all')),
  accepted: count(measureOf('accepted', 'all')),
  waitTime: time(measureOf('accepted', 'all')),
  abandoned: count(measureOf('abandoned', 'all')),
  shortAbandoned: count(measureOf('abandoned', 'short')),
  handled: count(measureOf('accepted', 'fromQueue')),
  serviceLevel: {
    ...count(measureOf('accepted', 'inTime')),
    others: [measureOf('accepted', 'late'), measureOf('abandoned', 'long')],
  },
  firstResponseTime: time(measureOf('agentTurn', 'first')),
  responseTime: time(measureOf('agentTurn', 'all')),
  firstTextTime: time(measureOf('firstText', 'all')),
  consumerTurns: count(measureOf('consumerTurn', 'all')),
  agentTurns: count(measureOf('agentTurn', 'all')),
  handleTime: time(measureOf('agentLeft', 'all')),
  transferred: count(measureOf('transferred', 'all')),
  transferredToAgent: count(measureOf('transferred', 'toAgent')),
  transferredToQueue: count(measureOf('transferred', 'toQueue')),
  received: count(measureOf('received', 'all')),
  categorised: count(measureOf('categorised', 'all')),
  labelled: count(measureOf('labelled', 'all')),
  macroRuns: count(measureOf('macro', 'all')),
  snoozed: count(measureOf('snoozed', 'all')),
  snoozeTime: time(measureOf('woken', 'all')),
  closed: count(measureOf('closed', 'all')),
  resolutionTime: time(measureOf('closed', 'all')),
  merged: count(measureOf('merged', 'all')),
  deleted: count(measureOf('deleted', 'all')),
  asked: count(measureOf('asked', 'all')),
  rated: { ...count(measureOf('rated', 'all')), outOf: measureOf('asked', 'all') },
  rating: {
    ...count(measureOf('rated', 'all')),
    scores: (['one', 'two', 'three', 'four', 'five'] as const).map((each, index) => [
      measureOf('rated', each),
      index + 1,
    ]),
  },
  offersMade: count(measureOf('offered', 'all')),
  offersAccepted: count(measureOf('offerEnded', 'accepted')),
  offersDeclined: count(measureOf('offerEnded', 'declined')),
  offersExpired: count(measureOf('offerEnded', 'expired')),
  offersWithdrawn: count(measureOf('offerEnded', 'withdrawn')),
  offerAnswerTime: time(measureOf('offerEnded', 'answered')),
  proposalsMade: count(measureOf('proposed', 'all')),
  proposalsAccepted: proposals('accepted'),
  proposalsEdited: proposals('edited'),
  proposalsRejected: proposals('rejected'),
  proposalsIgnored: proposals('ignored'),
  ...slaMetrics('queue'),
  ...slaMetrics('firstResponse'),
  ...slaMetrics('nextResponse'),
  ...slaMetrics('resolution'),
  availableTime: timeIn('available'),
  busyTime: timeIn('busy'),
  awayTime: timeIn('away'),
  notRespondingTime: timeIn('notResponding'),
  wrapUpTime: timeIn('wrapUp'),
  occupancy: { ...time(measureOf('occupied', 'all')), partOf: AT_WORK },
  concurrency: { ...time(measureOf('held', 'all')), per: measureOf('occupied', 'byConversations') },
  offline: count(measureOf('agentState', 'offline')),
}

/** Metrics of what no agent did, of which an agent's own report would say nothing. */
const NOBODYS: ReadonlySet<ReportMetric> = new Set<ReportMetric>([
  ...(['created', 'queued', 'notified', 'abandoned', 'shortAbandoned', 'consumerTurns'] as const),
  ...(['categorised', 'closed', 'resolutionTime', 'merged', 'deleted'] as const),
  ...(['proposalsMade', 'proposalsIgnored'] as const),
])
export const isOfAgents = (metric: ReportMetric): boolean => !NOBODYS.has(metric)

/** The measures that a report of these metrics reads. */
export const measuresOf = (metrics: readonly ReportMetric[]): number[] => [
  ...new Set(
    metrics.flatMap((metric) => {
      const { measure, others = [], goingOn, partOf = [], per, outOf, scores = [] } = METRICS[metric]
      return [measure, ...others, goingOn, ...partOf, per, outOf, ...scores.map(([each]) => each)].flatMap(
        (each) => each?.code ?? [],
      )
    }),
  ),
]
