import { createECDH, randomBytes, type ECDH } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decrypt } from 'http_ece'

/** A browser that has subscribed: its keys, and what was pushed to it. */
export interface Browser {
  input: { endpoint: string; p256dh: string; auth: string }
  received: Received[]
  /** Statuses of the next answers; 201 when there are none. */
  answers: number[]
}

export interface Received {
  headers: IncomingHttpHeaders
  payload: Record<string, unknown>
}

export interface PushService {
  origin: string
  subscribe(): Browser
  close(): Promise<void>
}

/** A push service (RFC 8030) with the browsers behind it, which decrypt what comes (RFC 8291). */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser & { key: ECDH }>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const browser = browsers.get(request.url!)
      if (!browser) return response.writeHead(404).end()
      const status = browser.answers.shift() ?? 201
      if (status === 201) {
        const options = { version: 'aes128gcm', authSecret: browser.input.auth, privateKey: browser.key } as const
        const payload = JSON.parse(decrypt(Buffer.concat(chunks), options).toString()) as Record<string, unknown>
        browser.received.push({ headers: request.headers, payload })
      }
      return response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    subscribe() {
      const path = `/push/${randomBytes(12).toString('hex')}`
      const key = createECDH('prime256v1')
      const p256dh = key.generateKeys('base64url')
      const input = { endpoint: origin + path, p256dh, auth: randomBytes(16).toString('base64url') }
      const browser = { input, key, received: [], answers: [] }
      browsers.set(path, browser)
      return browser
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
