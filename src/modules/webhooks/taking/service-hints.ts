import type { Dispatcher } from '../../../platform/events/dispatcher.js'

/** Hints of many commits are told to other nodes together. */
const TELL_EVERY_MS = 20
const STREAM = 'events-to-take'

/** Tells those who wait, on all nodes, for which services there may be something to take or to read. Hints may be lost. */
export class ServiceHints {
  readonly #heard: ((service: string) => void)[] = []
  readonly #toTell = new Set<string>()
  #telling: NodeJS.Timeout | null = null

  constructor(private readonly dispatcher: Pick<Dispatcher, 'hear' | 'publishEphemeral'>) {
    dispatcher.hear(STREAM, ({ data }) => {
      for (const service of data.services as string[]) this.#call(service)
    })
  }

  /** @param call called with each service, on every node */
  hear(call: (service: string) => void): void {
    this.#heard.push(call)
  }

  tell(services: readonly string[]): void {
    for (const service of services) {
      this.#toTell.add(service)
      this.#call(service)
    }
    if (this.#toTell.size === 0 || this.#telling) return
    this.#telling = setTimeout(() => {
      this.#telling = null
      const told = [...this.#toTell]
      this.#toTell.clear()
      this.dispatcher.publishEphemeral({ stream: STREAM, type: STREAM, data: { services: told } })
    }, TELL_EVERY_MS).unref()
  }

  #call(service: string): void {
    for (const call of this.#heard) call(service)
  }
}
