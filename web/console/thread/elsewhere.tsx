import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { ThreadMessage } from '../../shared/live/thread.js'

/** An email or text message that was sent cannot be changed where it arrived. */
export function Elsewhere({ message: { deliveries } }: { message: ThreadMessage }) {
  useActWords()
  const touchpoint = deliveries.find((each) => each.touchpoint !== 'WEB')?.touchpoint
  if (!touchpoint) return null
  return <p class="hint">{catalogue.beside.stays(t().touchpoint[touchpoint])}</p>
}
