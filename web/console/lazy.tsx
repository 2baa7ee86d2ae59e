import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../shared/i18n/messages.js'
import { Icon } from '../shared/ui/icon.js'

/** A screen that is loaded when it is first shown. */
export function Lazy({ load }: { load(): Promise<{ default: FunctionComponent }> }) {
  const [screen, setScreen] = useState<{ Screen: FunctionComponent } | null>(null)
  const [isFailed, setFailed] = useState(false)
  const ask = (): void => {
    setFailed(false)
    load().then(
      (module) => setScreen({ Screen: module.default }),
      () => setFailed(true),
    )
  }
  useEffect(ask, [])
  if (screen) return <screen.Screen />
  return (
    <main class="col" id="main" tabIndex={-1} aria-busy={!isFailed}>
      {isFailed && (
        <p class="band warn" role="alert">
          <Icon name="off" />
          {t().signIn.unreachable}
          <button class="btn small push" onClick={ask}>
            {t().retry}
          </button>
        </p>
      )}
    </main>
  )
}
