import { quantile } from './figures.js'
import { cpuMicros } from './processes.js'

/** Stands in a request's body for what is another one in each request. */
export const UNIQUE = 'uniqueunique'

export interface LoadResult {
  done: number
  perSecond: number
  /** CPU of the process that ran the load, for each done. */
  cpuMicrosEach: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
}

/**
 * Keeps `concurrency` turns under way for a time. Turns are numbered from 0; a turn that fails ends the load with its
 * error: nothing that failed may count as fast.
 */
export async function runConcurrently(
  concurrency: number,
  ms: number,
  turn: (number: number, worker: number) => Promise<void>,
): Promise<LoadResult> {
  const times: number[] = []
  const cpuBefore = cpuMicros()
  const startedAt = performance.now()
  const endAt = startedAt + ms
  let next = 0
  const work = async (worker: number): Promise<void> => {
    for (let at = performance.now(); at < endAt;) {
      await turn(next++, worker)
      const now = performance.now()
      times.push(now - at)
      at = now
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)))
  return {
    done: times.length,
    perSecond: times.length / ((performance.now() - startedAt) / 1_000),
    cpuMicrosEach: (cpuMicros() - cpuBefore) / times.length,
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    p99Ms: quantile(times, 0.99),
  }
}
