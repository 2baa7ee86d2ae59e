import type { MessageInput } from '../../shared/graphql/widget.js'
import { passes, type Refused } from './request.js'
import type { Storage } from './storage.js'

/** What was sent and the server has not taken yet. */
export interface Outgoing {
  id: string
  /** Taken whole or not at all. Each has its own id: sent twice, it is one message, however late. */
  messages: MessageInput[]
  /** The message that asked for the form that this fills in. */
  form?: string
  at: number
  /** The server's words: it waits for the visitor. */
  refusal?: { message: string; field?: string }
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/** Keeps what was sent before it goes, and sends it in order, from one tab at a time, until the server has it. */
export class Outbox {
  #isWorking = false
  #failures = 0
  #wake: () => void = () => undefined

  constructor(
    private readonly storage: Storage,
    private readonly options: {
      send(outgoing: Outgoing): Promise<void>
      inTurn(run: () => Promise<void>): Promise<void>
      changed(): void
    },
  ) {}

  get rows(): Outgoing[] {
    return this.storage.read<Outgoing[]>('outbox') ?? []
  }

  add(outgoing: Outgoing): void {
    this.#write([...this.rows, outgoing])
    this.work()
  }

  /** @returns the message, which is the visitor's again */
  takeBack(id: string): Outgoing | undefined {
    const row = this.rows.find((each) => each.id === id)
    this.#drop(id)
    return row
  }

  /** The connection is back. */
  readonly retryNow = (): void => {
    this.#failures = 0
    this.#wake()
  }

  work(): void {
    if (this.#isWorking || !this.#next()) return
    this.#isWorking = true
    void this.options
      .inTurn(() => this.#sendAll())
      .finally(() => {
        this.#isWorking = false
        // Of what came between the last look and the end.
        if (this.#next()) this.work()
      })
  }

  async #sendAll(): Promise<void> {
    for (let row = this.#next(); row; row = this.#next()) {
      try {
        await this.options.send(row)
        this.#failures = 0
        this.#drop(row.id)
      } catch (error) {
        if (passes(error)) await this.#pause()
        else this.#refuse(row.id, error as Refused)
      }
    }
  }

  #next(): Outgoing | undefined {
    return this.rows.find(({ refusal }) => refusal === undefined)
  }

  #pause(): Promise<void> {
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++) * (0.5 + Math.random() / 2)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #refuse(id: string, { message, field }: Refused): void {
    const refusal = { message, field }
    this.#write(this.rows.map((row) => (row.id === id ? { ...row, refusal } : row)))
  }

  #drop(id: string): void {
    this.#write(this.rows.filter((row) => row.id !== id))
  }

  #write(rows: Outgoing[]): void {
    this.storage.write('outbox', rows.length > 0 ? rows : null)
    this.options.changed()
  }
}
