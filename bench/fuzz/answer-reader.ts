/** An answer on a connection, or its beginning; texts in latin1. */
export interface Answer {
  status: number
  head: string
  body: string
}

const VERSION = 'HTTP/1.1 '

/** Takes apart what arrives on a connection, on which answers follow each other. */
export class AnswerReader {
  /** Those that have come to their end. */
  readonly whole: Answer[] = []
  #rest = ''

  take(text: string): void {
    this.#rest += text
    for (;;) {
      const answer = this.begun
      const length = answer && lengthOf(answer)
      if (!answer || length === null || answer.body.length < length) return
      this.#rest = answer.body.slice(length)
      if (answer.status >= 200) this.whole.push({ ...answer, body: answer.body.slice(0, length) })
    }
  }

  /** The answer of which a part has come, from when its head is complete. */
  get begun(): Answer | null {
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end < 0 || this.isGarbled) return null
    const head = this.#rest.slice(0, end)
    return { status: Number(head.slice(VERSION.length, VERSION.length + 3)), head, body: this.#rest.slice(end + 4) }
  }

  /** Tells whether nothing of the next answer has come. */
  get isBetween(): boolean {
    return this.#rest === ''
  }

  /** Tells whether something is between the answers that is none. */
  get isGarbled(): boolean {
    const { length } = this.#rest
    return !this.#rest.startsWith(VERSION.slice(0, length))
  }
}

export function headerOf({ head }: Answer, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim()
}

/** @returns characters of the body; null while its end is unknown, as of one that ends with its connection */
function lengthOf(answer: Answer): number | null {
  const { status, body } = answer
  if (status < 200 || status === 204 || status === 304) return 0
  const length = headerOf(answer, 'content-length')
  if (length !== undefined) return Number(length)
  return headerOf(answer, 'transfer-encoding') === undefined ? null : lengthOfChunks(body)
}

function lengthOfChunks(body: string): number | null {
  for (let at = 0; ;) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(body.slice(at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (at > body.length) return null
    if (size === 0) return at
  }
}
