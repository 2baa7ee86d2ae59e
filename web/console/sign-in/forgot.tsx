import { createRequest, Refused } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RequestPasswordResetDocument } from '../../generated/session.js'
import { t } from '../../shared/i18n/messages.js'
import { Fault, sentence, SignInFrame } from './sign-in-frame.js'
import { useSignInWords, words as catalogue } from './words.js'

const request = createRequest({ serverUrl: '', token: null })

/** Asks for a mail with a link. What is said is the same for an email that nobody has. */
export default function Forgot() {
  useSignInWords()
  const words = t().signIn
  const own = catalogue.password
  const [answer, setAnswer] = useState<{ isMailSet: boolean } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const email = useRef<HTMLInputElement>(null)
  useEffect(() => email.current?.focus(), [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFault(null)
    request(RequestPasswordResetDocument, { email: email.current!.value.trim() })
      .then(
        ({ requestPasswordReset }) => setAnswer({ isMailSet: requestPasswordReset }),
        (error: Error) => setFault(error instanceof Refused ? sentence(error.message) : words.unreachable),
      )
      .finally(() => setBusy(false))
  }
  return (
    <SignInFrame title={own.forgotTitle} lead={own.forgotLead}>
      <form class="stack" onSubmit={submit} aria-busy={isBusy}>
        <div class="field">
          <label for="email">{words.email}</label>
          <input class="in" id="email" type="email" autocomplete="username" required ref={email} />
        </div>
        <Fault text={fault} />
        <p role="status" class={answer ? 'hint' : 'vh'}>
          {answer && (answer.isMailSet ? own.mailUnderWay : own.noMail)}
        </p>
        <button class="btn primary big" aria-disabled={isBusy}>
          {own.sendLink}
        </button>
        <p>
          <a href="/console">{own.toSignIn}</a>
        </p>
      </form>
    </SignInFrame>
  )
}
