import { WebSocketServer } from 'ws'
import type { AddressInfo } from 'node:net'

/** Sends an event to its sockets: the product, or a comparison. */
export interface Broadcaster {
  /** Address at which sockets are opened. */
  url: string
  /**
   * Sends `count` events to all sockets at once.
   * @param subject the stream to publish on; for a comparison the bytes to send, which are a `next` of the product's
   * @returns when it began to, in `performance.now()`: for what commits, after that
   */
  publish(count: number, subject: string): Promise<number>
  close(): Promise<void>
}

/** A bare `ws` server that sends the same bytes to every client, made into a buffer once for each event. */
export async function bareBroadcaster(): Promise<Broadcaster> {
  const server = await listening({ perMessageDeflate: false })
  return {
    url: urlOf(server),
    async publish(count, subject) {
      const at = performance.now()
      for (let sent = 0; sent < count; sent += 1) {
        const data = Buffer.from(subject)
        for (const client of server.clients) client.send(data, { binary: false })
      }
      return at
    },
    close: async () => closeServer(server),
  }
}

export async function listening(options: object): Promise<WebSocketServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options })
  await new Promise((resolve) => server.on('listening', resolve))
  return server
}

export function urlOf(server: WebSocketServer): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

export function closeServer(server: WebSocketServer): void {
  for (const client of server.clients) client.terminate()
  server.close()
}
