import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { words } from './words.js'

/** Says what did not load, in its place. */
export function NotLoaded({ error, again }: { error: Error; again(): void }) {
  return (
    <p class="band bad" role="alert">
      <Icon name="alert" />
      {words.failed} {error.message}
      <button class="btn small push" onClick={again}>
        {t().retry}
      </button>
    </p>
  )
}
