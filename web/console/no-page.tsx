import { useEffect } from 'preact/hooks'
import { t } from '../shared/i18n/messages.js'
import { Icon } from '../shared/ui/icon.js'
import { listPath } from './route.js'

/** An address that names nothing. */
export default function NoPage() {
  const words = t()
  useEffect(() => {
    document.title = `${words.noPage} · ${words.app}`
  }, [words])
  return (
    <main class="col thread empty" id="main" tabIndex={-1}>
      <div class="nothing">
        <Icon name="alert" size="l" />
        <h1>{words.noPage}</h1>
        <p class="mid">{words.noPageHelp}</p>
        <p>
          <a href={listPath('queue')}>{words.back}</a>
        </p>
      </div>
    </main>
  )
}
