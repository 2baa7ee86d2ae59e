import { createRequest } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SecondFactorDueDocument } from '../../generated/security.js'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { SignInRefused, type Session } from '../../shared/session.js'
import { Icon } from '../../shared/ui/icon.js'
import { Lazy, Part } from '../lazy.js'
import { CodeStep } from './code-step.js'
import { keepEmail, takeEmail } from '../kept.js'
import { ProviderLinks, startUrl } from './provider-links.js'
import { refusalText, signInFault, useRefusal } from './refusal.js'
import { Fault, SignInFrame } from './sign-in-frame.js'
import { useProviders, type SignInProvider } from './use-providers.js'
import { useSignInWords, words as own } from './words.js'

const FORGOT_PATH = '/console/forgot'

/** Leads whoever has to set a second factor up to where that is done, once a sign-in. Who is not told now is told by the next. */
async function tellDue(session: Session): Promise<void> {
  const state = session.state.peek()
  if (typeof state === 'string') return
  const token = (isRefused: boolean) => session.token({ user: state.user, isRefused })
  const answer = await createRequest({ serverUrl: '', token })(SecondFactorDueDocument, {}).catch(() => null)
  if (answer?.secondFactorDue) navigate('/console/settings#security', { replace: true })
}

/**
 * Email and password, then a code of whoever has a second factor; and the providers of the email's domain, once that is typed. What was
 * typed stays when the server does not answer or refuses. Enter after an email without a password leads to its only provider.
 */
export default function SignIn({ session }: { session: Session }) {
  const isLoaded = useSignInWords()
  const words = t().signIn
  const [typed, setTyped] = useState(() => ({ email: takeEmail(), password: '' }))
  const [needsCode, setNeedsCode] = useState(false)
  const [mustEnrol, setMustEnrol] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [refusal, dismiss] = useRefusal()
  const providers = useProviders()
  const password = useRef<HTMLInputElement>(null)
  const email = useRef<HTMLInputElement>(null)
  useEffect(() => email.current?.focus(), [needsCode])
  useEffect(() => {
    // What it holds by now: a browser may have filled it in as soon as it stood there.
    providers.look(email.current!.value)
    // The browser shows this very page again when one comes back from a provider by its button.
    const shown = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) setBusy(false)
    }
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])

  const go = async (provider: SignInProvider): Promise<void> => {
    if (isBusy) return
    const { value } = email.current!
    setBusy(true)
    setFault(null)
    dismiss()
    try {
      await session.settle()
    } catch {
      setBusy(false)
      return setFault(words.unreachable)
    }
    keepEmail(value)
    location.assign(startUrl(provider, value))
  }

  /** Without a password, the email alone may be enough. */
  const continueBy = async (given: string): Promise<void> => {
    setBusy(true)
    const found = await providers.find(given)
    setBusy(false)
    if (found.length === 1) return go(found[0]!)
    setFault(found.length === 0 ? own.passwordMissing : own.passwordOrProvider)
    password.current?.focus()
  }

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const credentials = { email: String(form.get('email')).trim(), password: String(form.get('password')) }
    setFault(null)
    if (credentials.password === '') return continueBy(credentials.email)
    setBusy(true)
    dismiss()
    try {
      await session.signIn(credentials)
      void tellDue(session)
    } catch (error) {
      setBusy(false)
      setTyped(credentials)
      if (error instanceof SignInRefused && error.needsCode) return setNeedsCode(true)
      if (error instanceof SignInRefused && error.reason === 'ENROLMENT_REQUIRED') return setMustEnrol(true)
      setFault(error instanceof SignInRefused ? signInFault(error) : words.unreachable)
      password.current?.focus()
    }
  }

  const byPasskey = (passkey: Record<string, unknown>): Promise<void> => session.signIn({ passkey })

  if (mustEnrol)
    return (
      <Lazy
        key="enrol"
        load={() => import('./enrol-step.js')}
        props={{
          ...typed,
          signIn: async (given: { code: string; enrolment: string }) => {
            await session.signIn({ ...typed, ...given })
            // Its recovery codes are made there.
            navigate('/console/settings', { replace: true })
          },
          back: () => setMustEnrol(false),
        }}
      />
    )
  if (needsCode)
    return (
      <CodeStep
        signIn={(code) => session.signIn({ ...typed, code })}
        byPasskey={(passkey) => session.signIn({ ...typed, passkey })}
        back={() => setNeedsCode(false)}
      />
    )
  return (
    <SignInFrame title={words.title} lead={words.lead}>
      <form class="stack" onSubmit={submit} aria-busy={isBusy}>
        {refusal !== null && isLoaded && (
          <p class="band warn" role="alert">
            <Icon name="alert" />
            <b>{own.refused}</b>
            <span>{refusalText(refusal)}</span>
          </p>
        )}
        <div class="field">
          <label for="email">{words.email}</label>
          <input
            class="in"
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            required
            defaultValue={typed.email}
            ref={email}
            onInput={({ currentTarget: { value } }) => {
              setTyped({ ...typed, email: value })
              providers.look(value)
            }}
          />
        </div>
        <div class="field">
          <label for="password">{words.password}</label>
          <input
            class="in"
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            aria-required={providers.shown.length === 0}
            ref={password}
            aria-invalid={fault !== null}
            aria-describedby="fault"
          />
        </div>
        <Fault text={fault} />
        <button class="btn primary big" aria-disabled={isBusy}>
          {isBusy ? words.busy : words.submit}
        </button>
        <p>
          <a href={FORGOT_PATH}>{words.forgot}</a>
        </p>
        <Part load={() => import('./passkey-button.js')} props={{ signIn: byPasskey }} />
        <ProviderLinks providers={providers.shown} email={typed.email} go={(provider) => void go(provider)} />
        {providers.shown.length === 0 && <p class="hint">{words.firstTime}</p>}
      </form>
    </SignInFrame>
  )
}
