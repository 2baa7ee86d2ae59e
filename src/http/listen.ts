import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.js'

/** Thousands of screens that come back in one moment are let in at once, not after the system's retries. */
const BACKLOG = 4_096

/** @throws Error that names the settings when the address cannot be had */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    throw new Error(`cannot listen on HOST ${host}, PORT ${port}: ${(error as Error).message}`, { cause: error })
  }
}
