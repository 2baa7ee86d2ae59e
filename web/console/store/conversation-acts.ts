import { signal, type ReadonlySignal } from '@preact/signals'
import type { Request } from '@switchboard/client'
import { AcceptDocument, CloseDocument, UndoCloseDocument } from '../../generated/conversations.js'

export interface Closed {
  id: string
  name: string
  /** Resolves when the server has closed it. */
  done: Promise<unknown>
}

/** So long the server lets a closing be undone. */
const UNDO_MS = 15_000

/** Acts on conversations: shown before the server confirms them, taken back if it refuses. */
export class ConversationActs {
  readonly #accepting = signal<ReadonlySet<string>>(new Set())
  readonly #faults = signal<ReadonlyMap<string, string>>(new Map())

  readonly #closed = signal<Closed | null>(null)

  constructor(private readonly request: Request) {}

  /** The conversation that was closed last, while that can be undone. */
  get closed(): ReadonlySignal<Closed | null> {
    return this.#closed
  }

  /** Conversations that were accepted here, until the server's word of it has come. */
  get accepting(): ReadonlySignal<ReadonlySet<string>> {
    return this.#accepting
  }

  /** Reasons why the last act on a conversation was refused. */
  get faults(): ReadonlySignal<ReadonlyMap<string, string>> {
    return this.#faults
  }

  /** Accepts; a second call before the answer does nothing. @param trigger where it was accepted (2.12) */
  async accept(id: string, trigger: string, ifQueued: boolean): Promise<void> {
    if (this.#accepting.peek().has(id)) return
    this.say(id, null)
    this.#accepting.value = new Set(this.#accepting.peek()).add(id)
    try {
      await this.request(AcceptDocument, { conversation: id, trigger, ...(ifQueued && { ifQueued }) })
    } catch (error) {
      this.settle(id)
      this.say(id, (error as Error).message)
    }
  }

  /**
   * Closes it for all who are in it, and offers to undo that at once. @throws the server's reason why not
   * @param done another act that closes it
   */
  async close(
    id: string,
    name: string,
    done: Promise<unknown> = this.request(CloseDocument, { conversation: id }),
  ): Promise<void> {
    const closed: Closed = { id, name, done }
    this.#closed.value = closed
    try {
      await done
    } catch (error) {
      this.#forget(closed)
      throw error
    }
    // Counted here: this clock may be wrong.
    setTimeout(() => this.#forget(closed), UNDO_MS)
  }

  /** Undoes the last closing: the conversation is shown as the agent's at once. */
  async undoClose(): Promise<void> {
    const closed = this.#closed.peek()
    if (!closed) return
    this.#forget(closed)
    this.#accepting.value = new Set(this.#accepting.peek()).add(closed.id)
    try {
      await closed.done
      await this.request(UndoCloseDocument, { conversation: closed.id })
    } catch (error) {
      this.settle(closed.id)
      this.say(closed.id, (error as Error).message)
    }
  }

  #forget(closed: Closed): void {
    if (this.#closed.peek() === closed) this.#closed.value = null
  }

  /** Forgets an acceptance: the thread shows what became of it. */
  settle(id: string): void {
    if (!this.#accepting.peek().has(id)) return
    this.#accepting.value = new Set([...this.#accepting.peek()].filter((each) => each !== id))
  }

  /** Shows why an act was refused; null: no more. */
  say(id: string, fault: string | null): void {
    const faults = new Map(this.#faults.peek())
    if (fault === null) faults.delete(id)
    else faults.set(id, fault)
    this.#faults.value = faults
  }
}
