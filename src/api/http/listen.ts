import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.js'

/** Lets thousands of clients reconnect at once, without waiting for TCP retries. */
const BACKLOG = 4_096

/** @throws Error that names the settings when the address is not available */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    throw new Error(`cannot listen on HOST ${host}, PORT ${port}: ${reasonOf(error as NodeJS.ErrnoException)}`, {
      cause: error,
    })
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') {
    return 'another program listens there, perhaps another Switchboard: stop it, or set PORT to a free port'
  }
  if (code === 'EACCES') return 'this account may not use the port: set PORT to one from 1024 on'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'HOST is no address of this machine: set it to one'
  return message
}
