import { useEffect, useRef, useState } from 'preact/hooks'
import {
  ConfirmPasskeyDocument,
  CreatePasskeyProofDocument,
  EnrolPasskeyDocument,
  RemovePasskeyDocument,
  RenamePasskeyDocument,
} from '../../generated/passkeys.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { useStore } from '../store/console-store.js'
import { CodeField } from './code-field.js'
import { faultText } from './factor-text.js'
import { isGivenUp, makePasskey, askForPasskey } from './passkey-browser.js'
import { words } from './passkey-words.js'
import { RecoveryCodes } from './recovery-codes.js'
import { words as security } from './words.js'

export interface PasskeyDialogProps {
  /** Null: a passkey is added. */
  passkey: { id: string; name: string } | null
  change: 'add' | 'rename' | 'remove'
  /** A change takes a factor where there is one. */
  hasFactor: boolean
  hasPasskey: boolean
  close(): void
}

/** Adds, renames or removes a passkey of one's own; the first factor brings recovery codes, which are shown once. */
export default function PasskeyDialog({ passkey, change, hasFactor, hasPasskey, close }: PasskeyDialogProps) {
  const store = useStore()
  const [codes, setCodes] = useState<string[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const name = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => (name.current ?? password.current)?.focus(), [])
  const proof = async () => {
    const given = code.current?.value.trim() ?? ''
    const isByPasskey = hasPasskey && given === ''
    const { options } = isByPasskey ? (await store.request(CreatePasskeyProofDocument, {})).createPasskeyProof : {}
    return {
      currentPassword: password.current!.value,
      code: given === '' ? null : given,
      passkey: isByPasskey ? await askForPasskey(options) : null,
    }
  }
  const act = async (): Promise<string[] | null> => {
    if (change === 'rename') {
      await store.request(RenamePasskeyDocument, { id: passkey!.id, name: name.current!.value })
      return null
    }
    const given = await proof()
    if (change === 'remove') {
      await store.request(RemovePasskeyDocument, { id: passkey!.id, ...given })
      return null
    }
    const { enrolPasskey } = await store.request(EnrolPasskeyDocument, given)
    const made = await makePasskey(enrolPasskey.options)
    const { confirmPasskey } = await store.request(ConfirmPasskeyDocument, { passkey: made, name: name.current!.value })
    return confirmPasskey.recoveryCodes ?? null
  }
  const submit = (): void => {
    if (codes) return close()
    if (isBusy) return
    setBusy(true)
    setFault(null)
    act()
      .then(
        (made) => (made ? setCodes(made) : close()),
        (error: Error) => setFault(faultOf(error, change)),
      )
      .finally(() => setBusy(false))
  }
  const titles = { add: words.addTitle, rename: words.rename, remove: words.removeTitle }
  const labels = { add: words.add, rename: t().save, remove: words.remove }
  return (
    <Dialog
      title={titles[change]}
      icon="lock"
      close={close}
      // Codes that nobody has kept are lost, also those that are on their way.
      mayClose={() => codes === null && !isBusy}
      submit={submit}
      footer={
        <>
          {!codes && (
            <button type="button" class="btn" aria-disabled={isBusy} onClick={() => isBusy || close()}>
              {t().cancel}
            </button>
          )}
          <button class={`btn ${change === 'remove' ? 'danger' : 'primary'}`} aria-disabled={isBusy}>
            {codes ? security.done : labels[change]}
          </button>
        </>
      }
    >
      <div class="stack">
        {codes ? (
          <RecoveryCodes codes={codes} />
        ) : (
          <>
            {change === 'add' && <p>{words.addText}</p>}
            {change === 'remove' && <p>{words.removeText(passkey!.name)}</p>}
            {change !== 'remove' && (
              <div class="field">
                <label for="passkey-name">{words.name}</label>
                <input
                  class="in"
                  id="passkey-name"
                  required
                  maxLength={100}
                  ref={name}
                  defaultValue={passkey?.name ?? ''}
                  aria-describedby="passkey-name-hint"
                />
                <p class="hint" id="passkey-name-hint">
                  {words.nameHint}
                </p>
              </div>
            )}
            {change !== 'rename' && (
              <div class="field">
                <label for="passkey-password">{security.password}</label>
                <input
                  class="in"
                  id="passkey-password"
                  type="password"
                  autocomplete="current-password"
                  required
                  ref={password}
                  aria-invalid={fault !== null}
                  aria-describedby="passkey-fault"
                />
              </div>
            )}
            {change !== 'rename' && hasFactor && (
              <CodeField
                input={code}
                isInvalid={fault !== null}
                describedBy="passkey-fault"
                hint={hasPasskey ? words.codeHint : security.codeHint}
                isRequired={!hasPasskey}
              />
            )}
          </>
        )}
        <ErrorHint text={fault} id="passkey-fault" />
      </div>
    </Dialog>
  )
}

function faultOf(error: Error, change: PasskeyDialogProps['change']): string {
  if (isGivenUp(error)) return change === 'add' ? words.notMade : words.givenUp
  return faultText(error)
}
