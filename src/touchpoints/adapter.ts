import type { StoredProfile } from '../contacts/contact-profile.js'
import type { DeliveryStatus } from '../messages/delivery.js'
import type { JsonObject } from '../json.js'
import type { Touchpoint } from '../messages/message-content.js'
import type { MessageRow } from '../messages/message-row.js'

/** What one touchpoint does to deliver a message (4.7). `web` has none: its messages wait in the conversation. */
export interface TouchpointAdapter {
  touchpoint: Exclude<Touchpoint, 'web'>
  /**
   * Whether the far side takes the same delivery, told by its id, twice as one. If not, a delivery whose outcome is not
   * known is never sent again by itself.
   */
  deduplicates: boolean
  /**
   * Sends one delivery. Called for one delivery of a conversation and touchpoint at a time, in their order.
   * @throws DeliveryRefused, DeliveryFailed, DeliveryUnknown; anything else counts as DeliveryUnknown unless the adapter
   *   deduplicates
   */
  send(outgoing: OutgoingMessage): Promise<DeliveryResult>
}

/** A service as adapters need it, secrets included. */
export interface TouchpointService {
  id: string
  organizationId: string
  org1: string
  org2: string | null
  org3: string | null
  name: string | null
  type: string
  params: JsonObject
}

/** Everything that a delivery needs to know; read as it is when the delivery is sent. */
export interface OutgoingMessage {
  /** Of the delivery: what the far side can tell repeats by. */
  id: string
  /** Counting this one. */
  attempt: number
  service: TouchpointService
  /** The address at the service: an email address, E.164, or the contact's handle. */
  recipient: string
  message: MessageRow
  conversation: { id: string; name: string; slug: string; language: string | null; meta: JsonObject }
  contact: { id: string; profile: StoredProfile; meta: JsonObject | null }
  /** Who speaks: the agent's alias (`meta._agent`, 2.12), else the agent's name. */
  senderName: string | null
  organization: { id: string; name: string }
  /** Of the message's file (2.12): a signed link that lasts. */
  attachment: { id: string; fileName: string; fileType: string; size: number; url: string } | null
  /** Ends when the server stops; sending should end with it, as unknown unless nothing was sent. */
  signal: AbortSignal
}

export interface DeliveryResult {
  /** The far side's name for it: status callbacks find the delivery by service and this. */
  providerId: string | null
  status: Extract<DeliveryStatus, 'sent' | 'delivered'>
  /** Parts that it was sent in, where the far side counts them. */
  segments?: number
}

/** The far side will never take it: no second try. The message is the reason that agents read. */
export class DeliveryRefused extends Error {}

/** Not taken, and worth a retry. */
export class DeliveryFailed extends Error {
  constructor(
    message: string,
    /** What the far side asks to wait, in milliseconds. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message)
  }
}

/** It was handed over, or may have been, and the answer did not come. */
export class DeliveryUnknown extends Error {}
