import { useEffect, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { useCommand } from '../commands/use-command.js'
import { useStore } from '../store/console-store.js'
import { threadPath } from '../route.js'
import type { PendingOffer } from '../store/offers.js'

/** A pending offer, with its seconds; the keys `y` and `shift y` answer it. */
export function OfferCard({ offer, later }: { offer: PendingOffer; later: number }) {
  const store = useStore()
  const { acts, offers, opened } = store
  const words = t().offers
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
    offers.forget(offer.id)
    void acts.accept(offer.conversation, 'notification', true)
    if (opened.peek()?.id === offer.conversation) store.focusOpened()
    else navigate(threadPath(offer.conversation))
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
