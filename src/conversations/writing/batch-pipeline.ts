import { GroupCommitWindow } from './group-commit-window.js'
import type { QueuedWrite, WriteQueue } from './write-queue.js'

export interface BatchOptions<Write extends QueuedWrite> {
  queue: WriteQueue<Write>
  /** Runs the writes in one transaction; calls `onDecided` when only writing and committing remain. */
  run: (batch: Write[], onDecided: () => void) => Promise<void>
  /** Called when another batch may begin. */
  onFree: () => void
  /** Whether a write may run now, beside the batches that are under way. */
  mayTake?: (write: Write) => boolean
}

export interface BatchPipelineOptions<Write extends QueuedWrite> extends BatchOptions<Write> {
  /** Maximum number of concurrent batches of one tenant. */
  batchesMax: number
  /**
   * Whether a tenant's writes use this pipeline now. @param cost cost of the tenant's writes already in the batch, in sends
   */
  serves: (tenant: string, cost: number) => boolean
}

const BATCH_MAX = 64
/** In sends: deciding such a batch takes about 20 ms. */
const COST_MAX = 64
/** Maximum number of concurrent batches of several tenants: one is decided while the other is written and committed. */
const BATCHES_MAX = 2

/**
 * Runs batches one after the other. With two batches of similar size, one is decided while the other is committed, so
 * that neither the database nor this process is idle for long.
 */
export class BatchPipeline<Write extends QueuedWrite> {
  #batches = 0
  #isDeciding = false
  /** Whether the last batch contained writes of several tenants. */
  #isShared = false
  /** Number of operations in batches that have decided and are being committed. */
  #committing = 0
  readonly #window = new GroupCommitWindow(() => this.pump(true))

  constructor(private readonly options: BatchPipelineOptions<Write>) {}

  /** Begins the next batch. @param isGathered whether the group-commit window has ended */
  pump(isGathered = false): void {
    const { queue, batchesMax, serves, mayTake } = this.options
    const [ready, waiting] = [queue.readyIn('shared'), queue.waitingIn('shared')]
    if (this.#isDeciding || this.#batches >= (this.#isShared ? BATCHES_MAX : batchesMax) || ready === 0) return
    if (!isGathered && this.#window.waitsFor(this.#committing - waiting)) return
    const half = Math.ceil((waiting + this.#committing) / 2)
    const batch = queue.take('shared', { max: Math.min(BATCH_MAX, half), costMax: COST_MAX }, serves, mayTake)
    if (batch.length === 0) return
    this.#isShared = batch.some(({ tenant }) => tenant !== batch[0]!.tenant)
    void this.#run(batch)
  }

  async #run(batch: Write[]): Promise<void> {
    this.#batches++
    this.#isDeciding = true
    let isDecided = false
    const startedAt = performance.now()
    const onDecided = (): void => {
      if (isDecided) return
      isDecided = true
      this.#isDeciding = false
      this.#committing += batch.length
      this.options.onFree()
    }
    await this.options.run(batch, onDecided)
    onDecided()
    this.#batches--
    this.#committing -= batch.length
    this.#window.ended(performance.now() - startedAt)
    this.options.onFree()
  }
}
