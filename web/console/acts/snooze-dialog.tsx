import { useState } from 'preact/hooks'
import { SnoozeDocument, UnsnoozeDocument } from '../../generated/beside.js'
import { dayTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { localMinute, snoozeTimes } from './snooze-times.js'
import { useActWords, words as catalogue } from './words.js'

interface SnoozeDialogProps {
  thread: ThreadFrame
  /** Goes on with the next conversation. */
  leaveBy(run: () => Promise<unknown>): void
  close(): void
}

const MINUTE_MS = 60_000
const YEAR_MS = 365 * 86_400_000

/** Puts a conversation aside until one of a few times, or another one. */
export function SnoozeDialog({ thread, leaveBy, close }: SnoozeDialogProps) {
  useActWords()
  const store = useStore()
  const words = catalogue.snooze
  const [own, setOwn] = useState<string | null>(null)
  const now = store.session.now()
  const { id: conversation, snoozedUntil } = thread.conversation
  const snooze = (until: Date): void => {
    close()
    leaveBy(() => store.request(SnoozeDocument, { conversation, until: until.toISOString() }))
  }
  const wake = (): void => {
    close()
    store
      .request(UnsnoozeDocument, { conversation })
      .catch((error: Error) => store.acts.say(conversation, error.message))
  }
  return (
    <Dialog
      title={words.until}
      icon="snooze"
      close={close}
      submit={() => own && snooze(new Date(own))}
      footer={
        own === null ? undefined : (
          <>
            <button type="button" class="btn" onClick={close}>
              {t().cancel}
            </button>
            <button class="btn primary">{t().snooze.title}</button>
          </>
        )
      }
    >
      <ul class="choices">
        {snoozeTimes(now).map(([choice, at], index) => (
          <li key={choice}>
            <button type="button" class="choice" autofocus={index === 0} onClick={() => snooze(at)}>
              <Icon name={choice === 'hour' ? 'clock' : choice === 'nextWeek' ? 'cal' : 'snooze'} />
              <span class="grow">{words[choice]}</span>
              <span class="mute">{dayTime(at.getTime(), now)}</span>
            </button>
          </li>
        ))}
        <li>
          {own === null ? (
            <button type="button" class="choice" onClick={() => setOwn(localMinute(now + 2 * 60 * MINUTE_MS))}>
              <Icon name="cal" />
              <span class="grow">{words.own}</span>
            </button>
          ) : (
            <div class="field">
              <label for="snooze-own">{words.own}</label>
              <input
                class="in"
                id="snooze-own"
                type="datetime-local"
                required
                autofocus
                ref={(field) => field?.focus()}
                min={localMinute(now + 2 * MINUTE_MS)}
                max={localMinute(now + YEAR_MS)}
                value={own}
                onInput={(event) => setOwn(event.currentTarget.value)}
              />
            </div>
          )}
        </li>
        {snoozedUntil && (
          <li>
            <button type="button" class="choice" onClick={wake}>
              <Icon name="undo" />
              <span class="grow">{words.wake}</span>
            </button>
          </li>
        )}
      </ul>
      <p class="hint">
        <bdi>{words.sooner(thread.name)}</bdi>
      </p>
    </Dialog>
  )
}
