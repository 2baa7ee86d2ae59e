import { useRef } from 'preact/hooks'
import { DeleteMessageDocument } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import type { ThreadMessage } from '../../shared/live/thread.js'
import { useStore } from '../store/console-store.js'
import { RequestDialog } from '../request-dialog.js'
import { Elsewhere } from './elsewhere.js'

/** Asks for confirmation: a deleted message is deleted for everyone. */
export function DeleteMessage({ message, close }: { message: ThreadMessage; close(): void }) {
  useActWords()
  const store = useStore()
  const words = t().ownMessage
  const text = useRef<HTMLParagraphElement>(null)
  const remove = async (): Promise<void> => {
    const log = text.current?.closest<HTMLElement>('[role=log]')
    await store.request(DeleteMessageDocument, { id: message.id })
    // The button that had the focus disappears with the message.
    requestAnimationFrame(() => log?.focus())
  }
  return (
    <RequestDialog title={words.remove} icon="trash" tone="danger" submit={remove} close={close}>
      <p ref={text}>{message.isBackchannel ? catalogue.beside.removeNoteAsk : catalogue.beside.removeAsk}</p>
      <Elsewhere message={message} />
    </RequestDialog>
  )
}
