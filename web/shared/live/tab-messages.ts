import type { Signal } from '@preact/signals'
import type { Connection } from './connection.js'
import type { NamedDocument, OnEvent } from './live.js'
import type { LiveEvent, LivePosition } from '@switchboard/client'

/** Messages between tabs. Those without `tab` are the leader's. */
export type Said =
  | {
      is: 'open'
      tab: string
      key: string
      name: string
      variables: Record<string, unknown>
      from: LivePosition<unknown> | null
    }
  | { is: 'close'; tab: string; key: string }
  | { is: 'retry'; tab: string }
  | { is: 'leader' | 'alive' }
  | { is: 'state'; key: string; position: LivePosition<unknown> }
  | { is: 'event'; key: string; event: LiveEvent }
  | { is: 'end'; key: string; message: string }
  | { is: 'connection'; connection: Connection }

/** The view that a tab shows. */
export interface Held {
  key: string
  document: NamedDocument<unknown>
  variables: Record<string, unknown>
  state: Signal<unknown>
  error: Signal<Error | null>
  /** The last event's: `state` follows with the next frame. */
  latest: unknown
  cursor: string | null
  shown: number
  listeners: Set<OnEvent<unknown>>
}
