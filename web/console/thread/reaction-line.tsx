import type { ThreadMessage } from '../../shared/live/thread.js'

/** Shows what the consumer has put on a message. */
export function ReactionLine({ message: { meta } }: { message: Pick<ThreadMessage, 'meta'> }) {
  const given = (meta?._reactions ?? []) as readonly { emoji: string }[]
  return <p class="sent">{given.map(({ emoji }) => emoji).join(' ')}</p>
}
