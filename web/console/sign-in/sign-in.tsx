import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { SignInRefused, type Session } from '../../shared/session.js'
import { Icon } from '../../shared/ui/icon.js'
import { toggleTheme } from '../../shared/ui/theme.js'

/** Email and password. What was typed stays when the server does not answer or refuses. */
export function SignIn({ session }: { session: Session }) {
  const words = t().signIn
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const password = useRef<HTMLInputElement>(null)
  const email = useRef<HTMLInputElement>(null)
  useEffect(() => email.current?.focus(), [])
  useEffect(() => {
    document.title = `${words.title} · ${t().app}`
  }, [words])

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget as HTMLFormElement)
    setBusy(true)
    setFault(null)
    try {
      await session.signIn({ email: String(form.get('email')).trim(), password: String(form.get('password')) })
    } catch (error) {
      setBusy(false)
      setFault(error instanceof SignInRefused ? sentence(error.message) : words.unreachable)
      password.current?.focus()
    }
  }

  return (
    <div class="signin">
      <main>
        <span class="brand">
          <Icon name="logo" />
        </span>
        <div>
          <h1>{words.title}</h1>
          <p class="mid">{words.lead}</p>
        </div>
        <form class="stack" onSubmit={submit} aria-busy={isBusy}>
          <div class="field">
            <label for="email">{words.email}</label>
            <input class="in" id="email" name="email" type="email" autocomplete="username" required ref={email} />
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
          <p id="fault" role="alert" class={fault ? 'hint bad' : 'vh'}>
            {fault && <Icon name="alert" size="s" />}
            {fault}
          </p>
          <button class="btn primary big" aria-disabled={isBusy}>
            {isBusy ? words.busy : words.submit}
          </button>
          <details>
            <summary>{words.forgot}</summary>
            <p class="hint">{words.forgotHelp}</p>
            <p class="hint">{words.firstTime}</p>
          </details>
        </form>
      </main>
      <footer class="line mute t2">
        <span>{t().app}</span>
        <button type="button" class="btn ghost small" onClick={toggleTheme}>
          <Icon name="half" size="s" />
          {words.theme}
        </button>
      </footer>
    </div>
  )
}

/** The server's words as a sentence. */
function sentence(text: string): string {
  const first = text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
