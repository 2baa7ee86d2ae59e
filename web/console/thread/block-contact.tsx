import { useState } from 'preact/hooks'
import { BlockDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import { Dialog } from '../../shared/ui/dialog.js'
import { useOffice } from '../office.js'

/** Asks once more: a consumer who is blocked cannot write to say that it was a slip (4.8). */
export function BlockContact({ conversation, close }: { conversation: string; close(): void }) {
  const office = useOffice()
  const words = t().thread
  const [fault, setFault] = useState<string | null>(null)
  const block = (): void => {
    office.request(BlockDocument, { conversation }).then(close, (error: Error) => setFault(error.message))
  }
  return (
    <Dialog
      title={words.block}
      icon="alert"
      close={close}
      submit={block}
      footer={
        <>
          <button type="button" class="btn" onClick={close}>
            {t().cancel}
          </button>
          <button class="btn danger">{words.block}</button>
        </>
      }
    >
      <p>{words.blockAsk}</p>
      {fault && (
        <p class="hint bad" role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  )
}
