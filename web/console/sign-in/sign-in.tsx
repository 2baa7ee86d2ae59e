import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { SignInRefused, type Session } from '../../shared/session.js'
import { CodeStep } from './code-step.js'
import { Fault, sentence, SignInFrame } from './sign-in-frame.js'

const FORGOT_PATH = '/console/forgot'

/** Email and password, then a code of whoever has a second factor. What was typed stays when the server does not answer or refuses. */
export default function SignIn({ session }: { session: Session }) {
  const words = t().signIn
  const [typed, setTyped] = useState({ email: '', password: '' })
  const [needsCode, setNeedsCode] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const password = useRef<HTMLInputElement>(null)
  const email = useRef<HTMLInputElement>(null)
  useEffect(() => email.current?.focus(), [needsCode])

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const credentials = { email: String(form.get('email')).trim(), password: String(form.get('password')) }
    setBusy(true)
    setFault(null)
    try {
      await session.signIn(credentials)
    } catch (error) {
      setBusy(false)
      setTyped(credentials)
      if (error instanceof SignInRefused && error.needsCode) return setNeedsCode(true)
      setFault(error instanceof SignInRefused ? sentence(error.message) : words.unreachable)
      password.current?.focus()
    }
  }

  if (needsCode)
    return <CodeStep signIn={(code) => session.signIn({ ...typed, code })} back={() => setNeedsCode(false)} />
  return (
    <SignInFrame title={words.title} lead={words.lead}>
      <form class="stack" onSubmit={submit} aria-busy={isBusy}>
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
            required
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
        <p class="hint">{words.firstTime}</p>
      </form>
    </SignInFrame>
  )
}
