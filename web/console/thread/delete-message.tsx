import { useRef, useState } from 'preact/hooks'
import { DeleteMessageDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { useOffice } from '../office.js'

/** Asks once more: what is deleted is deleted for everyone. */
export function DeleteMessage({ message, close }: { message: ThreadMessage; close(): void }) {
  const office = useOffice()
  const words = t().ownMessage
  const text = useRef<HTMLParagraphElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const remove = (): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    const log = text.current?.closest<HTMLElement>('[role=log]')
    office.request(DeleteMessageDocument, { id: message.id }).then(
      () => {
        close()
        // The button that had the focus goes with the message.
        requestAnimationFrame(() => log?.focus())
      },
      (error: Error) => {
        setFault(error.message)
        setBusy(false)
      },
    )
  }
  return (
    <Dialog
      title={words.remove}
      icon="trash"
      close={close}
      submit={remove}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {t().cancel}
          </button>
          <button class="btn danger" aria-disabled={isBusy}>
            {words.remove}
          </button>
        </>
      }
    >
      <p ref={text}>{message.isBackchannel ? words.removeNoteAsk : words.removeAsk}</p>
      <Elsewhere message={message} />
      {fault && (
        <p class="hint bad" role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  )
}

/** An email or text message that was sent cannot be changed where it arrived. */
export function Elsewhere({ message: { deliveries } }: { message: ThreadMessage }) {
  const touchpoint = deliveries.find((each) => each.touchpoint !== 'WEB')?.touchpoint
  if (!touchpoint) return null
  return <p class="hint">{t().ownMessage.stays(t().touchpoint[touchpoint])}</p>
}
