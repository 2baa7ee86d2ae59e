import { useState } from 'preact/hooks'
import { ResendMessageDocument, RetryDeliveryDocument } from '../../generated/beside.js'
import type { Touchpoint } from '../../generated/live.js'
import { t } from '../../shared/i18n/messages.js'
import type { Delivery } from '../../shared/live/thread.js'
import { choosing } from '../routes/choosing.js'
import { useRouteWords, words as routeWords } from '../routes/words.js'
import { useStore } from '../store/console-store.js'

/** Tries the delivery again, or another way to the consumer. */
export function SendAgain({
  delivery,
  message,
  other,
}: {
  delivery: Delivery
  message: string
  other: Touchpoint | undefined
}) {
  useRouteWords()
  const { request } = useStore()
  const { delivery: words, retry, touchpoint } = t()
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = (sent: Promise<unknown>): void => {
    setBusy(true)
    setFault(null)
    sent.catch((error: Error) => setFault(error.message)).finally(() => setBusy(false))
  }
  return (
    <>
      <button
        class="link"
        aria-disabled={isBusy}
        onClick={() => isBusy || run(request(RetryDeliveryDocument, { id: delivery.id }))}
      >
        {retry}
      </button>
      {other && (
        <button
          class="link"
          aria-disabled={isBusy}
          onClick={() => isBusy || run(request(ResendMessageDocument, { message, touchpoint: other }))}
        >
          {words.sendBy(touchpoint[other])}
        </button>
      )}
      {delivery.code === 'WINDOW_CLOSED' && (
        <button class="link" onClick={() => (choosing.value = delivery.serviceId ?? '')}>
          {routeWords.choose}
        </button>
      )}
      {fault && (
        <span class="bad" role="alert">
          {fault}
        </span>
      )}
    </>
  )
}
