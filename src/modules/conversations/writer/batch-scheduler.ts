import { BatchPipeline, type BatchOptions } from './batch-pipeline.js'
import { BusyAccounts } from './busy-accounts.js'
import type { WritingAccounts } from '../../../platform/fairness/writing-accounts.js'
import type { QueuedWrite } from './write-queue.js'

/**
 * The lanes: one for everybody, with two batches, of which one is decided while the other is written and committed; and one for
 * those that write more than their share, one batch of one busy account at a time. Deciding and writing that takes some
 * 30 ms, so that the process and the database get to other work in between. Costs are estimates, in sends.
 */
const EVERYBODYS = { lane: 0, batchesMax: 2, costMax: 64 }
const OF_BUSY = { lane: 1, batchesMax: 1, costMax: 48 }

/**
 * Runs the shared batches, and separate ones for accounts that write more than their share while others write too: a send is
 * never decided, written and committed together with a thousand creates of somebody else.
 */
export class BatchScheduler<Write extends QueuedWrite> {
  readonly #busy: BusyAccounts
  readonly #everybodys: BatchPipeline<Write>
  readonly #ofBusy: BatchPipeline<Write>

  constructor(options: BatchOptions<Write>, writing: WritingAccounts) {
    const busy = new BusyAccounts(options.queue, writing)
    this.#busy = busy
    this.#everybodys = new BatchPipeline({ ...options, ...EVERYBODYS, serves: busy.servesOthers })
    this.#ofBusy = new BatchPipeline({ ...options, ...OF_BUSY, serves: busy.servesBusy, accountOf: busy.busyOf })
  }

  /** Begins all batches that may begin. */
  pump(): void {
    this.#busy.refresh()
    this.#everybodys.pump()
    if (!this.#busy.areNone) this.#ofBusy.pump()
  }
}
