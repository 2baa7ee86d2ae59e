import type { Logger } from 'pino'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { addJobs } from '../../../platform/jobs/job.js'
import { SUBSCRIBERS_BACK } from '../../../platform/presence/lost-channels.js'

export interface ChannelsBackOptions {
  sql: Sql
  clock: Clock
  log: Logger
  wakeJobs: () => void
}

/** Channels within this time share one job: many clients reconnect at once. */
const TOGETHER_MS = 100
const RETRY_MS = 1_000

/**
 * Collects channels that have a subscriber again on this node, and adds one job for all of them: see `bring-online.ts`.
 */
export class ChannelsBack {
  readonly #channels = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly options: ChannelsBackOptions) {}

  /** Adds channels. Call after their presence is committed. */
  note(channels: readonly string[]): void {
    for (const channel of channels) this.#channels.add(channel)
    this.#arm(TOGETHER_MS)
  }

  #arm(ms: number): void {
    if (this.#timer || this.#channels.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#flush()
    }, ms)
    this.#timer.unref()
  }

  async #flush(): Promise<void> {
    const { sql, clock, log, wakeJobs } = this.options
    const channels = [...this.#channels]
    this.#channels.clear()
    try {
      await addJobs(sql, [SUBSCRIBERS_BACK.create({ channels })], clock)
      wakeJobs()
    } catch (error) {
      log.warn({ err: error }, 'failed to add the job that moves waiting conversations to their channels')
      for (const channel of channels) this.#channels.add(channel)
      this.#arm(RETRY_MS)
    }
  }
}
