import { BlockDocument } from '../../shared/graphql/conversations.js'
import { t } from '../../shared/i18n/messages.js'
import { useOffice } from '../office.js'
import { RequestDialog } from '../request-dialog.js'

/** Asks for confirmation: a blocked consumer cannot write to report a mistake (4.8). */
export function BlockContact({ conversation, close }: { conversation: string; close(): void }) {
  const office = useOffice()
  const words = t().thread
  const block = (): Promise<unknown> => office.request(BlockDocument, { conversation })
  return (
    <RequestDialog title={words.block} icon="alert" tone="danger" submit={block} close={close}>
      <p>{words.blockAsk}</p>
    </RequestDialog>
  )
}
