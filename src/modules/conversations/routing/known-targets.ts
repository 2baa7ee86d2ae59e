import { reading } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { addJobs } from '../../../platform/jobs/job.js'
import { lockOnlineChannels } from '../../../platform/presence/online-channels.js'
import { PRESENCE_COMPLETE_MS } from '../../../platform/presence/presence-times.js'
import { SUBSCRIBERS_LOST } from '../../../platform/presence/lost-channels.js'
import type { DeferredRule } from '../../workflows/routing-decision.js'
import type { WorkflowEvaluation } from '../../workflows/routing-plan.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { usersInReach } from '../state/reach.js'

/** Returns those channels that exist and belong to the conversation's organization or to one above it. */
export async function knownChannels(
  { conversation, shared, sql }: ConversationChange,
  channels: readonly string[],
): Promise<ReadonlySet<string>> {
  if (channels.length === 0) return new Set()
  const path = pathOf(conversation)
  const wanted = [...new Set(channels)].toSorted()
  return shared.once(`channels ${wanted.join()} of ${path.join()}`, async () => {
    const rows = await sql.query<{ id: string }>(
      reading('select id from channel where id = any($1::uuid[]) and organization_id = any($2::uuid[])'),
      [wanted, path],
      'known-channels',
    )
    return new Set(rows.map(({ id }) => id))
  })
}

/**
 * Returns which of the channels are online. The answer stays valid until the end of the transaction, since nobody can
 * subscribe to them meanwhile. Just after a failover, while nodes may not have registered their subscribers again, all
 * count as online, and a job checks them soon.
 * @param channels channels of rules; some may have been deleted, see {@link knownChannels}
 */
export async function onlineAmong(
  { clock, now, shared }: ConversationChange,
  channels: Iterable<string>,
): Promise<(channel: string) => boolean> {
  const wanted = [...new Set(channels)].toSorted()
  const online = await shared.lockOnce(`online ${wanted.join()}`, async (sql) => {
    const known = await lockOnlineChannels(sql, wanted)
    const unknown = wanted.filter((channel) => !known.online.has(channel))
    if (known.isComplete || unknown.length === 0) return known.online
    const since = new Date(now.getTime() - PRESENCE_COMPLETE_MS).toISOString()
    const runAt = new Date(now.getTime() + PRESENCE_COMPLETE_MS)
    await addJobs(sql, [SUBSCRIBERS_LOST.create({ channels: unknown, since }, { runAt })], clock)
    return new Set(wanted)
  })
  return (channel) => online.has(channel)
}

/** Filters the targets of delayed rules, as {@link withKnown} does. */
export async function keepKnown(
  change: ConversationChange,
  remainder: readonly DeferredRule[],
): Promise<{ kept: DeferredRule[]; channels: ReadonlySet<string> }> {
  const known = await knownAmong(change, remainder)
  return { kept: remainder.map((rule) => ({ ...rule, ...onlyKnown(rule, known) })), channels: known.channels }
}

interface Known {
  channels: ReadonlySet<string>
  users: ReadonlySet<string>
}

function onlyKnown({ channels = [], users = [] }: { channels?: string[]; users?: string[] }, known: Known) {
  return {
    channels: channels.filter((channel) => known.channels.has(channel)),
    users: users.filter((user) => known.users.has(user)),
  }
}

/** Returns those targets of matched rules that still exist and are in reach. */
export function knownTargets(change: ConversationChange, evaluations: readonly WorkflowEvaluation[]): Promise<Known> {
  return knownAmong(change, matchedParams(evaluations))
}

/** Returns the channels named by matched rules. */
export function channelsNamed(evaluations: readonly WorkflowEvaluation[]): string[] {
  return matchedParams(evaluations).flatMap(({ channels }) => channels ?? [])
}

const matchedParams = (evaluations: readonly WorkflowEvaluation[]) =>
  evaluations
    .flatMap((evaluation) => evaluation.rules)
    .filter((rule) => rule.matched)
    .map(({ rule }) => rule.event.params)

async function knownAmong(
  change: ConversationChange,
  named: readonly { channels?: string[]; users?: string[] }[],
): Promise<Known> {
  const [channels, users] = await Promise.all([
    knownChannels(
      change,
      named.flatMap((each) => each.channels ?? []),
    ),
    usersInReach(
      change.sql,
      change.conversation,
      named.flatMap((each) => each.users ?? []),
    ),
  ])
  return { channels, users }
}

/**
 * Removes unknown targets from rules: a rule may name a channel that has since been deleted, or a user who was moved,
 * archived or deleted.
 */
export function withKnown(evaluations: WorkflowEvaluation[], known: Known): WorkflowEvaluation[] {
  return evaluations.map((evaluation) => ({
    ...evaluation,
    rules: evaluation.rules.map((entry) => {
      const { params } = entry.rule.event
      // Thousands of rules may match: nearly all of them name only known targets, and are not copied.
      if (areKnown(params.channels, known.channels) && areKnown(params.users, known.users)) return entry
      const kept = { ...params, ...onlyKnown(params, known) }
      return { ...entry, rule: { ...entry.rule, event: { ...entry.rule.event, params: kept } } }
    }),
  }))
}

function areKnown(named: readonly string[] | undefined, known: ReadonlySet<string>): boolean {
  return !named || named.every((id) => known.has(id))
}
