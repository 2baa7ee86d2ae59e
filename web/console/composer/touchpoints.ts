import type { Touchpoint } from '../../shared/graphql/live.js'
import type { ThreadConversation } from '../../shared/live/thread.js'

const ORDER: readonly Touchpoint[] = ['WEB', 'MESSENGER', 'EMAIL', 'SMS']

/** The ways to this consumer, the one that is used first. */
export function touchpointsOf({ touchpoints, touchpoint }: ThreadConversation): Touchpoint[] {
  const known = ORDER.filter((each) => each.toLowerCase() in touchpoints || each === touchpoint)
  return touchpoint ? [touchpoint, ...known.filter((each) => each !== touchpoint)] : known
}
