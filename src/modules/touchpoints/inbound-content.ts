import { inboundNamedSql } from '../../platform/db/erased-name.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, Forbidden } from '../../platform/errors.js'
import { clickedButton, type Click } from './clicked-button.js'
import type { InboundMessage } from './inbound-message.js'
import type { InboundMessageReceiver } from './inbound-message-receiver.js'

type Unsaid = Omit<InboundMessage, 'message'>

/** Tells whether the provider has called with this before: its files need not be fetched again. */
export async function isKnown(sql: Sql, service: string, providerId: string): Promise<boolean> {
  const rows = await sql.query(`select 1 from ${inboundNamedSql('$1', '$2')} i`, [service, providerId], 'inbound-seen')
  return rows.length > 0
}

/** Takes a click on a button: as a postback, or by what stood on the button where that is gone or cannot be sent. */
export async function receiveClick(
  { inbox, sql }: { inbox: InboundMessageReceiver; sql: Sql },
  inbound: Unsaid,
  click: Pick<Click, 'senders' | 'payload' | 'title'>,
): Promise<void> {
  const button = await clickedButton(sql, { ...click, service: inbound.service.id, type: 'reply' })
  try {
    if (button) {
      await inbox.receive({ ...inbound, message: { type: 'postback', text: button.payload, actions: [button] } })
      return
    }
  } catch (error) {
    // The payload's messages are invalid or not allowed for a consumer: the click counts all the same (2.10).
    if (!(error instanceof BadUserInput) && !(error instanceof Forbidden)) throw error
  }
  await inbox.receive({ ...inbound, message: { text: click.title } })
}

export function locationMessage({
  name,
  latitude,
  longitude,
}: {
  name: string | null
  latitude: number
  longitude: number
}): InboundMessage['message'] {
  const text = [name, `${latitude}, ${longitude}`].filter(Boolean).join('\n')
  return { text, meta: { location: { latitude, longitude } } }
}
