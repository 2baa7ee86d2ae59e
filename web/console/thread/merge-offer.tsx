import { useState } from 'preact/hooks'
import { ImportConversationDocument } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { threadPath } from '../route.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'

interface OfferProps {
  message: ThreadMessage
  conversation: string
  origin: string
}

/** The system thinks that two conversations are one person's: look at the other, and take it in here, or not. */
export function MergeOffer({ message, conversation, origin }: OfferProps) {
  const store = useStore()
  useActWords()
  const words = catalogue.merge
  const [state, setState] = useState<'offered' | 'asked' | 'busy' | 'merged'>('offered')
  const [fault, setFault] = useState<string | null>(null)
  const merge = (): void => {
    setState('busy')
    setFault(null)
    store.request(ImportConversationDocument, { conversation, origin }).then(
      () => setState('merged'),
      (error: Error) => {
        setFault(error.message)
        setState('offered')
      },
    )
  }
  return (
    <section class="offer" aria-label={words.title}>
      <p class="line tight b">
        <Icon name="merge" size="s" />
        {words.title}
      </p>
      <p class="mid" dir="auto">
        {(message.text ?? '').split('. To merge')[0]}
      </p>
      <ErrorHint text={fault} />
      {state === 'merged' ? (
        <p class="good" role="status">
          {words.merged}
        </p>
      ) : (
        <p class="line">
          <a class="btn small" href={threadPath(origin)}>
            {words.look}
          </a>
          {state === 'asked' ? (
            <>
              <button class="btn small primary" onClick={merge}>
                {words.confirm}
              </button>
              <button class="btn small ghost" onClick={() => setState('offered')}>
                {t().cancel}
              </button>
            </>
          ) : (
            <button class="btn small" aria-disabled={state === 'busy'} onClick={() => setState('asked')}>
              {words.merge}
            </button>
          )}
        </p>
      )}
    </section>
  )
}
