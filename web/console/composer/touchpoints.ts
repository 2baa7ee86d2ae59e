import type { Touchpoint } from '../../shared/graphql/live.js'
import type { ThreadConversation } from '../../shared/live/thread.js'

const ORDER: readonly Touchpoint[] = ['WEB', 'MESSENGER', 'EMAIL', 'SMS']

/** The ways to this consumer, the one that is used first. */
export function touchpointsOf({ touchpoints, touchpoint }: ThreadConversation): Touchpoint[] {
  const { web, messenger, email, sms } = touchpoints
  const reaching = { WEB: web, MESSENGER: messenger, EMAIL: email, SMS: sms }
  const known = ORDER.filter((each) => reaching[each] || each === touchpoint)
  return touchpoint ? [touchpoint, ...known.filter((each) => each !== touchpoint)] : known
}
