import { CHAIN_START, commitTo, hashEntry, type ChainedEntry } from '../../platform/audit/entry-hash.js'
import type { JsonObject } from '../../platform/json.js'

/** An entry as it is exported and stored, with what proves it. */
export interface ExportedEntry extends ChainedEntry {
  hash: string
  /** Null once they were dropped. */
  details: JsonObject | null
  salt: string | null
}

/** Content of a seal: the last entry of the chain when it was made. */
export interface SealedHead {
  org: string
  number: number
  hash: string
  /** The hash that the seal before it has; {@link CHAIN_START} in the first. */
  previous: string
  at: string
}

/** A place at which a chain is not what it was. */
export interface ChainFault {
  number: number
  fault: 'missing' | 'altered' | 'details' | 'sealed' | 'cut'
}

/** Reads a chain entry by entry, and says where it was changed. The program without a server uses it, too. */
export class ChainCheck {
  readonly faults: ChainFault[] = []
  /** Number of the last entry that was read. */
  last: number
  #hash: string | null
  readonly #seals: Map<number, SealedHead>

  /**
   * @param from the first number that is expected
   * @param previous the hash of the entry before it; null: not known, and the first entry's own is believed
   * @param seals of this chain
   */
  constructor({
    from = 1,
    previous = from === 1 ? CHAIN_START : null,
    seals = [],
  }: {
    from?: number
    previous?: string | null
    seals?: readonly SealedHead[]
  }) {
    this.last = from - 1
    this.#hash = previous
    this.#seals = new Map(seals.filter(({ number }) => number >= from).map((seal) => [seal.number, seal]))
  }

  add(entry: ExportedEntry): void {
    const { number, hash, details, salt, commit } = entry
    const isNext = number === this.last + 1
    if (!isNext) this.faults.push({ number: this.last + 1, fault: 'missing' })
    const previous = isNext ? this.#hash : null
    if (previous !== null && hashEntry(previous, entry) !== hash) this.faults.push({ number, fault: 'altered' })
    if (details !== null && (salt === null || commitTo(salt, details) !== commit))
      this.faults.push({ number, fault: 'details' })
    const seal = this.#seals.get(number)
    if (seal && seal.hash !== hash) this.faults.push({ number, fault: 'sealed' })
    this.last = Math.max(this.last, number)
    this.#hash = hash
  }

  /** To be called after the last entry of the whole chain: a seal beyond it shows that its end is gone. */
  end(): readonly ChainFault[] {
    const beyond = [...this.#seals.keys()].filter((number) => number > this.last)
    if (beyond.length > 0) this.faults.push({ number: this.last + 1, fault: 'cut' })
    return this.faults
  }
}
