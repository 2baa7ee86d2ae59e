import type { Logger } from 'pino'
import { pacedMs, type Clock } from './db/clock.js'

const COUNT_MS = 15_000

/**
 * Counts for operators, at the start and then every 15 s. While counting fails, the metrics have what was counted last.
 * @param what named in the log
 */
export function countedRegularly(
  { clock, log }: { clock: Pick<Clock, 'pace'>; log: Logger },
  what: string,
  count: () => Promise<void>,
): { start(): Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  const round = async (): Promise<void> => {
    try {
      await count()
    } catch (error) {
      log.debug({ err: error }, `failed to count ${what}`)
    }
  }
  return {
    async start() {
      timer = setInterval(() => void round(), pacedMs(clock, COUNT_MS)).unref()
      await round()
    },
    stop: () => clearInterval(timer),
  }
}
