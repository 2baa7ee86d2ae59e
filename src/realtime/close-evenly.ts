import { CloseCode } from './limits.js'
import type { LiveSocket } from './live-socket.js'

const STEP_MS = 10

/** Closes the first socket now, the last just before `spreadMs` has passed. */
export async function closeEvenly(sockets: readonly LiveSocket[], spreadMs: number): Promise<void> {
  const begunAt = performance.now()
  for (let closed = 0; closed < sockets.length;) {
    const isDue = spreadMs === 0 ? sockets.length : ((performance.now() - begunAt) / spreadMs) * sockets.length
    while (closed < sockets.length && closed <= isDue)
      sockets[closed++]!.close(CloseCode.RESTART, 'the server restarts')
    if (closed < sockets.length) await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
}
