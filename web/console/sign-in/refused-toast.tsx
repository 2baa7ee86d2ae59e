import { useState } from 'preact/hooks'
import { Icon } from '../../shared/ui/icon.js'
import { route } from '../route.js'
import { refusalText, useRefusal } from './refusal.js'
import { useSignInWords, words } from './words.js'

/**
 * Says to somebody who is signed in that another sign-in, as by a link of a provider's own page, led to nothing; not on the
 * pages that say it themselves.
 */
export default function RefusedToast() {
  const [isSaid] = useState(() => {
    const shown = route.peek()
    return shown.page === 'settings' || (shown.page === 'admin' && shown.rest === 'signIn')
  })
  return isSaid ? null : <Said />
}

function Said() {
  const isLoaded = useSignInWords()
  const [reason, dismiss] = useRefusal()
  return (
    <div class="toast-at" role="alert">
      {reason !== null && isLoaded && (
        <p class="toast">
          <Icon name="alert" />
          <span class="grow">{refusalText(reason)}</span>
          <button class="link" onClick={dismiss}>
            {words.close}
          </button>
        </p>
      )}
    </div>
  )
}
