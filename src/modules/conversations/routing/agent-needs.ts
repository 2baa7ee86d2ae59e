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
  const ofRules = {
    ...(skills.length > 0 && { skills }),
    ...(skillsDropAfter > 0 && Number.isFinite(skillsDropAfter) && { skillsDropAfter }),
    ...(urgency !== 0 && { urgency }),
  }
  return withKept(ofRules, earlier)
}

/** Needs that are of people, not of rules. */
const KEPT = ['askedSkills', 'exceptUsers', 'leftBy'] as const

/**
 * Returns what stays of the needs when a waiting conversation is queued again: whoever handed it over is not offered it, the skills
 * that they asked for stay, and whoever left it comes last. So does the giver as soon as somebody names channels in which it did not
 * wait. Skills are asked for no more once it comes into such channels, whoever chose them: nobody there may have them.
 * @param named channels that somebody named, and not rules
 * @param chosen all channels into which it comes
 */
export function keptNeeds(
  { needs, channels, channelsOffline, taskChannels }: Readonly<ConversationState>,
  named: readonly string[],
  chosen = named,
): AgentNeeds | null {
  const { exceptUsers = [], leftBy = [], askedSkills = [] } = needs ?? {}
  const waitedIn = [...channels, ...channelsOffline, ...taskChannels]
  const isElsewhere = (channel: string): boolean => !waitedIn.includes(channel)
  return withKept(null, {
    askedSkills: chosen.some(isElsewhere) ? [] : askedSkills,
    ...(named.some(isElsewhere) ? { leftBy: [...leftBy, ...exceptUsers] } : { leftBy, exceptUsers }),
  })
}

/** Returns the needs of a waiting conversation that comes into more channels: what rules asked for stays as well. Parameters as above. */
export function needsIn(
  conversation: Readonly<ConversationState>,
  named: readonly string[],
  chosen = named,
): AgentNeeds | null {
  const { askedSkills: _asked, exceptUsers: _except, leftBy: _left, ...ofRules } = conversation.needs ?? {}
  return withKept(ofRules, keptNeeds(conversation, named, chosen))
}

/** Adds to what a waiting conversation asks of agents what is kept of another one's needs, such as of one merged into it. */
export function withKept(needs: AgentNeeds | null, kept: AgentNeeds | null): AgentNeeds | null {
  const both: AgentNeeds = { ...needs }
  for (const key of KEPT) {
    const ids = [...new Set([...(needs?.[key] ?? []), ...(kept?.[key] ?? [])])]
    if (ids.length > 0) both[key] = ids
  }
  return Object.keys(both).length > 0 ? both : null
}
