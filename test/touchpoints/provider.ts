import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface ProviderReply {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Accident of the next request instead of an answer: `cut` takes it and closes the connection. */
export type Fault = ProviderReply | 'cut'

export interface Provider {
  url: string
  requests: ProviderRequest[]
  faults: Fault[]
  close(): Promise<void>
}

/** An answer that ends within its body. */
export const CUT: ProviderReply = { status: 200, headers: { 'content-length': '1000' }, body: '{' }

/** A provider on loopback. `answer` does what the real one does with a request; faults come first. */
export async function startProvider(
  answer: (request: ProviderRequest) => ProviderReply | Promise<ProviderReply>,
): Promise<Provider> {
  const requests: ProviderRequest[] = []
  const faults: Fault[] = []
  const server = createServer((incoming, response) => {
    void (async () => {
      const body = Buffer.concat((await incoming.toArray()) as Buffer[])
      const request = {
        method: incoming.method!,
        url: new URL(incoming.url!, 'http://provider'),
        headers: incoming.headers,
        body,
      }
      requests.push(request)
      const reply = faults.shift() ?? (await answer(request))
      if (reply === 'cut') return void incoming.socket.destroy()
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      if (reply !== CUT) return void response.end(reply.body)
      response.write(reply.body)
      setImmediate(() => incoming.socket.destroy())
    })()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    faults,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
