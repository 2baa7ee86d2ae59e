import { connect, type Socket } from 'node:net'

export interface RawResponse {
  status: number
  body: Buffer
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * One keep-alive connection with one request under way: as little work as a client can do, since it takes CPU from the
 * server that it measures. Understands responses with a content-length only.
 */
export class RawConnection {
  readonly #socket: Socket
  #received: Buffer[] = []
  #receivedBytes = 0
  /** Bytes of the whole response once its head has come. */
  #expected = -1
  #headBytes = 0
  #status = 0
  #settle: { resolve(response: RawResponse): void; reject(error: Error): void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server has closed the connection')))
  }

  static open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new RawConnection(socket))
      })
    })
  }

  /** @param request the whole request, see {@link rawRequest} */
  send(request: Buffer): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(request)
    })
  }

  /** The server closes what has been idle for long. */
  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  close(): void {
    this.#settle = null
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#receivedBytes += chunk.length
    if (this.#expected < 0 && !this.#readHead()) return
    if (this.#receivedBytes < this.#expected) return
    const whole = this.#received.length === 1 ? chunk : Buffer.concat(this.#received)
    const response = { status: this.#status, body: whole.subarray(this.#headBytes, this.#expected) }
    this.#received = []
    this.#receivedBytes = 0
    this.#expected = -1
    const settle = this.#settle
    this.#settle = null
    settle?.resolve(response)
  }

  #readHead(): boolean {
    const start = this.#received.length === 1 ? this.#received[0]! : Buffer.concat(this.#received)
    this.#received = [start]
    const end = start.indexOf(HEAD_END)
    if (end < 0) return false
    const head = start.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    this.#status = Number(head.slice(9, 12))
    this.#headBytes = end + HEAD_END.length
    this.#expected = this.#headBytes + Number(length?.[1] ?? 0)
    return true
  }

  #fail(error: Error): void {
    const settle = this.#settle
    this.#settle = null
    settle?.reject(error)
  }
}

/** @param token of the caller; undefined when `headers` say who it is */
export function rawRequest(
  method: string,
  path: string,
  token: string | undefined,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(payload ? ['content-type: application/json', `content-length: ${Buffer.byteLength(payload)}`] : []),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${payload}`)
}

/** One request, outside of what is measured. @returns the body. @throws when it is refused, by status or by GraphQL */
export async function post(url: string, headers: Record<string, string>, body: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"errors"')) throw new Error(`${response.status} ${text}`)
  return text
}
