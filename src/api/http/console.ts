import type { FastifyInstance } from 'fastify'
import { addAuthorizationRoute, type AuthorizationRouteOptions } from './authorization-route.js'
import { addSessionRoutes, type SessionRoutesOptions } from './session-routes.js'
import { addSsoRoutes, type SsoRoutesOptions } from './sso-routes.js'
import { addWebFiles, loadWebFiles } from './web-files.js'
import { addWidgetRoutes, type WidgetRoutesOptions } from './widget-routes.js'

/** Serves the pages for browsers: the agents' console with its sign-in, and the web widget. */
export async function addConsole(
  app: FastifyInstance,
  options: SessionRoutesOptions & SsoRoutesOptions & AuthorizationRouteOptions & Omit<WidgetRoutesOptions, 'webFiles'>,
): Promise<void> {
  const webFiles = await loadWebFiles()
  addWebFiles(app, webFiles)
  addWidgetRoutes(app, { ...options, webFiles })
  addSessionRoutes(app, options)
  addAuthorizationRoute(app, options)
  await addSsoRoutes(app, options)
}
