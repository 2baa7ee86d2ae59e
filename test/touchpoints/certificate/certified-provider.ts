import type { Install } from '../../../src/modules/touchpoints/install.js'
import type { ProviderFixture } from '../provider-fixture.js'

/** Accidents of a send, as they are injected. */
export const SEND_ACCIDENTS = [
  'none',
  /** 429 with and without `Retry-After`; nothing was taken. */
  'busy',
  'busyWithTime',
  /** 503; nothing was taken. */
  'away',
  /** Taken, and answered with 500 or cut off within the answer. */
  'takenThenBroken',
  'takenThenCut',
  'refused',
  /** The provider tells that it has arrived before it answers the send; where it tells of arrivals. */
  'receiptFirst',
] as const
export type SendAccident = (typeof SEND_ACCIDENTS)[number]

/** Accidents of an event of the provider. */
export const EVENT_ACCIDENTS = [
  'none',
  'doubled',
  'atOnce',
  'unsigned',
  'cut',
  'unknownFields',
  /** Told after what the person says next. */
  'reordered',
  /** Told an hour later, after everything else of its batch. */
  'delayed',
] as const
export type EventAccident = (typeof EVENT_ACCIDENTS)[number]

export interface SaidEvent {
  person: string
  /** The provider's id of the message. */
  id: string
  text: string
  /** Time at which it was written, in milliseconds. */
  at: number
}

/** A stand-in of a provider that a certificate is made with. */
export interface CertifiedProvider {
  type: string
  /** Its adapter, for one that the server does not install. */
  touchpoints?: Readonly<Record<string, Install>>
  makeService(fixture: ProviderFixture): Promise<string>
  /** Number of people, where the provider limits what one person gets; 8 if absent. */
  people?: number
  /** An address of a person at the provider. */
  person(number: number): string
  /** Calls the server as the provider does. @returns the status */
  tell(url: { url: string; publicUrl: string }, said: SaidEvent, accident: EventAccident): Promise<number>
  /** Prepares the accident of the next send. @param url where it tells what became of messages */
  prepare(accident: SendAccident, url: { url: string; publicUrl: string }): void
  /** True if it tells of arrivals. */
  hasReceipts?: boolean
  /** Messages that the provider took, oldest first. */
  taken(): { person: string; text: string }[]
  /** Secrets that must stand in no log. */
  secrets: readonly string[]
  close(): Promise<void>
}
