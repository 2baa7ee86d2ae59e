import { Opened } from '../lazy.js'
import { useStore } from '../store/console-store.js'

/** The offer that expires first. */
export function OfferBand() {
  const { offers } = useStore()
  const [offer, ...later] = offers.list.value.toSorted((one, other) => one.until - other.until)
  return offer ? <Opened key={offer.id} dialog="OfferCard" offer={offer} later={later.length} /> : null
}
