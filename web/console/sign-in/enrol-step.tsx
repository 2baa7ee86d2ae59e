import { createRequest, Refused } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { EnrolAtSignInDocument, type EnrolAtSignInMutation } from '../../generated/sign-in.js'
import { t } from '../../shared/i18n/messages.js'
import { SignInRefused } from '../../shared/session.js'
import { CodeField } from '../security/code-field.js'
import { QrCode } from '../security/qr-code.js'
import { useSecurityWords, words } from '../security/words.js'
import { signInFault } from './refusal.js'
import { Fault, sentence, SignInFrame } from './sign-in-frame.js'

const request = createRequest({ serverUrl: '', token: null })

interface EnrolStepProps {
  email: string
  password: string
  signIn(given: { code: string; enrolment: string }): Promise<void>
  back(): void
}

/** Enrols an authenticator app at the sign-in of whoever has to have one by now. */
export default function EnrolStep({ email, password, signIn, back }: EnrolStepProps) {
  useSecurityWords()
  const [pending, setPending] = useState<EnrolAtSignInMutation['enrolAtSignIn'] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    request(EnrolAtSignInDocument, { email, password }).then(
      ({ enrolAtSignIn }) => setPending(enrolAtSignIn),
      (error: Error) => setFault(error instanceof Refused ? sentence(error.message) : t().signIn.unreachable),
    )
  }, [])
  useEffect(() => input.current?.focus(), [pending])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isBusy || !pending) return
    setBusy(true)
    setFault(null)
    signIn({ code: input.current!.value, enrolment: pending.id }).catch((error: unknown) => {
      setBusy(false)
      const isWrong = error instanceof SignInRefused && error.reason === 'CODE_WRONG'
      setFault(isWrong ? words.wrongCode : error instanceof SignInRefused ? signInFault(error) : t().signIn.unreachable)
      input.current?.select()
    })
  }
  return (
    <SignInFrame title={words.enrolTitle} lead={words.enrolLead}>
      <form class="stack" onSubmit={submit} aria-busy={isBusy || (!pending && fault === null)}>
        {pending && (
          <>
            <p>{words.scan}</p>
            <QrCode text={pending.uri} label={words.qr} />
            <p class="hint">{words.typed}</p>
            <code class="code">{pending.secret}</code>
            <CodeField input={input} isInvalid={fault !== null} describedBy="fault" />
          </>
        )}
        <Fault text={fault} />
        <button class="btn primary big" aria-disabled={isBusy || !pending}>
          {isBusy ? words.busy : words.signIn}
        </button>
        <p>
          <button type="button" class="btn ghost" onClick={back}>
            {words.back}
          </button>
        </p>
      </form>
    </SignInFrame>
  )
}
