import { useEffect, useState } from 'preact/hooks'
import { AcceptDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { useCommand } from '../commands/use-command.js'
import { useOffice } from '../office.js'
import { threadPath } from '../route.js'
import type { PendingOffer } from './offers.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'

/** The offer that expires first, with its seconds; the keys `y` and `x` answer it. */
export function OfferBand() {
  const { offers } = useOffice()
  const [offer, ...later] = offers.list.value.toSorted((one, other) => one.until - other.until)
  return offer ? <Band key={offer.id} offer={offer} later={later.length} /> : null
}

function Band({ offer, later }: { offer: PendingOffer; later: number }) {
  const { offers, request } = useOffice()
  const words = t().offers
  const [now, setNow] = useState(Date.now())
  const [fault, setFault] = useState<string | null>(null)
  const leftMs = Math.max(0, offer.until - now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (leftMs === 0) offers.forget(offer.id)
  }, [leftMs === 0])
  const accept = (): void => {
    request(AcceptDocument, { conversation: offer.conversation, trigger: 'notification', ifQueued: true }).then(
      () => {
        offers.forget(offer.id)
        navigate(threadPath(offer.conversation))
      },
      (error: Error) => setFault(error.message),
    )
  }
  const decline = (): void => void offers.decline(offer)
  useCommand({ id: 'accept-offer', label: words.accept, icon: 'check', key: 'y', run: accept })
  useCommand({ id: 'decline-offer', label: words.decline, icon: 'x', key: 'x', run: decline })
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
        <button type="button" class="btn grow" data-key="X" aria-label={words.decline} onClick={decline}>
          {words.declineShort}
        </button>
        <button type="button" class="btn primary grow" data-key="Y" aria-label={words.accept} onClick={accept}>
          {words.acceptShort}
        </button>
      </div>
      <ErrorHint text={fault} />
    </section>
  )
}
