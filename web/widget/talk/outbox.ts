import type { MessageInput } from '../../generated/widget.js'
import { passes, pauseMs, type Refused } from './request.js'
import type { Storage } from './storage.js'

/** Messages that were sent and that the server has not taken yet. */
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

/** Each has a key of its own: tabs that write one key in the same moment would lose what the other wrote. */
const KEY = 'outbox '
const FIRST_PAUSE_MS = 500

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
    return this.storage.all(KEY)
  }

  add(outgoing: Outgoing): void {
    this.storage.write(KEY + outgoing.id, outgoing)
    this.work()
  }

  /** @returns the message, which is the visitor's again */
  takeBack(id: string): Outgoing | null {
    const row = this.#read(id)
    this.#write(id, null)
    return row
  }

  /** The connection is back. */
  readonly retryNow = (): void => {
    this.#failures = 0
    this.#wake()
  }

  /** Shows and sends what is there: also what another tab adds, which may end before it is sent. */
  work(): void {
    this.options.changed()
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
        this.#write(row.id, null)
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
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs(FIRST_PAUSE_MS, this.#failures++))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #refuse(id: string, { message, field }: Refused): void {
    const row = this.#read(id)
    // Else it was taken back meanwhile.
    if (row) this.#write(id, { ...row, refusal: { message, field } })
  }

  #read(id: string): Outgoing | null {
    return this.storage.read(KEY + id)
  }

  #write(id: string, row: Outgoing | null): void {
    this.storage.write(KEY + id, row)
    this.options.changed()
  }
}
