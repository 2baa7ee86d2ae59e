import { setTimeout as sleep } from 'node:timers/promises'
import { CloseCode } from './limits.js'
import type { LiveSocket } from './live-socket.js'

const STEP_MS = 10
/** The time of a process, which a test stands in for. */
const TIME = { now: () => performance.now(), sleep: (ms: number): Promise<unknown> => sleep(ms) }

/** Closes the first socket now, the last just before `spreadMs` has passed. */
export async function closeEvenly(
  sockets: readonly Pick<LiveSocket, 'close'>[],
  spreadMs: number,
  time: typeof TIME = TIME,
): Promise<void> {
  const begunAt = time.now()
  for (let closed = 0; closed < sockets.length;) {
    const isDue = spreadMs === 0 ? sockets.length : ((time.now() - begunAt) / spreadMs) * sockets.length
    while (closed < sockets.length && closed <= isDue)
      sockets[closed++]!.close(CloseCode.RESTART, 'the server restarts')
    if (closed < sockets.length) await time.sleep(STEP_MS)
  }
}
