import type { Touchpoint } from '../../generated/live.js'
import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { Opened } from '../lazy.js'

const ICONS = {
  QUEUED: 'clock',
  SENT: 'check',
  DELIVERED: 'check',
  READ: 'read',
  FAILED: 'alert',
  MAYBE_SENT: 'info',
} as const

interface DeliveryLineProps {
  message: ThreadMessage
  isLast: boolean
  /** The ways to the consumer. */
  ways: readonly Touchpoint[]
}

/**
 * The delivery of a message to the consumer: the newest way counts. Of a turn the last message says it for all,
 * but for those that may not have arrived, which can be sent again.
 */
export function DeliveryLine({ message, isLast, ways }: DeliveryLineProps) {
  const { deliveries } = message
  const delivery = deliveries.at(-1)
  if (!delivery) return null
  const { status, reason, recipient, attempts, touchpoint, segments, updatedAt } = delivery
  const words = t()
  const isDoubtful = status === 'FAILED' || status === 'MAYBE_SENT'
  const missed = delivery.copies.filter((copy) => copy.status === 'FAILED' || copy.status === 'MAYBE_SENT')
  if (!isLast && !isDoubtful && missed.length === 0) return null
  const tone = status === 'FAILED' ? 'sent bad' : status === 'MAYBE_SENT' ? 'sent warn' : 'sent'
  const other = ways.find((way) => way !== 'WEB' && deliveries.every((each) => each.touchpoint !== way))
  return (
    <p class={tone}>
      <Icon name={ICONS[status]} size="s" />
      <span>
        {words.delivery[status]} {timeOfDay(updatedAt)}
        {touchpoint !== 'WEB' && ` · ${words.touchpoint[touchpoint]}`}
        {segments !== null && segments > 0 && ` · ${words.delivery.segments(segments)}`}
        {isDoubtful && recipient && (
          <>
            {' · '}
            <bdi>{recipient}</bdi>
          </>
        )}
        {isDoubtful && attempts > 1 && ` · ${words.delivery.attempts(attempts)}`}
        {reason && status !== 'DELIVERED' && status !== 'READ' && `: ${reason}`}
        {missed.map((copy) => (
          <span key={copy.address} class="bad">
            {' · '}
            {words.delivery[copy.status]} <bdi>{copy.address}</bdi>
            {copy.reason && `: ${copy.reason}`}
          </span>
        ))}
      </span>
      {isDoubtful && <Opened dialog="SendAgain" delivery={delivery} message={message.id} other={other} />}
    </p>
  )
}
