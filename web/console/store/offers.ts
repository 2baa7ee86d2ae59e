import { signal, type ReadonlySignal } from '@preact/signals'
import type { LiveEvent, Request } from '@switchboard/client'
import type { InboxSubscription } from '../../generated/live.js'
import { DeclineOfferDocument, PendingOffersDocument } from '../../generated/staffing.js'
import { play } from './sounds.js'

type Made = Extract<InboxSubscription['inbox'], { __typename: 'OfferMade' }>
type Ended = Extract<InboxSubscription['inbox'], { __typename: 'OfferEnded' }>

export interface PendingOffer {
  id: string
  conversation: string
  name: string | null
  preview: string | null
  /** In milliseconds of this browser's clock. */
  until: number
  totalMs: number
}

const RING_MS = 3_000

/** The pending offers to this agent. They ring until each is answered. */
export class Offers {
  readonly #list = signal<readonly PendingOffer[]>([])
  /** Answered here, or over: an answer that is older than that may still have them. */
  readonly #ended = new Set<string>()
  #ring: ReturnType<typeof setInterval> | null = null

  constructor(private readonly options: { request: Request; mayRing: () => boolean; serverNow: () => number }) {}

  get list(): ReadonlySignal<readonly PendingOffer[]> {
    return this.#list
  }

  stop(): void {
    if (this.#ring) clearInterval(this.#ring)
    this.#ring = null
  }

  receive(event: LiveEvent): void {
    if (event.__typename === 'OfferMade') {
      const { offer, offered, at } = event as unknown as Made
      // By the server's times alone: this clock may be wrong.
      const totalMs = Date.parse(offer.until) - Date.parse(at)
      const { conversation, contactName: name, preview } = offered
      this.#add({ id: offer.id, conversation, name, preview, until: Date.now() + totalMs, totalMs })
    } else if (event.__typename === 'OfferEnded') this.#remove((event as unknown as Ended).ended)
  }

  /** Reads the offers that were made or ended while no events came. */
  async read(): Promise<void> {
    const before = this.#list.peek()
    const answer = await this.options.request(PendingOffersDocument, {}).catch(() => null)
    if (!answer) return
    const pending = new Set(answer.offers.map(({ id }) => id))
    for (const { id } of before) if (!pending.has(id)) this.#remove(id)
    for (const { id, conversationId, until, conversation } of answer.offers) {
      if (this.#ended.has(id)) continue
      const leftMs = Math.max(1_000, Date.parse(until) - this.options.serverNow())
      const name = conversation?.contact?.profile?.name ?? null
      const preview = conversation?.preview ?? null
      this.#add({ id, conversation: conversationId, name, preview, until: Date.now() + leftMs, totalMs: leftMs })
    }
  }

  async decline({ id }: PendingOffer): Promise<void> {
    this.#remove(id)
    // It may have ended by itself; where the server was not reached, it is shown again when it is read.
    await this.options.request(DeclineOfferDocument, { offer: id }).catch(() => this.#ended.delete(id))
  }

  /** Also called when its time is over, even if the server's word is late. */
  forget(id: string): void {
    this.#remove(id)
  }

  #add(offer: PendingOffer): void {
    if (this.#list.peek().some(({ id }) => id === offer.id)) return
    this.#list.value = [...this.#list.peek(), offer]
    this.#sound()
    this.#ring ??= setInterval(() => this.#sound(), RING_MS)
  }

  #remove(id: string): void {
    this.#ended.add(id)
    this.#list.value = this.#list.peek().filter((offer) => offer.id !== id)
    if (this.#list.peek().length === 0) this.stop()
  }

  #sound(): void {
    if (this.options.mayRing()) play('chat')
  }
}
