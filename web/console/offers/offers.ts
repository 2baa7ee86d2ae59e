import { signal, type ReadonlySignal } from '@preact/signals'
import type { LiveEvent, Request } from '@switchboard/client'
import type { InboxSubscription } from '../../shared/graphql/live.js'
import { DeclineOfferDocument, PendingOffersDocument } from '../../shared/graphql/staffing.js'
import { play } from '../alerts/sounds.js'

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
    // What was missed meanwhile is read.
    else if (event.__typename === 'InboxSnapshot') void this.read()
  }

  async read(): Promise<void> {
    const answer = await this.options.request(PendingOffersDocument, {}).catch(() => null)
    for (const { id, conversationId, until, conversation } of answer?.offers ?? []) {
      const leftMs = Math.max(1_000, Date.parse(until) - this.options.serverNow())
      const name = conversation?.contact?.profile?.name ?? null
      const preview = conversation?.preview ?? null
      this.#add({ id, conversation: conversationId, name, preview, until: Date.now() + leftMs, totalMs: leftMs })
    }
  }

  async decline({ id }: PendingOffer): Promise<void> {
    this.#remove(id)
    // It may have ended by itself.
    await this.options.request(DeclineOfferDocument, { offer: id }).catch(() => undefined)
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
    this.#list.value = this.#list.peek().filter((offer) => offer.id !== id)
    if (this.#list.peek().length === 0) this.stop()
  }

  #sound(): void {
    if (this.options.mayRing()) play('chat')
  }
}
