import { BatchPipeline, type BatchOptions } from './batch-pipeline.js'
import { BusyTenants } from './busy-tenants.js'
import type { WritingTenants } from '../../fairness/writing-tenants.js'
import type { QueuedWrite } from './write-queue.js'

/** Maximum number of concurrent shared batches: one is decided while the other is written and committed. */
const BATCHES_MAX = 2
/**
 * Maximum cost, in sends, that a batch takes of each busy tenant. Deciding it takes about 5 ms, so that the process and
 * the database get to other work in between.
 */
const BUSY_COST_MAX = 16

/**
 * Runs the shared batches, and separate ones for tenants that write more than their share while others write too: a
 * send is never decided, written and committed together with a thousand creates of another tenant.
 */
export class BatchScheduler<Write extends QueuedWrite> {
  readonly #busy: BusyTenants
  readonly #pipelines: readonly BatchPipeline<Write>[]

  constructor(options: BatchOptions<Write>, writing: WritingTenants) {
    this.#busy = new BusyTenants(writing)
    const isBusy = (tenant: string): boolean => this.#busy.isBusy(tenant, options.queue.writesOf(tenant))
    this.#pipelines = [
      new BatchPipeline({ ...options, batchesMax: BATCHES_MAX, serves: (tenant) => !isBusy(tenant) }),
      new BatchPipeline({
        ...options,
        batchesMax: 1,
        serves: (tenant, cost) => cost < BUSY_COST_MAX && isBusy(tenant),
      }),
    ]
  }

  /** Must be called when an operation of the tenant was decided. @param cost extra cost of deciding, in sends */
  decided(tenant: string, cost: number): void {
    this.#busy.decided(tenant, cost)
  }

  /** Begins all batches that may begin. */
  pump(): void {
    this.#busy.refresh()
    for (const pipeline of this.#pipelines) pipeline.pump()
  }
}
