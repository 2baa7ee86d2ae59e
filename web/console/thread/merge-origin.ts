import type { ThreadMessage } from '../../shared/live/thread.js'

/** The other conversation of a merge suggestion (6.5); null for any other message. */
export function originOf({ type, role, meta }: ThreadMessage): string | null {
  const origin = type === 'CARD' && role === 'SYSTEM' ? meta?._origin : null
  return typeof origin === 'string' ? origin : null
}
