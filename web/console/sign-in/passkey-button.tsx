import { createRequest, Refused } from '@switchboard/client'
import { useState } from 'preact/hooks'
import { CreatePasskeyChallengeDocument } from '../../generated/passkeys.js'
import { t } from '../../shared/i18n/messages.js'
import { SignInRefused } from '../../shared/session.js'
import { ErrorHint } from '../../shared/ui/error-hint.js'
import { Icon } from '../../shared/ui/icon.js'
import { hasPasskeys, isGivenUp, askForPasskey } from '../security/passkey-browser.js'
import { usePasskeyWords, words } from '../security/passkey-words.js'
import { signInFault } from './refusal.js'
import { sentence } from './sign-in-frame.js'

const request = createRequest({ serverUrl: '', token: null })

interface PasskeyButtonProps {
  /** Signs in by what the browser has answered. */
  signIn(passkey: Record<string, unknown>): Promise<void>
}

/** Signs in by a passkey, alone or after the password; nothing where the browser has none. */
export default function PasskeyButton({ signIn }: PasskeyButtonProps) {
  usePasskeyWords()
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (!hasPasskeys()) return null
  const go = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    try {
      const { createPasskeyChallenge } = await request(CreatePasskeyChallengeDocument, {})
      await signIn(await askForPasskey(createPasskeyChallenge.options))
    } catch (error) {
      setBusy(false)
      setFault(faultOf(error))
    }
  }
  return (
    <>
      <button type="button" class="btn big" aria-disabled={isBusy} onClick={() => void go()}>
        <Icon name="lock" />
        {words.signIn}
      </button>
      <ErrorHint text={fault} id="passkey-fault" />
    </>
  )
}

function faultOf(error: unknown): string {
  if (isGivenUp(error)) return words.givenUp
  if (error instanceof SignInRefused) return error.reason === 'PASSKEY_REFUSED' ? words.unknown : signInFault(error)
  return error instanceof Refused ? sentence(error.message) : t().signIn.unreachable
}
