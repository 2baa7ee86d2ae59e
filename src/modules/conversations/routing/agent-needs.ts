import type { AgentNeeds, RoutingDecision } from '../../workflows/routing-decision.js'
import type { ConversationState } from '../state/conversation-state.js'

/** Adds what the fired rules ask of agents: all their skills, the longest time for these, the highest urgency. */
export function joinNeeds(earlier: AgentNeeds | null, { notify }: RoutingDecision): AgentNeeds | null {
  const all = [earlier, ...notify.map(({ needs }) => needs)].filter((needs) => needs != null)
  if (all.length === 0) return null
  const skills = [...new Set(all.flatMap((needs) => needs.skills ?? []))]
  const drops = all.filter((needs) => needs.skills?.length).map(({ skillsDropAfter = Infinity }) => skillsDropAfter)
  const skillsDropAfter = Math.max(0, ...drops)
  const urgency = Math.max(...all.map((needs) => needs.urgency ?? 0))
  return {
    ...(skills.length > 0 && { skills }),
    ...(skillsDropAfter > 0 && Number.isFinite(skillsDropAfter) && { skillsDropAfter }),
    ...(urgency !== 0 && { urgency }),
    ...(earlier?.exceptUsers && { exceptUsers: earlier.exceptUsers }),
    ...(earlier?.leftBy && { leftBy: earlier.leftBy }),
  }
}

/**
 * Returns what stays of the needs when a waiting conversation is queued again: whoever handed it over is not offered it, and
 * whoever left it comes last. So does the giver as soon as somebody chooses channels in which it did not wait.
 */
export function keptNeeds(
  { needs, channels, channelsOffline, taskChannels }: Readonly<ConversationState>,
  chosen: readonly string[],
): AgentNeeds | null {
  const { exceptUsers = [], leftBy = [] } = needs ?? {}
  const waitedIn = [...channels, ...channelsOffline, ...taskChannels]
  const isElsewhere = chosen.some((channel) => !waitedIn.includes(channel))
  const last = isElsewhere ? [...new Set([...leftBy, ...exceptUsers])] : leftBy
  if (exceptUsers.length + leftBy.length === 0) return null
  return { ...(!isElsewhere && exceptUsers.length > 0 && { exceptUsers }), ...(last.length > 0 && { leftBy: last }) }
}

/** Adds to what a waiting conversation asks of agents what is kept of another one's needs, such as of one merged into it. */
export function withKept(needs: AgentNeeds | null, kept: AgentNeeds | null): AgentNeeds | null {
  if (!kept) return needs
  const both = { ...needs }
  for (const key of ['exceptUsers', 'leftBy'] as const) {
    const users = [...new Set([...(needs?.[key] ?? []), ...(kept[key] ?? [])])]
    if (users.length > 0) both[key] = users
  }
  return both
}
