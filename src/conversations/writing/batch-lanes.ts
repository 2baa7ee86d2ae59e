import { BatchLane, type BatchOptions } from './batch-lane.js'
import { BusyTenants } from './busy-tenants.js'
import type { QueuedWrite } from './write-queue.js'

/** Common batches under way at once, of which one is decided while the other is written and committed. */
const BATCHES_MAX = 2
/**
 * In sends: what a batch has of each tenant that writes more than its share. It is decided in about 5 ms, and the
 * process and the database get to others in between.
 */
const BUSY_COST_MAX = 16

/**
 * The common batches, and beside them those of tenants that write more than their share while others write too: a send
 * is never decided, written and committed together with a thousand creates of another tenant.
 */
export class BatchLanes<Write extends QueuedWrite> {
  readonly #busy = new BusyTenants()
  readonly #lanes: readonly BatchLane<Write>[]

  constructor(options: BatchOptions<Write>) {
    const isBusy = (tenant: string): boolean => this.#busy.isBusy(tenant, options.queue.writesOf(tenant))
    this.#lanes = [
      new BatchLane({ ...options, batchesMax: BATCHES_MAX, serves: (tenant) => !isBusy(tenant) }),
      new BatchLane({
        ...options,
        batchesMax: 1,
        serves: (tenant, cost) => cost < BUSY_COST_MAX && isBusy(tenant),
      }),
    ]
  }

  /** A write of the tenant has come. */
  wrote(tenant: string): void {
    this.#busy.wrote(tenant)
  }

  /** An operation of the tenant was decided. @param cost what that took beyond the ordinary, in sends */
  decided(tenant: string, cost: number): void {
    this.#busy.decided(tenant, cost)
  }

  /** Begins what may begin. */
  pump(): void {
    this.#busy.look()
    for (const lane of this.#lanes) lane.pump()
  }
}
