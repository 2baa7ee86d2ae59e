import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'

/** A process that is being replaced, by `npm run dev` or a supervisor, releases the lock within this time. */
const WAIT_MS_MAX = 5_000
const RETRY_MS = 50

/**
 * Locks `dir` for this process until released. The lock is a listening socket, so that the operating system releases it
 * however the process dies. It is seen by all processes of one machine (on Linux: of one network namespace).
 * @throws Error when another process, or this one, still holds it after 5 s
 */
export async function lockDirectory(dir: string): Promise<{ release(): Promise<void> }> {
  const path = await addressOf(dir)
  const server = createServer((socket) => socket.destroy())
  const deadline = performance.now() + WAIT_MS_MAX
  for (;;) {
    // Exclusive: workers of a cluster would otherwise share the handle.
    server.listen({ path, exclusive: true })
    const error: unknown = await once(server, 'listening').then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) break
    if (!(typeof error === 'object' && error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    if (isFile(path) && !(await answers(path))) {
      await rm(path, { force: true })
    } else if (performance.now() > deadline) {
      throw new Error(
        `DATA_DIR ${dir} is in use by another running Switchboard: stop that one, choose another DATA_DIR, ` +
          'or set DATABASE_URL for several servers on one database',
      )
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
  server.unref()
  return {
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** Derives the socket's address from the directory's inode, so that every path to the directory gives the same lock. */
async function addressOf(dir: string): Promise<string> {
  const { dev, ino } = await stat(dir, { bigint: true })
  const name = `switchboard-${dev}-${ino}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  // Abstract sockets of Linux are not files, so none can be left behind.
  if (process.platform === 'linux') return `\0${name}`
  return `/tmp/${name}.lock`
}

function isFile(path: string): boolean {
  return path.startsWith('/')
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
