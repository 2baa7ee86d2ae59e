import { BlockDocument } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { useStore } from '../store/console-store.js'
import { RequestDialog } from '../request-dialog.js'

/** Asks for confirmation: a blocked consumer cannot write to report a mistake (4.8). */
export function BlockContact({ conversation, close }: { conversation: string; close(): void }) {
  useActWords()
  const store = useStore()
  const words = t().thread
  const block = (): Promise<unknown> => store.request(BlockDocument, { conversation })
  return (
    <RequestDialog title={words.block} icon="alert" tone="danger" submit={block} close={close}>
      <p>{catalogue.beside.blockAsk}</p>
    </RequestDialog>
  )
}
