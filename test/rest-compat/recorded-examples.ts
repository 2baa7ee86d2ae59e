import { readFileSync, writeFileSync } from 'node:fs'

export interface Examples {
  /** By `operationId`. */
  operations: Record<string, { request?: unknown; response?: unknown }>
  /** By status. */
  errors: Record<string, unknown>
  /** By the name of the event. */
  webhooks: Record<string, unknown>
}

/** An event as webhooks deliver it. */
export interface Envelope {
  event: string
  timestamp: string
  data: Record<string, unknown>
}

const PATH = 'rest-compat/openapi/examples.json'
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
/** Values that are different in each run, or that nobody should learn from an example. */
const MASKED: Readonly<Record<string, string | boolean>> = {
  token: 'eyJhbGciOi…',
  // Of records and their ids.
  digest: 'W1swLCJTYWlsaW5n…',
  refreshToken: 'eyJhbGciOi…',
  apiToken: 'eyJhbGciOi…',
  secret: 'whsec_…',
  password: '…',
  slug: 'k2pq7xv3m9ab',
  mark: '2.0.a1b2c3',
  hash: 'YRXdUzoTtmeCyaJfTiw3bXQhlP5vj9_uvLwieWCEJXA',
  cursor: 'AejBrG2GFEG7…',
  sha256: '27cf9e1597bbfed06f54ac76903753ca3d57b3fec38e9400f5e70483799a8394',
  // The day of all times in the examples is a Sunday.
  isOpen: false,
}
const LIST_MAX = 1

/** Collects exchanges as examples, with ids and times that are the same in each run. */
export class ExampleRecorder {
  readonly examples: Examples = { operations: {}, errors: {}, webhooks: {} }
  readonly #ids = new Map<string, string>()

  /** Keeps the first exchange of an operation, and the first error of a status. */
  record(operationId: string, exchange: { request?: unknown; status: number; response?: unknown }): void {
    const { request, status, response } = exchange
    if (status >= 400) {
      this.examples.errors[String(status)] ??= this.#stable(response)
      return
    }
    this.examples.operations[operationId] ??= {
      ...(request !== undefined && { request: this.#stable(request) }),
      ...(response !== undefined && { response: this.#stable(shortened(response)) }),
    }
  }

  /** Keeps of each event the one whose record was seen first, and of those the first: deliveries come in any order. */
  recordEvents(events: readonly { names: readonly string[]; name: string }[], received: readonly Envelope[]): void {
    for (const { name, names } of events) {
      const [first] = received.filter(({ event }) => names.includes(event)).toSorted((a, b) => this.#compare(a, b))
      if (first) this.examples.webhooks[name] = this.#stable(first)
    }
  }

  #compare(one: Envelope, other: Envelope): number {
    const place = ({ event, data }: Envelope): number => {
      const { id } = data[event.split('.')[0]!] as { id: string }
      return [...this.#ids.keys()].indexOf(id) >>> 0
    }
    return place(one) - place(other) || one.timestamp.localeCompare(other.timestamp)
  }

  #stable(value: unknown): unknown {
    if (typeof value === 'string') return this.#stableText(value)
    if (Array.isArray(value)) return value.map((member) => this.#stable(member))
    if (typeof value !== 'object' || value === null) return value
    // Ids that are shorter or longer when they are packed.
    const isPacked = 'expiresAt' in value && 'files' in value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key === 'size' && isPacked && typeof member === 'number') return [key, 4_096]
        const isMasked = Object.hasOwn(MASKED, key) && typeof member === typeof MASKED[key]
        return [key, isMasked ? MASKED[key] : this.#stable(member)]
      }),
    )
  }

  #stableText(text: string): string {
    return (
      text
        .replace(ID, (id) => this.#stableId(id))
        .replace(TIME, '2026-11-22T10:00:00.000Z')
        .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://chat.example')
        .replace(/\/([cm])\/[\w-]+$/, `/$1/${MASKED.slug}`)
        // Made of a secret of the installation.
        .replace(/switchboard-domain=[0-9a-f]{40}/, 'switchboard-domain=…')
        .replace(/secret=[A-Z2-7]{20,}/, 'secret=JBSWY3DP…')
        .replace(/expires=\d+&signature=[\w-]+/, 'expires=1796000000&signature=…')
    )
  }

  #stableId(id: string): string {
    const known = this.#ids.get(id)
    if (known) return known
    const stable = `019a0000-0000-7000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`
    this.#ids.set(id, stable)
    return stable
  }
}

/** A list shows one of its records. */
function shortened(response: unknown): unknown {
  return Array.isArray(response) ? response.slice(0, LIST_MAX) : response
}

export function committedExamples(): Examples {
  return JSON.parse(readFileSync(PATH, 'utf8')) as Examples
}

export function writeExamples(examples: Examples): void {
  writeFileSync(PATH, `${JSON.stringify(examples, null, 2)}\n`)
}
