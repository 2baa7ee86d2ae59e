import { signal, type ReadonlySignal } from '@preact/signals'
import type { LiveEvent, Request } from '@switchboard/client'
import {
  OwnStateDocument,
  SetAvailabilityDocument,
  type OwnStateQuery,
  type SetAvailabilityMutationVariables,
} from '../../generated/staffing.js'

export type OwnState = OwnStateQuery['agentState']

/** Several conversations that come and go together are counted once. */
const RECOUNT_MS = 400

/** The agent's own availability and load: as another tab or an administrator set it, too. */
export class OwnAvailability {
  readonly #state = signal<OwnState | null>(null)
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(private readonly request: Request) {}

  get state(): ReadonlySignal<OwnState | null> {
    return this.#state
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  async set(given: SetAvailabilityMutationVariables): Promise<void> {
    this.#state.value = (await this.request(SetAvailabilityDocument, given)).setAvailability
  }

  receive(event: LiveEvent): void {
    if (event.__typename === 'AgentStateChanged') this.#state.value = (event as LiveEvent & { agent: OwnState }).agent
  }

  /** Reads the load again: the server counts it, and stores it nowhere. */
  recount(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      const before = this.#state.peek()
      // The next change reads it again.
      this.request(OwnStateDocument, {}).then(
        ({ agentState }) => {
          // What came meanwhile may be newer than this answer.
          if (this.#state.peek() === before) this.#state.value = agentState
          else this.recount()
        },
        () => undefined,
      )
    }, RECOUNT_MS)
  }
}
