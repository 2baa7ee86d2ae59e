import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from './processes.js'

let received = 0

/** A receiver of webhooks that takes everything at once, or never answers. */
serve({
  async start({ hangs = false }: { hangs?: boolean } = {}): Promise<string> {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        received++
        if (!hangs) response.writeHead(204).end()
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  },

  async count(): Promise<number> {
    return received
  },
})
