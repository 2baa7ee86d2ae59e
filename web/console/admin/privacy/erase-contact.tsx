import { useRef, useState } from 'preact/hooks'
import { EraseContactDocument, type EraseContactMutationVariables } from '../../../generated/privacy.js'
import { RequestDialog } from '../../request-dialog.js'
import { navigate } from '../../../shared/router.js'
import { useStore } from '../../store/console-store.js'
import { HoldDialog } from './hold-dialog.js'
import { orProposed } from './proposed.js'
import { usePrivacyWords, words } from './words.js'

type Reason = EraseContactMutationVariables['reason']

interface EraseDialogProps {
  contact: string
  /** @param isDone whether the erasure has begun */
  close(isDone: boolean): void
}

/** Has a contact erased or held: buttons, and the way to what becomes of it. */
export default function EraseContact({ contact }: { contact: string }) {
  const isLoaded = usePrivacyWords()
  const [asks, setAsks] = useState<'erase' | 'hold' | null>(null)
  const ended = (isDone: boolean): void => {
    setAsks(null)
    if (isDone) navigate('/console/admin/privacy')
  }
  if (!isLoaded) return null
  return (
    <>
      <button type="button" class="btn ghost push" onClick={() => setAsks('hold')}>
        {words.hold.hold}
      </button>
      <button type="button" class="btn ghost danger" onClick={() => setAsks('erase')}>
        {words.erase}
      </button>
      {asks === 'hold' && <HoldDialog contact={contact} close={ended} />}
      {asks === 'erase' && <EraseDialog contact={contact} close={ended} />}
    </>
  )
}

/** Asks why the contact is erased, and says what goes with it. */
function EraseDialog({ contact, close }: EraseDialogProps) {
  const store = useStore()
  const key = useRef(crypto.randomUUID())
  const [reason, choose] = useState<Reason>('REQUESTED')
  const submit = () => orProposed(store.request(EraseContactDocument, { id: contact, reason, key: key.current }))
  return (
    <RequestDialog
      title={words.eraseTitle}
      label={words.erase}
      icon="trash"
      tone="danger"
      submit={submit}
      close={close}
    >
      <p>{words.eraseHelp}</p>
      <label class="field">
        <span>{words.eraseReason}</span>
        <select class="in" value={reason} onChange={(event) => choose(event.currentTarget.value as Reason)}>
          {(Object.keys(words.reasons) as Reason[]).map((each) => (
            <option key={each} value={each}>
              {words.reasons[each]}
            </option>
          ))}
        </select>
      </label>
    </RequestDialog>
  )
}
