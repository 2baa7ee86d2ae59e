import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.js'

/** Lets thousands of clients reconnect at once, without waiting for TCP retries. */
const BACKLOG = 4_096

/** @throws Error that names the settings when the address is not available */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    throw new Error(`cannot listen on HOST ${host}, PORT ${port}: ${(error as Error).message}`, { cause: error })
  }
}
