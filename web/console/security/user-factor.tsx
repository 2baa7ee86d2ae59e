import { useState } from 'preact/hooks'
import { ResetFactorsDocument, SecondFactorDocument } from '../../generated/security.js'
import { shortTime } from '../../shared/i18n/format.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { faultText } from '../admin/fault-text.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { factorText } from './factor-text.js'
import { usePasskeyWords, words as passkeyWords } from './passkey-words.js'
import { useSecurityWords, words } from './words.js'

/** Shows an administrator the second factor of another user, and resets it for whoever has lost it. */
export function UserFactor({ user }: { user: string }) {
  useSecurityWords()
  usePasskeyWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(SecondFactorDocument, { user }, 'user')
  const [asks, setAsks] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const factor = data?.secondFactor ?? null
  const reset = (): void => {
    setFault(null)
    setAsks(false)
    store.request(ResetFactorsDocument, { user }).then(refresh, (error: Error) => setFault(faultText(error)))
  }
  return (
    <section class="box" aria-label={words.factorTitle} aria-busy={data === null && !error}>
      <header>
        <Icon name="lock" />
        <h2>{words.factorTitle}</h2>
      </header>
      <ErrorHint text={fault ?? error?.message} />
      {data && !factor && <p class="pad mid">{words.none}</p>}
      {factor && (
        <div class="set">
          <span>
            {factor.methods.includes('TOTP') ? words.app : passkeyWords.title}
            <small>
              {factorText(factor, (time) => shortTime(time, store.now.value))} · {words.recovery}:{' '}
              {words.left(factor.recoveryCodesLeft)}
            </small>
          </span>
          <button type="button" class="btn ghost small danger" onClick={() => (asks ? reset() : setAsks(true))}>
            {asks ? words.resetAsk : words.reset}
          </button>
        </div>
      )}
    </section>
  )
}
