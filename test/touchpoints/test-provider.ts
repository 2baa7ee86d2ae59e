import type { DeliveryResult, OutgoingMessage, TouchpointAdapter } from '../../src/touchpoints/adapter.js'
import type { InboundMessage } from '../../src/touchpoints/inbound-message.js'
import type { Received } from '../../src/touchpoints/inbound-message-receiver.js'
import type { Install, TouchpointParts } from '../../src/touchpoints/install.js'
import { readTouchpointService } from '../../src/touchpoints/touchpoint-service.js'
import type { Touchpoint } from '../../src/messages/message-enums.js'

type Kind = Exclude<Touchpoint, 'web'>

/** What stands in the place of providers: it notes what it is handed, and answers as it is told. */
export class FarSide {
  readonly sent: OutgoingMessage[] = []
  /** What became of each; the default takes it. */
  answer: (outgoing: OutgoingMessage) => Promise<DeliveryResult> | DeliveryResult = ({ id }) => ({
    providerId: `far-${id}`,
    status: 'sent',
  })
  parts: TouchpointParts | undefined

  constructor(readonly deduplicates: Readonly<Partial<Record<Kind, boolean>>> = {}) {}

  /** For `createServer`. */
  get touchpoints(): Record<Kind, Install> {
    const install =
      (touchpoint: Kind): Install =>
      (parts) => {
        this.parts = parts
        const adapter: TouchpointAdapter = {
          touchpoint,
          deduplicates: this.deduplicates[touchpoint] ?? false,
          send: async (outgoing) => {
            this.sent.push(outgoing)
            return this.answer(outgoing)
          },
        }
        return { adapter }
      }
    return { email: install('email'), sms: install('sms'), messenger: install('messenger') }
  }

  /** A consumer's message, as the adapter of a service hands it over. */
  async say(service: { id: string; type: Touchpoint }, said: Omit<InboundMessage, 'service'>): Promise<Received> {
    const found = await readTouchpointService(this.parts!.database, service.type, service.id)
    return this.parts!.inbox.receive({ service: found!, ...said })
  }
}
