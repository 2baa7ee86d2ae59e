import type { Logger } from 'pino'
import type { Sql } from './sql.js'

const PROBE_MS = 1_000
/**
 * A node that has not committed anything for longer serves nobody: the database is away, or its commits wait for a
 * standby. A switchover takes less, and requests wait for it.
 */
const COMMIT_AGE_MS_MAX = 5_000
/** A server that does not answer for so long may be gone. */
const SILENCE_MS_MIN = 3_000
/** A commit that takes longer counts as an outage. */
const OUTAGE_MS_MIN = 2 * PROBE_MS

export interface CommitProbeOptions {
  sql: Sql
  log: Logger
  metrics?: {
    gauge(name: string, help: string, read: () => number): void
    readonly commits: { observe(seconds: number): void }
    readonly outage: { inc(seconds: number): void }
  }
  /** Called every second while a commit has not been answered for some seconds. */
  onSilence?: () => void
  /** A monotonic clock, in milliseconds. */
  elapsed?: () => number
}

/**
 * Commits something every second, so that a node knows whether its writes can be acknowledged. Reads would not tell: a
 * primary without its synchronous standby answers them while every commit waits. A write to an unlogged table, such as
 * the presence, would not either: its commit waits for nobody.
 */
export class CommitProbe {
  readonly #elapsed: () => number
  #committedAt: number
  #timer: NodeJS.Timeout | null = null
  #isProbing = false
  #begunAt = 0
  #isFailing = false

  constructor(private readonly options: CommitProbeOptions) {
    this.#elapsed = options.elapsed ?? (() => performance.now())
    this.#committedAt = this.#elapsed()
    const help = "Time since this node's last commit, of which there is one per second at least."
    options.metrics?.gauge('commit_age_seconds', help, () => this.#ageMs / 1_000)
  }

  /** Tells whether the last commit is recent. */
  get isCommitting(): boolean {
    return this.#ageMs <= COMMIT_AGE_MS_MAX
  }

  start(): void {
    this.#timer = setInterval(() => void this.probe(), PROBE_MS)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Never rejects. Does not commit while another one waits for its answer. */
  async probe(): Promise<void> {
    if (this.#isProbing) {
      if (this.#elapsed() - this.#begunAt >= SILENCE_MS_MIN) this.options.onSilence?.()
      return
    }
    this.#isProbing = true
    const begunAt = this.#elapsed()
    this.#begunAt = begunAt
    try {
      const [row] = await this.options.sql.query<{ isReadOnly: boolean }>(PROBE, [], 'commit-probe')
      if (row!.isReadOnly) throw new Error('the database is read-only')
      this.#committed(begunAt)
    } catch (error) {
      if (!this.#isFailing) this.options.log.warn({ err: error }, 'failed to commit: the database takes no writes')
      this.#isFailing = true
    } finally {
      this.#isProbing = false
    }
  }

  get #ageMs(): number {
    return this.#elapsed() - this.#committedAt
  }

  #committed(begunAt: number): void {
    const { log, metrics } = this.options
    const now = this.#elapsed()
    const gapMs = now - this.#committedAt
    this.#committedAt = now
    metrics?.commits.observe((now - begunAt) / 1_000)
    if (gapMs > OUTAGE_MS_MIN) metrics?.outage.inc((gapMs - PROBE_MS) / 1_000)
    if (this.#isFailing || gapMs > COMMIT_AGE_MS_MAX)
      log.info({ gapMs: Math.round(gapMs) }, 'the database takes writes again')
    this.#isFailing = false
  }
}

/** A record in the log of PostgreSQL and nothing else: no row to lock and none to clean up. */
const PROBE = `
select pg_logical_emit_message(true, 'switchboard', ''), current_setting('transaction_read_only') = 'on' as "isReadOnly"`
