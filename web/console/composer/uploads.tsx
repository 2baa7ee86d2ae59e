import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { Icon } from '../../shared/ui/icon.js'
import type { Uploads } from './use-upload.js'

/** The files that go with the next message: how far each is, and what is the matter with it. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  useActWords()
  const words = catalogue.uploads
  return (
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
  )
}
