import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { SignInRefused } from '../../shared/session.js'
import { Part } from '../lazy.js'
import { CodeField } from '../security/code-field.js'
import { useSecurityWords, words } from '../security/words.js'
import { signInFault } from './refusal.js'
import { Fault, SignInFrame } from './sign-in-frame.js'

interface CodeStepProps {
  signIn(code: string): Promise<void>
  /** Signs in by a passkey in place of a code. */
  byPasskey(passkey: Record<string, unknown>): Promise<void>
  back(): void
}

/** Asks for a code of the second factor, or a passkey, once the password was right. */
export function CodeStep({ signIn, byPasskey, back }: CodeStepProps) {
  useSecurityWords()
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFault(null)
    signIn(input.current!.value).catch((error: unknown) => {
      setBusy(false)
      setFault(error instanceof SignInRefused ? signInFault(error) : t().signIn.unreachable)
      input.current?.select()
    })
  }
  return (
    <SignInFrame title={words.codeTitle} lead={words.codeLead}>
      <form class="stack" onSubmit={submit} aria-busy={isBusy}>
        <CodeField input={input} isInvalid={fault !== null} describedBy="fault" hint={words.codeHint} />
        <Fault text={fault} />
        <button class="btn primary big" aria-disabled={isBusy}>
          {isBusy ? words.busy : words.signIn}
        </button>
        <Part load={() => import('./passkey-button.js')} props={{ signIn: byPasskey }} />
        <p>
          <button type="button" class="btn ghost" onClick={back}>
            {words.back}
          </button>
        </p>
        <p class="hint">{words.lost}</p>
      </form>
    </SignInFrame>
  )
}
