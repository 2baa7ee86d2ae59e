import { signal, type ReadonlySignal } from '@preact/signals'
import { passes, Refused, Unreachable, type LiveEvent, type Request } from '@switchboard/client'
import {
  CancelMessageDocument,
  DraftsDocument,
  SaveDraftDocument,
  SendDocument,
} from '../../generated/conversations.js'
import type { DraftNotice } from '../../shared/live/entries.js'
import { headOf } from '../composer/mail-head.js'
import { Drafts } from '../../shared/outbox/drafts.js'
import { Outbox } from '../../shared/outbox/outbox.js'
import { openStore } from '../../shared/outbox/store.js'

const RETRY_MS = 2_000

/** As no answer to a question. */
function unreachable(cause: unknown): never {
  throw new Unreachable('no answer came', { cause })
}

/** Everything that the agent writes: drafts, messages on their way, and edits of messages that wait. */
export class WritingStore {
  readonly #outbox = signal<Outbox | null>(null)
  /** Resolves as soon as there is an outbox. */
  readonly opened = Promise.withResolvers<Outbox>()
  readonly #drafts = signal<Drafts | null>(null)
  /** Messages that are being edited, by id, with what was typed: kept while other conversations are looked at. */
  readonly edits = signal<ReadonlyMap<string, string>>(new Map())
  #isStopped = false

  constructor(private readonly options: { request: Request; user: string; storeSecret: string }) {}

  get outbox(): ReadonlySignal<Outbox | null> {
    return this.#outbox
  }

  get drafts(): ReadonlySignal<Drafts | null> {
    return this.#drafts
  }

  /** Opens what this browser keeps, then reads the server's drafts. */
  async start(): Promise<void> {
    const { request, user, storeSecret } = this.options
    const store = await openStore(storeSecret, user)
    if (this.#isStopped) return
    const outbox = new Outbox({
      store,
      user,
      send: async (given) => {
        const outgoing = given.unseen
          ? await (await import('../composer/seen.js').catch(unreachable)).seen(request, given)
          : given
        const { id, conversation, message, undoMs } = outgoing
        const delay = undoMs === undefined ? {} : { delay: undoMs }
        const send = (given: object = {}): Promise<unknown> =>
          request(SendDocument, { conversation, message: { ...message, ...delay, ...given, id } })
        // Whatever became of the suggestion that it was made of, what the agent has written is sent.
        await send().catch((error: Partial<Refused>) => {
          if (error.field !== 'proposal') throw error
          return send({ proposal: null })
        })
        return outgoing
      },
      giveBack: async (rows, refusal) => {
        const [{ conversation, message }] = rows
        const { reason } = refusal as Partial<Refused>
        const isHeld = reason === 'MOVED_ON'
        const drafts = this.#drafts.peek()
        if (!(isHeld || reason === 'NEW_LINE') || !message.text || !drafts) return false
        const text = rows.map((row) => row.message.text).join(isHeld ? '\n\n' : '\n')
        const isLine = !isHeld && rows.at(-1)!.unseen === 'enter'
        await drafts.giveBack(conversation, isLine ? `${text}\n` : text, false, { isHeld, mail: headOf(message) })
        return true
      },
      cancel: async ({ id, conversation }) => {
        try {
          await request(CancelMessageDocument, { conversation, id })
          return true
        } catch (error) {
          if (error instanceof Refused && error.code === 'UNPROCESSABLE') return false
          throw error
        }
      },
    })
    this.#outbox.value = outbox
    this.opened.resolve(outbox)
    const drafts = await Drafts.open(store, user, async ({ conversation, text, isNote, mail }) => {
      await request(SaveDraftDocument, { conversation, text, isBackchannel: isNote, mail })
    })
    if (this.#isStopped) return drafts.stop()
    this.#drafts.value = drafts
    await outbox.start()
    void this.#readDrafts(drafts)
  }

  stop(): void {
    this.#isStopped = true
    this.#outbox.peek()?.stop()
    this.#drafts.peek()?.stop()
  }

  retryNow(): void {
    this.#outbox.peek()?.retryNow()
  }

  /** Applies a draft that was saved or deleted in another browser. */
  receive(event: LiveEvent): void {
    if (event.__typename !== 'DraftChanged') return
    const { conversation, draft } = event as LiveEvent & DraftNotice
    this.#drafts.peek()?.receive(conversation, draft)
  }

  async #readDrafts(drafts: Drafts): Promise<void> {
    while (!this.#isStopped) {
      try {
        drafts.receiveAll((await this.options.request(DraftsDocument, {})).drafts)
        return
      } catch (error) {
        if (!passes(error)) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
}
