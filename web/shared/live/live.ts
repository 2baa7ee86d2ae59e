import type { ReadonlySignal } from '@preact/signals'
import type { Connection } from './connection.js'
import type { LiveDocument, LiveEvent } from '@switchboard/client'

/** A document that tabs know by its name. */
export interface NamedDocument<State> extends LiveDocument<State> {
  name: string
}

/** A piece of the screen, kept equal to the server's while it is open. */
export interface Shown<State> {
  /** Null until the first snapshot. */
  state: ReadonlySignal<State | null>
  /** Reason why it is no longer kept: it may not be seen, or is gone. */
  error: ReadonlySignal<Error | null>
  close(): void
}

/** @param before the state that the event changed */
export type OnEvent<State> = (event: LiveEvent, before: State) => void

/** The streams that keep screens right. */
export interface Live {
  connection: ReadonlySignal<Connection>
  /** True in the one tab of this browser that has the socket, and makes the sounds. */
  isLeader: ReadonlySignal<boolean>
  /** @param onEvent called with each event that is not a snapshot, in every tab that shows the document */
  open<State>(
    document: NamedDocument<State>,
    variables: Record<string, unknown>,
    onEvent?: OnEvent<State>,
  ): Shown<State>
  retryNow(): void
  close(): void
}
