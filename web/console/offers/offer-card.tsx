import { useEffect, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { useCommand } from '../commands/use-command.js'
import { useStore } from '../store/console-store.js'
import { threadPath } from '../route.js'
import type { PendingOffer } from '../store/offers.js'

/** A pending offer, with its seconds; the keys `y` and `shift y` answer it. */
export function OfferCard({ offer, later }: { offer: PendingOffer; later: number }) {
  const store = useStore()
  const { acts, offers, opened, organization } = store
  useActWords()
  const words = catalogue.offers
  const [now, setNow] = useState(Date.now())
  const leftMs = Math.max(0, offer.until - now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (leftMs === 0) offers.forget(offer.id)
  }, [leftMs === 0])
  const accept = (): void => {
    const { id, conversation } = offer
    offers.forget(id)
    const accepted = acts.accept(conversation, 'notification', true)
    const open = (): void => navigate(threadPath(conversation))
    if (opened.peek()?.id === conversation) store.focusOpened()
    // 2.3, `focusOnAccept`: whoever has it off stays where they are, unless there is a refusal to be read.
    else if (organization.me.peek()?.settings.focusOnAccept) open()
    else void accepted.then(() => acts.faults.peek().has(conversation) && open())
  }
  const decline = (): void => void offers.decline(offer)
  useCommand({ id: 'accept-offer', label: words.accept, icon: 'check', key: 'y', run: accept })
  useCommand({ id: 'decline-offer', label: words.decline, icon: 'x', key: 'shift y', run: decline })
  const seconds = Math.ceil(leftMs / 1_000)
  const name = offer.name || t().list.anonymous
  return (
    <section class="offer-band" aria-label={words.title(name)}>
      <div class="line nowrap">
        <p role="alert" class="b grow">
          {words.title(name)}
        </p>
        {later > 0 && <span class="tag">+{later}</span>}
        <span class="t2 nowrap">{words.seconds(seconds)}</span>
      </div>
      {offer.preview && (
        <p class="mid cut" dir="auto">
          {offer.preview}
        </p>
      )}
      <progress max={offer.totalMs} value={leftMs} aria-label={words.seconds(seconds)} />
      <div class="line nowrap">
        <button type="button" class="btn grow" data-key="⇧Y" aria-label={words.decline} onClick={decline}>
          {words.declineShort}
        </button>
        <button type="button" class="btn primary grow" data-key="Y" aria-label={words.accept} onClick={accept}>
          {words.acceptShort}
        </button>
      </div>
    </section>
  )
}
