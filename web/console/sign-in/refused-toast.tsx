import { Icon } from '../../shared/ui/icon.js'
import { refusalText, useRefusal } from './refusal.js'
import { useSignInWords, words } from './words.js'

/** Says to somebody who is signed in that another sign-in, as by a link of a provider's own page, led to nothing. */
export default function RefusedToast() {
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
