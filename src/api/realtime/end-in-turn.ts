import type { Socket } from 'node:net'
import type { LoopTurns } from '../../platform/fairness/loop-turns.js'

/** A connection that ends emits these, in this order; the second one alone when it fails. */
const EVENTS = ['end', 'close']

/**
 * Lets `ws` handle the end of a connection in slices of the event loop: the system reports a thousand lost connections
 * in one turn. To be called right after `ws` has taken the connection over.
 */
export function endInTurn(socket: Socket, turns: LoopTurns): void {
  for (const event of EVENTS) {
    // That of `ws`, which was added last.
    const listener = socket.listeners(event).at(-1) as () => void
    socket.removeListener(event, listener)
    socket.once(event, () => turns.run(() => listener.call(socket)))
  }
}
