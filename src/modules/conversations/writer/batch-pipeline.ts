import { GroupCommitWindow } from './group-commit-window.js'
import type { Choice, QueuedWrite, WriteQueue } from './write-queue.js'

export interface BatchOptions<Write extends QueuedWrite> {
  queue: WriteQueue<Write>
  /** Runs the writes in one transaction; calls `onDecided` when only writing and committing remain. */
  run: (batch: Write[], onDecided: () => void) => Promise<void>
  /** Called when another batch may begin. */
  onFree: () => void
  /** Tells whether a write may run now, beside the batches that are under way. */
  mayTake?: (write: Write) => boolean
}

/** The accounts that use a pipeline now, and the lane of their turns. */
export interface BatchPipelineOptions<Write extends QueuedWrite> extends BatchOptions<Write>, Choice<Write> {
  /** Maximum number of concurrent batches. */
  batchesMax: number
  /** Maximum cost of a batch, in sends. */
  costMax: number
}

const BATCH_MAX = 64

/**
 * Runs batches one after the other. With two batches of similar size, one is decided while the other is committed, so
 * that neither the database nor this process is idle for long.
 */
export class BatchPipeline<Write extends QueuedWrite> {
  #batches = 0
  #isDeciding = false
  /** Number of operations in batches that have decided and are being committed. */
  #committing = 0
  readonly #window = new GroupCommitWindow(() => this.pump(true))

  constructor(private readonly options: BatchPipelineOptions<Write>) {}

  /** Begins the next batch. @param isGathered whether the group-commit window has ended */
  pump(isGathered = false): void {
    const { queue, batchesMax, costMax } = this.options
    const [ready, waiting] = [queue.readyIn('shared'), queue.waitingIn('shared')]
    if (this.#isDeciding || this.#batches >= batchesMax || ready === 0) return
    if (!isGathered && this.#window.waitsFor(this.#committing - waiting)) return
    // Two batches of similar size keep both the database and this process busy; a single one takes what it can.
    const max = batchesMax === 1 ? BATCH_MAX : Math.min(BATCH_MAX, Math.ceil((waiting + this.#committing) / 2))
    const batch = queue.take('shared', { max, costMax }, this.options)
    if (batch.length === 0) return
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
