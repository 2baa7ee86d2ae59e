import type { StoredProfile } from '../contacts/contact-profile.js'
import type { DeliveryCode, DeliveryRow, DeliveryStatus } from '../messages/delivery.js'
import type { JsonObject } from '../../platform/json.js'
import type { Touchpoint } from '../touchpoint-traits.js'
import type { MessageRow } from '../messages/message-row.js'

/** Sends messages by one type of services (4.7). `web` has no adapter: its messages wait in the conversation. */
export interface TouchpointAdapter {
  /** Type of the services. */
  type: string
  /**
   * True if the provider recognizes a repeated delivery by its id. If not, a delivery with an unknown outcome is never
   * repeated automatically.
   */
  deduplicates: boolean
  /** False if a service may fail otherwise than by sending: then sending does not tell that it is in order. */
  provesService?: false
  /**
   * Sends one delivery. Called for one delivery at a time per conversation and touchpoint, in order.
   * @throws DeliveryRefused, DeliveryFailed, DeliveryUnknown; any other error counts as DeliveryUnknown unless the
   *   adapter deduplicates
   */
  send(outgoing: OutgoingMessage): Promise<DeliveryResult>
  /**
   * Returns what is added below the text of a message, such as a signature. Asked before the first attempt, and kept for those that
   * follow: each sends the same.
   */
  signature?(outgoing: Omit<OutgoingMessage, 'attempt' | 'signal'>): Promise<string | null>
  /**
   * Finds out whether a message was handed over of which that is not known. @returns null where it is still not known
   */
  settle?(outgoing: Omit<OutgoingMessage, 'attempt'>): Promise<DeliveryResult | null>
  /**
   * Changes what the consumer sees of a message that was sent, where the provider can. May be repeated.
   * @throws as `send`
   */
  edit?(outgoing: Omit<OutgoingMessage, 'attempt'>): Promise<void>
  /** Removes what was sent from the consumer's sight, where the provider can. May be repeated. @throws as `send` */
  remove?(sent: SentMessage): Promise<void>
  /**
   * Shows the consumer for some seconds that somebody types an answer.
   * @param at `message`: the provider's id of the consumer's last message
   */
  typing?(at: { service: TouchpointService; message: string; signal: AbortSignal }): Promise<void>
}

/** The rest of a message that was deleted here. */
export interface SentMessage {
  service: TouchpointService
  recipient: string
  /** The provider's ids of its parts. */
  providerIds: readonly string[]
  signal: AbortSignal
}

/** A service as adapters need it: secrets included, where it was opened. */
export interface TouchpointService {
  id: string
  organizationId: string
  org1: string
  org2: string | null
  org3: string | null
  name: string | null
  type: string
  touchpoint: Touchpoint
  status: string
  params: JsonObject
}

/** All data of a delivery, read when it is sent. */
export interface OutgoingMessage {
  /** Id of the delivery, by which the provider can recognize repeats. */
  id: string
  /** Number of this attempt, from 1. */
  attempt: number
  service: TouchpointService
  /** Address at the service: an email address, E.164, or the contact's handle. */
  recipient: string
  /** Further recipients of a mail; those that are sent already are left out of the next attempt. */
  copies: DeliveryRow['copies']
  message: MessageRow
  conversation: { id: string; name: string; slug: string; language: string | null; meta: JsonObject }
  contact: { id: string; profile: StoredProfile; meta: JsonObject | null }
  /** The agent's alias (`meta._agent`, 2.12), else the agent's name. */
  senderName: string | null
  organization: { id: string; name: string }
  /** The message's file (2.12), with a signed long-lived link. */
  attachment: { id: string; fileName: string; fileType: string; size: number; url: string } | null
  /** HTML below its text, of the adapter's `signature`. */
  signature: string | null
  /** The message that it forwards to people outside; null if that was deleted. Absent for what is said to the consumer. */
  forwarded?: ForwardedMessage | null
  /** Aborted when the server stops; sending should then stop too, with an unknown outcome unless nothing was sent. */
  signal: AbortSignal
}

export interface NamedAddress {
  /** '' where it is not known, and so of the address. */
  name: string
  address: string
}

/** A message that a mail to people outside forwards, as its head tells of it. */
export interface ForwardedMessage {
  message: MessageRow
  from: NamedAddress
  to: NamedAddress[]
  cc: NamedAddress[]
  subject: string | null
  /** Its own file, and those that came with it as messages of their own. */
  files: NonNullable<OutgoingMessage['attachment']>[]
}

/** A message's file, as providers fetch it. */
export type AttachmentLink = Omit<NonNullable<OutgoingMessage['attachment']>, 'id'>

export interface DeliveryResult {
  /** The provider's id of the message: status callbacks identify the delivery by service and this id. */
  providerId: string | null
  status: Extract<DeliveryStatus, 'sent' | 'delivered'>
  /** Number of parts that it was sent in, for providers that count them. */
  segments?: number
  /** Ids of all its parts, for a provider that can remove them. */
  providerIds?: readonly string[]
  /** Outcome of each copy of a mail. */
  copies?: DeliveryRow['copies']
}

/** The provider will never accept it, so it is not retried. Agents see the message as the reason. */
export class DeliveryRefused extends Error {
  constructor(
    message: string,
    /** The meaning of the refusal for the next message. */
    readonly code: DeliveryCode | null = null,
    /** Outcome of each copy of a mail, of which others were taken. */
    readonly copies?: DeliveryRow['copies'],
  ) {
    super(message)
  }
}

/** The service's own settings lack something, or cannot be read. */
export class ParamsUnusable extends DeliveryRefused {}

/** The provider did not accept it; it is retried. */
export class DeliveryFailed extends Error {
  constructor(
    message: string,
    /** Delay requested by the provider, in milliseconds. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message)
  }
}

const HOUR_MS = 3_600_000

/** The provider refuses the service itself, such as its token: messages wait for an administrator, an hour at a time. */
export class ServiceRefused extends DeliveryFailed {
  constructor(message: string) {
    super(message, HOUR_MS)
  }
}

/** The message was or may have been handed over, and the answer is missing. */
export class DeliveryUnknown extends Error {}
