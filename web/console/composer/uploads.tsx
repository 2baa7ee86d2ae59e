import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { Icon } from '../../shared/ui/icon.js'
import type { Uploads } from './use-upload.js'

/** The files that go with the next message: how far each is, and what is the matter with it. @param isDue it was sent, and waits for them */
export function UploadList({ uploads, isDue }: { uploads: Uploads; isDue: boolean }) {
  useActWords()
  const words = catalogue.uploads
  const hasFault = uploads.all.value.some(({ fault }) => fault !== null)
  return (
    <>
      <ul class="uploads" aria-label={words.files}>
        {uploads.all.value.map(({ id, name, progress, fault, attachment, again, cancel }) => (
          <li key={id} class="line">
            <Icon name={fault ? 'alert' : 'file'} />
            <bdi class="cut grow">{name}</bdi>
            {fault ? (
              <>
                <span class="bad t2" role="alert">
                  {fault}
                </span>
                <button type="button" class="btn ghost small" onClick={again}>
                  {t().retry}
                </button>
              </>
            ) : (
              !attachment && <progress value={progress} aria-label={`${words.attaching}: ${name}`} />
            )}
            <button
              type="button"
              class="btn ghost icon small"
              aria-label={`${words.removeFile}: ${name}`}
              onClick={cancel}
            >
              <Icon name="x" size="s" />
            </button>
          </li>
        ))}
      </ul>
      {isDue && (
        <p class="hint" role="status">
          <Icon name={hasFault ? 'alert' : 'clock'} size="s" />
          {hasFault ? words.dueButFailed : words.due}
        </p>
      )}
    </>
  )
}
