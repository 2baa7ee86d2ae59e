import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SecondFactorDocument, SecondFactorDueDocument } from '../../generated/security.js'
import { shortTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import type { FactorChange, FactorDialogProps } from './factor-dialog.js'
import { factorText } from './factor-text.js'
import { OwnPasskeys } from './own-passkeys.js'
import { OwnIdentities } from './own-identities.js'
import { useSecurityWords, words } from './words.js'

/** One's own security: an authenticator app, recovery codes, and accounts at providers. */
export function OwnFactor() {
  useSecurityWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(SecondFactorDocument, { user: 'me' }, 'user')
  const due = useQuery(SecondFactorDueDocument, {}, 'user')
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (location.hash === '#security' && due.data) section.current!.scrollIntoView()
  }, [due.data])
  const [opened, open] = useState<{ change: FactorChange; Dialog: FunctionComponent<FactorDialogProps> } | null>(null)
  const [isFailed, setFailed] = useState(false)
  const factor = data?.secondFactor ?? null
  const hasApp = factor?.methods.includes('TOTP') ?? false
  // Few ever open it, and it draws QR codes.
  const begin = (change: FactorChange): void => {
    setFailed(false)
    import('./factor-dialog.js').then(
      (module) => open({ change, Dialog: module.default }),
      () => setFailed(true),
    )
  }
  const close = (): void => {
    open(null)
    refresh()
  }
  return (
    <section class="box" ref={section} aria-label={words.title} aria-busy={data === null && !error}>
      <header>
        <Icon name="lock" />
        <h2>{words.title}</h2>
      </header>
      {data && !factor && due.data?.secondFactorDue && (
        <p class="band warn" role="status">
          {words.due(shortTime(due.data.secondFactorDue, store.now.value))}
        </p>
      )}
      {factor?.recoveryCodesLeft === 0 && (
        <p class="band warn" role="status">
          {words.noCodes}
        </p>
      )}
      <ErrorHint text={isFailed ? t().signIn.unreachable : error?.message} />
      <div class="set">
        <span>
          {words.app}
          <small>
            {data &&
              (hasApp
                ? factorText(factor!, (time) => shortTime(time, store.now.value))
                : factor
                  ? words.none
                  : words.off)}
          </small>
        </span>
        {data && (
          <button type="button" class="btn small" onClick={() => begin(hasApp ? 'remove' : 'setUp')}>
            {hasApp ? words.remove : words.setUp}
          </button>
        )}
      </div>
      {factor && (
        <div class="set">
          <span>
            {words.recovery}
            <small>{words.left(factor.recoveryCodesLeft)}</small>
          </span>
          <button type="button" class="btn small" onClick={() => begin('renew')}>
            {words.renew}
          </button>
        </div>
      )}
      <OwnPasskeys hasFactor={factor !== null} changed={refresh} />
      <OwnIdentities />
      {opened && <opened.Dialog change={opened.change} hasFactor={factor !== null} close={close} />}
    </section>
  )
}
