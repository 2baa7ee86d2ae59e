import { Refused, Unreachable, type Request } from '@switchboard/client'
import { SeenDocument, type SeenQuery } from '../../generated/beside.js'
import type { Outgoing } from '../../shared/outbox/outgoing.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { undoFor } from './outgoing-for.js'
import { touchpointsOf } from './touchpoints.js'

/** The server's time is known to the second. */
const PRECISION_MS = 1_000

/**
 * Completes a message that was sent before its conversation had come by what that says: its state, and whether the message
 * can be called back.
 * @throws Refused `NEW_LINE` for a letter, in which Enter was to begin a new line; `MOVED_ON` if others have done something
 *   since; for a conversation that is not seen
 */
export async function seen(request: Request, { unseen, ...outgoing }: Outgoing): Promise<Outgoing> {
  const { message } = outgoing
  if (message.type === 'COMMAND' || message.isBackchannel) return outgoing
  const { conversation } = await request(SeenDocument, { id: outgoing.conversation })
  // The server says why it takes none.
  if (!conversation) return outgoing
  const way = message.touchpoint ?? touchpointsOf(conversation)[0]
  if (unseen === 'enter' && way && TOUCHPOINT_TRAITS[way].isLetter)
    throw new Refused('Enter begins a new line', 'UNPROCESSABLE', null, 0, 'NEW_LINE')
  if (hasMovedOn(conversation, outgoing.user, (await serverTime(outgoing.at)) + PRECISION_MS))
    throw new Refused('others have written or done something since', 'UNPROCESSABLE', null, 0, 'MOVED_ON')
  return { ...outgoing, message: { ...message, mark: conversation.mark }, ...undoFor(message, way) }
}

/**
 * As the server decides by a mark, which this message has none of: it is asked for when the message goes out. An own answer
 * that was sent later was sent knowing what had come before it, or went out just before this one.
 */
function hasMovedOn(
  { messages, closedAt }: NonNullable<SeenQuery['conversation']>,
  user: string,
  since: number,
): boolean {
  const later = messages.edges.map(({ node }) => node).filter(({ createdAt }) => Date.parse(createdAt) > since)
  const own = later.filter(({ userId, role }) => userId === user && role !== 'CONTACT')
  if (own.some(({ type, isBackchannel }) => type === 'CHAT' && !isBackchannel)) return false
  const isQuiet = ({ type, text }: (typeof later)[number]): boolean => type === 'COMMAND' && QUIET.test(text ?? '')
  if (later.some((message) => !own.includes(message) && !isQuiet(message))) return true
  return closedAt !== null && Date.parse(closedAt) > since && own.length === 0
}

/** Commands that change nothing that an answer could be about. */
const QUIET = /^\/(join|follow|unfollow|action|set)\b/

/** Translates a time of this browser, whose clock may be wrong, by the server's of now. */
async function serverTime(at: number): Promise<number> {
  try {
    const { headers } = await fetch('/console', { method: 'HEAD', cache: 'no-store' })
    const now = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(now) ? at : now + PRECISION_MS / 2 - Date.now() + at
  } catch (cause) {
    throw new Unreachable('no answer came', { cause })
  }
}
