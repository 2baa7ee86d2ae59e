import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { SignInRefused, type Session } from '../../shared/session.js'
import { CodeStep } from './code-step.js'
import { signInFault } from './refusal.js'
import { useSignInWords, words as catalogue } from './words.js'
import { Fault, SignInFrame } from './sign-in-frame.js'

const PASSWORD_CHARS_MIN = 8
const PASSWORD_CHARS_MAX = 200

/** Finishes an invitation, or sets another password, by the token of a link. */
export function ChoosePassword({ session, purpose }: { session: Session; purpose: 'invitation' | 'reset' }) {
  useSignInWords()
  const words = t().signIn
  const own = catalogue.password
  const token = useToken()
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  /** The chosen password, while a code is asked for. */
  const [kept, keep] = useState<string | null>(null)
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => password.current?.focus(), [kept])
  const signIn = async (
    chosen: string,
    more: { code?: string; passkey?: Record<string, unknown> } = {},
  ): Promise<void> => {
    await session.signIn(
      purpose === 'invitation' ? { invitation: token, password: chosen } : { reset: token, password: chosen, ...more },
    )
    navigate('/console', { replace: true })
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFault(null)
    const chosen = password.current!.value
    try {
      await signIn(chosen)
    } catch (error) {
      setBusy(false)
      if (error instanceof SignInRefused && error.needsCode) return keep(chosen)
      setFault(error instanceof SignInRefused ? signInFault(error) : words.unreachable)
      password.current?.focus()
    }
  }
  if (kept !== null)
    return (
      <CodeStep
        signIn={(code) => signIn(kept, { code })}
        byPasskey={(passkey) => signIn(kept, { passkey })}
        back={() => keep(null)}
      />
    )
  const isInvitation = purpose === 'invitation'
  return (
    <SignInFrame
      title={isInvitation ? own.welcome : own.newPassword}
      lead={isInvitation ? own.welcomeLead : own.newPasswordLead}
    >
      <form class="stack" onSubmit={submit} aria-busy={isBusy}>
        <div class="field">
          <label for="password">{words.password}</label>
          <input
            class="in"
            id="password"
            type="password"
            autocomplete="new-password"
            minLength={PASSWORD_CHARS_MIN}
            maxLength={PASSWORD_CHARS_MAX}
            required
            ref={password}
            aria-invalid={fault !== null}
            aria-describedby="password-rule fault"
          />
          <p class="hint" id="password-rule">
            {own.passwordRule}
          </p>
        </div>
        <Fault text={token === '' ? own.linkIncomplete : fault} />
        <button class="btn primary big" aria-disabled={isBusy || token === ''}>
          {isBusy ? words.busy : own.setPassword}
        </button>
        <p>
          <a href={isInvitation ? '/console' : '/console/forgot'}>{isInvitation ? own.toSignIn : own.forgotAgain}</a>
        </p>
      </form>
    </SignInFrame>
  )
}

/** The part behind `#`, taken out of the address at once, so that it stays in no history. */
function useToken(): string {
  const [token] = useState(() => {
    const given = location.hash.slice(1)
    if (given !== '') history.replaceState(null, '', location.pathname)
    return given
  })
  return token
}
