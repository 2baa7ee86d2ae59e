import type { FastifyInstance } from 'fastify'
import { addSessionRoutes, type SessionRoutesOptions } from './session-routes.js'
import { addWebFiles, loadWebFiles } from './web-files.js'

/** Adds the agents' console: its pages, their files and its sign-in. */
export async function addConsole(app: FastifyInstance, options: SessionRoutesOptions): Promise<void> {
  addWebFiles(app, await loadWebFiles())
  addSessionRoutes(app, options)
}
