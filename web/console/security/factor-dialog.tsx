import { Refused } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  ConfirmTotpDocument,
  CreateRecoveryCodesDocument,
  EnrolTotpDocument,
  RemoveTotpDocument,
  type EnrolTotpMutation,
} from '../../generated/security.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { useStore } from '../store/console-store.js'
import { CodeField } from './code-field.js'
import { faultText } from './factor-text.js'
import { QrCode } from './qr-code.js'
import { RecoveryCodes } from './recovery-codes.js'
import { words } from './words.js'

export type FactorChange = 'setUp' | 'renew' | 'remove'

export interface FactorDialogProps {
  change: FactorChange
  /** A change takes a factor where there is one: without an app, a passkey and its recovery codes. */
  hasFactor: boolean
  close(): void
}

/** The part of a change that is asked or shown at present, in this order as far as the change needs it. */
type Step =
  | { is: 'password' }
  | { is: 'app'; pending: EnrolTotpMutation['enrolTotp'] }
  | { is: 'codes'; codes: string[] }

/** Changes one's own second factor: each change begins with the current password, and with a code where there is a factor. */
export default function FactorDialog({ change, hasFactor, close }: FactorDialogProps) {
  const store = useStore()
  const [step, setStep] = useState<Step>({ is: 'password' })
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [step.is])
  const next = async (given: string): Promise<Step | null> => {
    if (step.is === 'app') {
      const { confirmTotp: codes } = await store.request(ConfirmTotpDocument, { id: step.pending.id, code: given })
      return { is: 'codes', codes }
    }
    if (change === 'setUp')
      return {
        is: 'app',
        pending: (await store.request(EnrolTotpDocument, { currentPassword: given, code: code.current?.value ?? null }))
          .enrolTotp,
      }
    const proof = { currentPassword: given, code: code.current!.value }
    if (change === 'renew') {
      const { createRecoveryCodes: codes } = await store.request(CreateRecoveryCodesDocument, proof)
      return { is: 'codes', codes }
    }
    await store.request(RemoveTotpDocument, proof)
    return null
  }
  const submit = (): void => {
    if (step.is === 'codes') return close()
    if (isBusy) return
    setBusy(true)
    setFault(null)
    next(input.current!.value)
      .then(
        (following) => (following ? setStep(following) : close()),
        (error: Error) => {
          setFault(faultText(error))
          const isOfCode = error instanceof Refused && error.field === 'code'
          ;(isOfCode ? (code.current ?? input.current) : input.current)?.focus()
        },
      )
      .finally(() => setBusy(false))
  }
  const titles = { setUp: words.app, renew: words.renewTitle, remove: words.removeTitle }
  const labels = { password: change === 'setUp' ? words.next : words[change], app: words.confirm, codes: words.done }
  const isDanger = change === 'remove'
  return (
    <Dialog
      title={titles[change]}
      icon="lock"
      close={close}
      // Codes that nobody has kept are lost: a press beside the dialog must not do that.
      mayClose={() => step.is !== 'codes'}
      submit={submit}
      footer={
        <>
          {step.is !== 'codes' && (
            <button type="button" class="btn" onClick={close}>
              {t().cancel}
            </button>
          )}
          <button class={`btn ${isDanger ? 'danger' : 'primary'}`} aria-disabled={isBusy}>
            {labels[step.is]}
          </button>
        </>
      }
    >
      <div class="stack">
        {step.is === 'password' && (
          <>
            {change === 'remove' && <p>{words.removeText}</p>}
            {change === 'renew' && <p>{words.renewText}</p>}
            <div class="field">
              <label for="current-password">{words.password}</label>
              <input
                class="in"
                id="current-password"
                type="password"
                autocomplete="current-password"
                required
                ref={input}
                aria-invalid={fault !== null}
                aria-describedby="factor-fault"
              />
            </div>
            {hasFactor && (
              <CodeField input={code} isInvalid={fault !== null} describedBy="factor-fault" hint={words.codeHint} />
            )}
          </>
        )}
        {step.is === 'app' && (
          <>
            <p>{words.scan}</p>
            <QrCode text={step.pending.uri} label={words.qr} />
            <p class="hint">{words.typed}</p>
            <code class="code">{step.pending.secret}</code>
            <CodeField input={input} isInvalid={fault !== null} describedBy="factor-fault" />
          </>
        )}
        {step.is === 'codes' && <RecoveryCodes codes={step.codes} />}
        <ErrorHint text={fault} id="factor-fault" />
      </div>
    </Dialog>
  )
}
