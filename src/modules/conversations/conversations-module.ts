import type { Logger } from 'pino'
import type { BotBudgets } from '../bots/bot-budgets.js'
import { tellSpent } from '../bots/tell-spent.js'
import { pruneBotDays } from '../bots/read-budgets.js'
import type { LinkTokens } from '../auth/link-tokens.js'
import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import type { Dispatcher } from '../../platform/events/dispatcher.js'
import type { WritingAccounts } from '../../platform/fairness/writing-accounts.js'
import type { Outbox } from '../../platform/events/outbox.js'
import type { RedisClient } from '../../platform/redis.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Pulse } from '../../platform/jobs/pulse.js'
import type { RunnerSessions } from '../../platform/jobs/runner-session.js'
import type { GuestLimits } from '../../platform/limits/guest-limits.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import type { Mailer } from '../../platform/outbound/mailer.js'
import type { Presence } from '../../platform/presence/presence.js'
import { TermsCache } from '../sla/clock-terms.js'
import type { PolicyCache } from '../sla/policy-cache.js'
import type { RuleEngines } from '../workflows/evaluation.js'
import type { WorkflowCache } from '../workflows/workflow-cache.js'
import { ActionsResolver } from './api/actions-resolver.js'
import { BulkRefusalsResolver, BulkResolver } from './api/bulk-resolver.js'
import { CaseChannelsResolver } from './api/case-channels-resolver.js'
import { ClocksResolver } from './api/clocks-resolver.js'
import { ClosingResolver } from './api/closing-resolver.js'
import { ConversationLabelsResolver } from './api/conversation-labels-resolver.js'
import { CommandsResolver } from './api/commands-resolver.js'
import { ContactConversationResolver } from './api/contact-conversation-resolver.js'
import { ContactPresencesResolver } from './api/contact-presences-resolver.js'
import { ConversationTouchpointsResolver } from './api/conversation-touchpoints.js'
import { ConversationsResolver, ParticipantsResolver } from './api/conversations-resolver.js'
import { MacroRunsResolver } from './api/macro-runs-resolver.js'
import { MessageAddressResolver } from './api/message-address-resolver.js'
import { MessageAttachmentsResolver } from './api/message-attachments-resolver.js'
import { MessageFormsResolver } from './api/message-forms-resolver.js'
import { DeliveriesResolver, MessageDeliveriesResolver } from './api/message-deliveries-resolver.js'
import { ForwardingResolver } from './api/forwarding-resolver.js'
import { MessagesResolver } from './api/messages-resolver.js'
import { ReplayResolver } from './api/replay-resolver.js'
import { SnoozeResolver } from './api/snooze-resolver.js'
import { ViewCountsResolver } from './api/view-counts-resolver.js'
import { ConversationViewersResolver, ViewedConversationResolver } from './api/viewers.js'
import { BULK_SLICE, pruneBulkRuns } from './bulk/bulk-run.js'
import { BulkRunner } from './bulk/bulk-runner.js'
import { registerConversationJobs } from './conversation-jobs.js'
import { GuestReceipts } from './delivery/guest-receipts.js'
import { AgentStatesResolver } from './live/agent-states-resolver.js'
import { AgentStatesSource } from './live/agent-states-source.js'
import { BulkChangedResolver } from './live/bulk-changed-resolver.js'
import { ConversationSource } from './live/conversation-source.js'
import { DraftsResolver } from './live/drafts-resolver.js'
import { InboxEntriesResolver, NotifiedConversationsResolver, QueueEntriesResolver } from './live/entries-resolver.js'
import { InboxSource, MyConversationsSource } from './live/inbox-source.js'
import { LiveResolver } from './live/live-resolver.js'
import { QueueSource } from './live/queue-source.js'
import { ChargesOfBot } from './messages/charges-of.js'
import { createResultsMailer, RESULTS_MAIL } from './messages/results-mail.js'
import { AssignmentCache } from '../channels/assignment-cache.js'
import {
  OfferCandidatesResolver,
  OfferedConversationResolver,
  OffersResolver,
  OfferTracesResolver,
} from './api/offers-resolver.js'
import { ClockPolicies } from './clocks/clock-policies.js'
import { ClosedHours } from './clocks/closed-hours.js'
import { CompiledSchedules } from '../schedules/current-schedule.js'
import { registerClockJobs } from './clocks/clock-jobs.js'
import { planSurveys } from './surveys/plan-surveys.js'
import type { SurveyLinks } from './surveys/survey-links.js'
import { Matcher } from './offers/matcher.js'
import { addWrapUps } from './offers/wrap-ups.js'
import { PlaceReader } from './place/place-reader.js'
import { PlaceTicker } from './place/place-ticker.js'
import { PlaceResolver } from './api/place-resolver.js'
import { registerOfferJobs } from './offers/offer-jobs.js'
import { GoneWatch } from './offers/requeue-gone.js'
import { ChannelsBack } from './routing/channels-back.js'
import { pruneRoutingDecisions } from './routing/prune-decisions.js'
import { pruneMerges } from './state/merged-conversation.js'
import { GrantsOfBot } from './routing/grants-of.js'
import { Router } from './routing/router.js'
import { endStream } from './sending/end-stream.js'
import { handOverSpent } from './sending/hand-over-spent.js'
import type { SendDependencies } from './sending/send-message.js'
import { stopStream } from './streaming/finish-stream.js'
import { frameIn, frameOf } from './streaming/stream-frame.js'
import { StreamAppender } from './streaming/stream-appender.js'
import { StreamRelay } from './streaming/stream-relay.js'
import { StreamRooms } from './streaming/stream-rooms.js'
import { pruneStreams } from './streaming/prune-streams.js'
import { ApprovedMessagesResolver, ProposalsResolver, ProposingBotsResolver } from './api/proposals-resolver.js'
import { ProposalRequests } from './proposals/request-proposal.js'
import { ProposalChangedResolver } from './live/proposal-changed-resolver.js'
import { StreamsResolver } from './api/streams-resolver.js'
import { TypingSigns } from './live/typing-signs.js'
import { ConversationWriter } from './writer/conversation-writer.js'

export interface ConversationsDependencies {
  config: Config
  clock: Clock
  log: Logger
  metrics: Metrics
  database: Database
  writingAccounts: WritingAccounts
  guestLimits: GuestLimits
  /** Counts what agents ask of bots, for all nodes. */
  redis: RedisClient | undefined
  dispatcher: Dispatcher
  jobs: JobRunner
  sessions: RunnerSessions
  pulse: Pulse
  wakeJobs: () => void
  transact: Transact
  outbox: Outbox
  presence: Presence
  mailer: Mailer
  linkTokens: LinkTokens
  surveyLinks: SurveyLinks
  engines: RuleEngines
  workflows: WorkflowCache
  /** Knows which contact centers have SLA policies. */
  policies: PolicyCache
  systemContext: (requestId: string) => Context
  budgets: BotBudgets
}

export interface ConversationsModule extends Module {
  /** Used by the other modules that send messages: touchpoints, webhooks, the erasure of personal data. */
  send: SendDependencies
  /** Heard by the touchpoints. */
  typing: TypingSigns
}

/** Builds the writer, routing, the resolvers and the live sources of conversations, and registers their jobs. */
export function openConversationsModule(dependencies: ConversationsDependencies): ConversationsModule {
  const { clock, config, database, dispatcher, jobs, linkTokens, log, mailer, presence } = dependencies
  const { budgets, engines, systemContext, transact, wakeJobs } = dependencies
  const { idleMinutes, publicUrl, linkOrigins, routingTraceDays } = config
  const send = openSending(dependencies)
  const { assignments, clockPolicies, matcher, relay, router, writer } = send
  const appender = new StreamAppender({
    sql: database,
    clock,
    log,
    relay,
    end: (stream, ending) => stopStream({ writer }, systemContext(stream.id), stream, ending),
  })
  dispatcher.onEphemeral((event) => {
    const frame = frameIn(event)
    if (frame?.ending) appender.forget(frame.id)
  })
  budgets.onSpent(async (bot, spent, conversation) => {
    const system = systemContext(`budget of ${bot}`)
    if (conversation !== null) await handOverSpent({ writer, router }, system, conversation, { bot, spent })
    await tellSpent(system, transact, bot, spent)
  })
  const review = { database, clock, idleMinutes, writer }
  const { surveyLinks } = dependencies
  registerConversationJobs({ assignments, jobs, systemContext, router, publicUrl, surveyLinks, ...review })
  jobs.register(RESULTS_MAIL, createResultsMailer({ sql: database, log, mailer, publicUrl }))
  const bulk = new BulkRunner({ ...send, database, clock, log, transact, systemContext })
  jobs.register(BULK_SLICE, bulk.jobKind)
  registerOfferJobs({ jobs, matcher, assignments, systemContext, ...review })
  registerClockJobs({ jobs, writer, router, systemContext })
  const goneWatch = new GoneWatch({ database, clock, log, writer, router, systemContext, pulse: dependencies.pulse })
  const receipts = new GuestReceipts({ writer, log, systemContext })
  const places = new PlaceReader({ database, clock, compiled: send.schedules })
  const placeTicker = new PlaceTicker({ places, dispatcher, clock, log })
  // The agent may be of an organization above the channels: the contact center is the same.
  const onSubscribed = (ctx: Context): void => matcher.wake(ctx.caller.path[0])
  const typing = new TypingSigns()
  return {
    send,
    typing,
    sources: [
      new QueueSource({ presence, back: new ChannelsBack({ sql: database, clock, log, wakeJobs }), onSubscribed }),
      new AgentStatesSource(),
      new InboxSource(),
      new MyConversationsSource(),
      new ConversationSource({ presence, receipts, placeTicker, relay, dispatcher, sql: database, log }),
    ],
    resolvers: [
      new ConversationsResolver({ ...send, receipts, engines, publicUrl }),
      new ParticipantsResolver(),
      new MessagesResolver(send),
      new ForwardingResolver(send),
      new MessageAddressResolver({ publicUrl }),
      new MessageAttachmentsResolver(),
      new MessageFormsResolver(),
      new MessageDeliveriesResolver(),
      new ConversationTouchpointsResolver(),
      new ContactConversationResolver(),
      new ContactPresencesResolver(),
      new DeliveriesResolver({ writer }),
      new CommandsResolver(send),
      new ClosingResolver(send.writer),
      new ConversationLabelsResolver(send.writer),
      new SnoozeResolver(send),
      new MacroRunsResolver(send),
      new BulkResolver(transact),
      new BulkRefusalsResolver(),
      new BulkChangedResolver(),
      new CaseChannelsResolver(),
      new StreamsResolver({ ...send, appender, rooms: new StreamRooms() }),
      new ProposalsResolver(
        send,
        new ProposalRequests({ writer, outbox: dependencies.outbox, redis: dependencies.redis }),
      ),
      new ProposingBotsResolver(),
      new ApprovedMessagesResolver(),
      new ProposalChangedResolver(),
      new ViewCountsResolver(),
      new ActionsResolver({ ...send, linkTokens, linkOrigins }),
      new AgentStatesResolver(),
      new LiveResolver({ dispatcher, typing, writer }),
      new QueueEntriesResolver(),
      new DraftsResolver(transact),
      new OffersResolver(writer),
      new OfferedConversationResolver(),
      new ClocksResolver({ writer, clockPolicies }),
      new PlaceResolver(places),
      new OfferTracesResolver(idleMinutes),
      new OfferCandidatesResolver(),
      new ReplayResolver(engines),
      new ConversationViewersResolver(),
      new ViewedConversationResolver(),
      new InboxEntriesResolver(),
      new NotifiedConversationsResolver(),
    ],
    maintenance: [
      {
        name: 'routing decisions',
        run: (sql: Sql, now: Date) => pruneRoutingDecisions(sql, now, routingTraceDays),
      },
      { name: 'merges', run: pruneMerges },
      { name: 'message streams', run: pruneStreams },
      { name: 'bulk runs', run: pruneBulkRuns },
      { name: 'days of bots', run: pruneBotDays },
    ],
    async start() {
      await Promise.all([assignments.read(), dependencies.policies.read()])
      matcher.start()
      budgets.draws.start()
      relay.start()
      void goneWatch.start()
    },
    async stop() {
      placeTicker.stop()
      relay.stop()
      appender.stop()
      await goneWatch.stop()
      await matcher.stop()
      await receipts.stop()
      await budgets.draws.stop()
    },
  }
}

function openSending(dependencies: ConversationsDependencies): SendDependencies & {
  matcher: Matcher
  clockPolicies: ClockPolicies
  schedules: CompiledSchedules
  relay: StreamRelay
} {
  const { clock, database, dispatcher, engines, log, metrics, outbox, wakeJobs, workflows } = dependencies
  const schedules = new CompiledSchedules()
  const router = new Router({
    engines,
    workflows,
    schedules,
    clock,
    observe: (by, ms) => metrics.routing.observe({ by }, ms / 1_000),
  })
  const { idleMinutes } = dependencies.config
  const assignments = new AssignmentCache(database)
  const terms = new TermsCache(schedules)
  const clockPolicies = new ClockPolicies({ engines, policies: dependencies.policies, terms, schedules })
  const closedHours = new ClosedHours(schedules)
  const relay = new StreamRelay({ dispatcher, sql: database, log })
  const writer: ConversationWriter = new ConversationWriter({
    idleMinutes,
    async conclude(changes) {
      for (const change of changes)
        for (const stream of change.overStreams) await endStream(change, stream, 'takenOver')
      await clockPolicies.prepareAll(changes)
      await addWrapUps(assignments, changes)
      await planSurveys(changes)
      await closedHours.tellAll(changes)
    },
    onStreams({ begunStreams, endedStreams }) {
      for (const stream of begunStreams) relay.show(frameOf(stream, { offset: 0, text: '', ending: null }))
      for (const { ending, ...stream } of endedStreams) relay.show(frameOf(stream, { offset: 0, text: '', ending }))
    },
    onWorkChanged: (organization) => matcher.wake(organization),
    grantsOf: (bot, change) => new GrantsOfBot({ engines, schedules }, bot, change),
    budgets: dependencies.budgets,
    chargesOf: (purse, change) => new ChargesOfBot(purse, change),
    database,
    dispatcher,
    outbox,
    clock,
    log,
    wakeJobs,
    writingAccounts: dependencies.writingAccounts,
    observeQueueWait: (ms) => metrics.queueWait.observe(ms / 1_000),
    observeWait: metrics.waitsOf('writes'),
  })
  const { systemContext } = dependencies
  const matcher = new Matcher({
    pulse: dependencies.pulse,
    database,
    writer,
    assignments,
    clock,
    log,
    idleMinutes,
    sessions: dependencies.sessions,
    systemContext,
    observe: (made) => metrics.offers.inc(made),
  })
  metrics.watchShares('writes', {
    get running() {
      return writer.counts.running
    },
    get waiting() {
      return writer.counts.waiting
    },
  })
  return {
    writer,
    router,
    relay,
    assignments,
    matcher,
    clockPolicies,
    schedules,
    guestLimits: dependencies.guestLimits,
  }
}
