import type { ClockKind } from '../../sla/clock-kind.js'
import type { SlaAct } from '../../sla/sla-act.js'
import { isEnded } from '../../sla/sla-clock.js'
import { settleAfterLeave } from '../commands/leave.js'
import type { Router } from '../routing/router.js'
import type { ConversationChange } from '../state/conversation-change.js'

/** Names of clocks in what people read: notifications and routing traces. */
const WORDS: Readonly<Record<ClockKind, string>> = {
  queue: 'waiting',
  firstResponse: 'first response',
  nextResponse: 'next response',
  resolution: 'resolution',
}

/**
 * Does what an SLA policy says of a target that warned or was missed, if the conversation is open and the clock has not
 * ended meanwhile: a late answer calls nobody. Part of the operation that ends the job, so that each act happens once.
 */
export async function actOnClock(
  change: ConversationChange,
  router: Router,
  { clock: kind, nth, act }: { clock: ClockKind; nth: number; act: SlaAct },
): Promise<void> {
  const { conversation } = change
  const { status, sla } = conversation
  const clock = sla?.clocks.find((each) => each.kind === kind && each.nth === nth)
  if (!sla || !clock || isEnded(clock) || (status !== 'queued' && status !== 'active')) return
  const name = `SLA ${act.at === 'warned' ? 'warning' : 'target missed'}: ${WORDS[kind]}`
  if (act.urgency !== null) {
    const raised = { ...clock, raise: Math.max(clock.raise ?? 0, act.urgency) }
    conversation.sla = { ...sla, clocks: sla.clocks.map((each) => (each === clock ? raised : each)) }
  }
  if (act.requeue) await requeue(change, router, name)
  await router.escalate(change, { name, channels: act.channels, users: act.users })
}

/** Queues again what a consumer waits for of agents who do not answer. */
async function requeue(change: ConversationChange, router: Router, trigger: string): Promise<void> {
  const { conversation, participants } = change
  if (conversation.status !== 'active' || !conversation.awaitingReply) return
  const leftBy = [...participants.values()].filter(({ accepted }) => accepted).map(({ userId }) => userId)
  for (const user of leftBy) participants.delete(user)
  await settleAfterLeave(change, router, trigger)
  // Else it would be offered straight back.
  conversation.needs = { ...conversation.needs, leftBy }
}
