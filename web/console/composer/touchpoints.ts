import type { Touchpoint } from '../../generated/live.js'
import type { ThreadConversation } from '../../shared/live/thread.js'
import { TOUCHPOINTS } from '../../shared/touchpoint-traits.js'

/** The ways to this consumer, the one that is used first. */
export function touchpointsOf({
  touchpoints,
  touchpoint,
}: Pick<ThreadConversation, 'touchpoint' | 'touchpoints'>): Touchpoint[] {
  const { web, messenger, email, sms } = touchpoints
  const reaching: Readonly<Record<Touchpoint, unknown>> = { WEB: web, MESSENGER: messenger, EMAIL: email, SMS: sms }
  const known = TOUCHPOINTS.filter((each) => reaching[each] || each === touchpoint)
  return touchpoint ? [touchpoint, ...known.filter((each) => each !== touchpoint)] : known
}
