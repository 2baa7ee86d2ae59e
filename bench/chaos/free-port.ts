import { createServer } from 'node:net'

/** Below those that systems give to connections: one of them would have it before a server listens, or while that is down. */
const LEAST = 20_000
const MOST = 32_000

/** Finds a port of loopback at which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LEAST + Math.floor(Math.random() * (MOST - LEAST))
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
