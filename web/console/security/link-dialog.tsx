import { useEffect, useRef, useState } from 'preact/hooks'
import { LinkIdentityDocument } from '../../generated/identities.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { useStore } from '../store/console-store.js'
import { identityFault } from './identity-fault.js'
import type { ProviderName } from './identity-rows.js'
import { identityWords as words } from './identity-words.js'

/** The page to which the provider's answer comes back, also if there is none. */
const PAGE = '/console/settings'

/** Begins to link an account at a provider: asks for the password, and goes there. */
export function LinkDialog({ provider: { id, name }, close }: { provider: ProviderName; close(): void }) {
  const store = useStore()
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => password.current?.focus(), [])
  const submit = (): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    store.request(LinkIdentityDocument, { service: id, currentPassword: password.current!.value || null }).then(
      ({ linkIdentity: { url } }) => location.assign(`${url}&page=${PAGE}`),
      (error: Error) => {
        setBusy(false)
        setFault(identityFault(error))
        password.current?.focus()
      },
    )
  }
  return (
    <Dialog
      title={words.linkTitle(name)}
      icon="link"
      close={close}
      submit={submit}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {t().cancel}
          </button>
          <button class="btn primary" aria-disabled={isBusy}>
            {words.go}
          </button>
        </>
      }
    >
      <div class="stack">
        <p>{words.linkText(name)}</p>
        <div class="field">
          <label for="link-password">{words.password}</label>
          <input
            class="in"
            id="link-password"
            type="password"
            autocomplete="current-password"
            ref={password}
            aria-invalid={fault !== null}
            aria-describedby="link-hint link-fault"
          />
          <p class="hint" id="link-hint">
            {words.passwordHelp}
          </p>
        </div>
        <ErrorHint text={fault} id="link-fault" />
      </div>
    </Dialog>
  )
}
