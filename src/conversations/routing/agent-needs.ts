import type { AgentNeeds, RoutingDecision } from '../../workflows/routing-decision.js'

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
  }
}
