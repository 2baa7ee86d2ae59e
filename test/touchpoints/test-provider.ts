import type { DeliveryResult, OutgoingMessage, TouchpointAdapter } from '../../src/modules/touchpoints/adapter.js'
import type { ReplyWindow, ServiceKind } from '../../src/modules/services/service-kinds.js'
import type { InboundMessage } from '../../src/modules/touchpoints/inbound-message.js'
import type { Received } from '../../src/modules/touchpoints/inbound-message-receiver.js'
import type { Install, TouchpointParts } from '../../src/modules/touchpoints/install.js'
import { readTouchpointService } from '../../src/modules/touchpoints/touchpoint-service.js'
import type { Touchpoint } from '../../src/modules/touchpoint-traits.js'

type Kind = Exclude<Touchpoint, 'web'>

/** Stands in the place of providers: it notes what it is handed, and answers as it is told. */
export class FarSide {
  readonly sent: OutgoingMessage[] = []
  /** Decides what becomes of each; the default takes it. */
  answer: (outgoing: OutgoingMessage) => Promise<DeliveryResult> | DeliveryResult = ({ id }) => ({
    providerId: `far-${id}`,
    status: 'sent',
  })
  parts: TouchpointParts | undefined

  constructor(readonly deduplicates: Readonly<Partial<Record<Kind, boolean>>> = {}) {}

  /** For `createServer`. */
  get touchpoints(): Record<Kind, Install> {
    return { email: this.provider('email'), sms: this.provider('sms'), messenger: this.provider('messenger') }
  }

  /**
   * @param type of the services, if there is a provider for the touchpoint already
   * @param window how long it takes answers; for ever if absent
   * @param more of its row
   */
  provider(
    touchpoint: Kind,
    type: string = touchpoint,
    window?: ReplyWindow,
    more: Partial<ServiceKind> = {},
  ): Install {
    return (parts) => {
      this.parts = parts
      const adapter: TouchpointAdapter = {
        type,
        deduplicates: this.deduplicates[touchpoint] ?? false,
        send: async (outgoing) => {
          this.sent.push(outgoing)
          return this.answer(outgoing)
        },
      }
      return { adapter, kind: { touchpoint, params: [], secrets: {}, ...(window && { window }), ...more } }
    }
  }

  /** A consumer's message, as the adapter of a service hands it over. */
  async say(service: { id: string; type: string }, said: Omit<InboundMessage, 'service'>): Promise<Received> {
    const found = await readTouchpointService(this.parts!.database, service.type, service.id)
    return this.parts!.inbox.receive({ service: found!, ...said })
  }
}
