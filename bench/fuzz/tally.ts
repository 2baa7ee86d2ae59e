type What = 'requests' | 'frames' | 'connections' | 'mails'

const FAULTS_SHOWN = 20
const TEXT_CHARS_MAX = 1_500

/** Counts the results of what was sent. */
export class Tally {
  readonly counts: Record<What, Map<number, number>> = {
    requests: new Map(),
    frames: new Map(),
    connections: new Map(),
    mails: new Map(),
  }
  /** Answers of 5xx, those that took too long, and connections that broke; the first few in full. */
  readonly faults: string[] = []
  faultCount = 0
  slowestMs = 0
  /** The slowest answer of `/readyz` while connections were misused. */
  slowestReadyMs = 0

  /** @param msMax an answer that takes longer is a fault */
  constructor(readonly msMax: number) {}

  /** @param status HTTP's, or what it would be */
  count(what: What, status: number, ms: number, describe: () => string): void {
    const counts = this.counts[what]
    counts.set(status, (counts.get(status) ?? 0) + 1)
    this.slowestMs = Math.max(this.slowestMs, ms)
    if (status >= 500) this.fault(String(status), describe())
    else if (ms > this.msMax) this.fault(`${Math.round(ms)} ms`, describe())
  }

  fault(what: string, text: string): void {
    this.faultCount += 1
    if (this.faults.length < FAULTS_SHOWN) this.faults.push(`${what}: ${text.slice(0, TEXT_CHARS_MAX)}`)
  }

  total(what: What): number {
    return this.counts[what].values().reduce((sum, count) => sum + count, 0)
  }

  /** The part that was answered 2xx. */
  successes(what: What): number {
    const good = [...this.counts[what]].filter(([status]) => status >= 200 && status < 300)
    return good.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, this.total(what))
  }

  describe(what: What): string {
    const counts = [...this.counts[what]].toSorted(([one], [other]) => one - other)
    const part = `${Math.round(this.successes(what) * 100)} % answered 2xx`
    return `${this.total(what)} ${what}, ${part}: ${counts.map(([status, count]) => `${status}: ${count}`).join(', ')}`
  }
}
