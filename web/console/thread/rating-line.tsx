import { useEffect, useState } from 'preact/hooks'
import { RatingOfDocument, type RatingOfQuery } from '../../generated/beside.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { useActWords, words } from '../acts/words.js'
import { scoreText } from '../contacts/score-text.js'
import { useStore } from '../store/console-store.js'

/** The question of a survey, and what the consumer answered. It is read anew whenever the message changes. */
export function RatingLine({ message }: { message: ThreadMessage }) {
  const store = useStore()
  useActWords()
  const [rating, setRating] = useState<RatingOfQuery['rating']>(null)
  useEffect(() => {
    const stop = new AbortController()
    store.request(RatingOfDocument, { id: String(message.meta?._rating) }, stop.signal).then(
      (answer) => setRating(answer.rating),
      // The question is shown without its answer.
      () => undefined,
    )
    return () => stop.abort()
  }, [message])
  const own = words.rating
  return (
    <section class="offer" aria-label={own.title}>
      <p class="line tight b">
        <Icon name="info" size="s" />
        {own.title}
        <time class="mute" dateTime={message.createdAt}>
          {timeOfDay(message.createdAt)}
        </time>
      </p>
      <p class="mid" dir="auto">
        {(message.text ?? '').split('\n')[0]}
      </p>
      {rating && (
        <p role="status">{rating.score === null ? <span class="mute">{own.open}</span> : <b>{scoreText(rating)}</b>}</p>
      )}
      {rating?.comment && (
        <p class="text" dir="auto">
          {rating.comment}
        </p>
      )}
    </section>
  )
}
