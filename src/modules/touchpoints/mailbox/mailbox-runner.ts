import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { LEASE_MS, LeasePoller } from '../../../platform/jobs/lease-poller.js'
import { dueNowSql, type Pulse } from '../../../platform/jobs/pulse.js'
import type { RunnerSessions } from '../../../platform/jobs/runner-session.js'
import {
  dueMailboxesSql,
  HAS_DEAD_MAILBOXES,
  leaseMailboxes,
  releaseDeadMailboxes,
  releaseMailbox,
  renewMailboxes,
  type LeasedMailbox,
} from './mailbox-leases.js'
import { asMailboxFailure, MailboxFailure } from './mailbox-failure.js'
import { readMailbox, type MailboxReaderOptions } from './mailbox-reader.js'
import { noteAudit, noteFailure, noteProgress, noteSuccess } from './mailbox-state.js'

export interface MailboxRunnerOptions extends MailboxReaderOptions {
  sessions: RunnerSessions
  /** Says when something is due while nothing happens here; absent: it looks by itself, twice a second. */
  pulse?: Pulse | undefined
  transact: Transact
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

/** Each is a connection. */
const MAILBOXES_MAX = 200
const DEATH_CHECK_MS = 3_000
/** Time after which a mailbox is left to another node, while the first goes on with it. */
const ERROR_MS = 1_000

type Held = LeasedMailbox & { stop: AbortController; readAt: Date | null; hasProgressed: boolean; until: Date }

/**
 * Reads mailboxes: one node each, however many nodes there are. A lease proves which, as for jobs; a mailbox that is read is a job that
 * does not end, and would take a place of those that do.
 */
export class MailboxRunner {
  readonly #held = new Map<string, Held>()
  readonly #working = new Set<Promise<void>>()
  readonly #poller: LeasePoller

  constructor(private readonly options: MailboxRunnerOptions) {
    const { clock, database, log, pulse } = options
    this.#poller = new LeasePoller({
      clock,
      log,
      subject: 'mailboxes',
      lease: () => this.#lease(),
      renew: () => this.#renew(),
      releaseDead: () => releaseDeadMailboxes(database.asyncCommit),
      rests: pulse !== undefined,
    })
    pulse?.add({
      dueSql: ({ now, until }) => `(${dueMailboxesSql(now, until)})`,
      onDue: (inMs) => this.#poller.nudge(inMs),
    })
    pulse?.add({
      everyMs: DEATH_CHECK_MS,
      dueSql: ({ now }) => dueNowSql(HAS_DEAD_MAILBOXES, now),
      onDue: () => this.#poller.nudge(0),
    })
  }

  get reading(): number {
    return this.#held.size
  }

  start(): void {
    this.#poller.start()
  }

  /** Must be called after a commit that made a mailbox due. */
  wake(): void {
    this.#poller.wake()
  }

  async stop(graceMs = 5_000): Promise<void> {
    for (const { stop } of this.#held.values()) stop.abort()
    await this.#poller.stop(() => this.#working, graceMs)
  }

  async #lease(): Promise<boolean> {
    const limit = MAILBOXES_MAX - this.#held.size
    if (limit <= 0) return false
    const { clock, database, sessions } = this.options
    const { runner } = await sessions.current()
    const now = clock.now()
    const until = new Date(now.getTime() + LEASE_MS)
    const running = [...this.#held.keys()]
    const leased = await leaseMailboxes(database.asyncCommit, { runner, until, now, running, limit })
    for (const mailbox of leased) {
      if (this.#poller.isStopped) break
      const work = this.#read({ ...mailbox, stop: new AbortController(), readAt: null, hasProgressed: false, until })
      this.#working.add(work)
      void work.finally(() => {
        this.#working.delete(work)
        this.wake()
      })
    }
    return false
  }

  async #read(held: Held): Promise<void> {
    const { service, stop } = held
    this.#held.set(service, held)
    const { clock, database, log, systemContext, transact } = this.options
    const ctx = systemContext(`mailbox:${service}`)
    try {
      await readMailbox(this.options, {
        service,
        auditedAt: held.auditedAt,
        signal: stop.signal,
        // Only the first mail of a connection changes anything.
        onProgress: async () => {
          if (held.hasProgressed) return
          held.hasProgressed = true
          await noteProgress(ctx, held)
        },
        onRead: async (at) => {
          if (held.readAt === null) await noteSuccess(ctx, transact, held)
          held.readAt = at
        },
        onAudited: (at) => noteAudit(ctx, held, at),
      })
      await releaseMailbox(database, held, clock.now())
    } catch (error) {
      await this.#failed(ctx, held, error).catch((failure: unknown) =>
        log.warn({ err: failure, service }, 'failed to give a mailbox back; its lease will expire'),
      )
    } finally {
      this.#held.delete(service)
    }
  }

  async #failed(ctx: Context, held: Held, error: unknown): Promise<void> {
    const { clock, database, log, transact } = this.options
    const { service, stop } = held
    if (stop.signal.aborted) return releaseMailbox(database, held, clock.now())
    if (error instanceof MailboxFailure) {
      const failure = asMailboxFailure(error)
      log.warn({ service, code: failure.code, reason: failure.message }, 'a mailbox cannot be read')
      return noteFailure(ctx, transact, held, failure)
    }
    log.error({ err: error, service }, 'the reading of a mailbox failed unexpectedly')
    return releaseMailbox(database, held, new Date(clock.now().getTime() + ERROR_MS))
  }

  /** Keeps the leases; a mailbox that is not this node's any more, or has other settings, is read no further. */
  async #renew(): Promise<void> {
    const held = [...this.#held.values()]
    if (held.length === 0) return
    const { clock, sessions } = this.options
    const until = new Date(clock.now().getTime() + LEASE_MS)
    const lapsed = held.filter((each) => each.until < clock.now())
    try {
      const kept = await renewMailboxes(await sessions.current(), until, held)
      for (const each of held) {
        if (kept.has(each.service)) each.until = until
        else each.stop.abort()
      }
    } catch (error) {
      // Another node may have them by now.
      for (const { stop } of lapsed) stop.abort()
      throw error
    }
  }
}
