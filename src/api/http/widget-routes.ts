import type { FastifyInstance, FastifyReply } from 'fastify'
import { NotFound, quoteValue } from '../../platform/errors.js'
import { isOwnOrigin } from '../../platform/limits/own-origin.js'
import { allowAnyPage, appPolicy, sendWebFile, type WebFiles } from './web-files.js'

export interface WidgetRoutesOptions {
  webFiles: WebFiles
  publicUrl: string
  /** Counts the request of an address (section 8). @throws RateLimited */
  countRequest(reply: FastifyReply, of: string): Promise<void>
  /**
   * Reads what anybody may know of a service. @param origin null for the server's own pages. @throws NotFound,
   * Forbidden
   */
  readSettings(service: string, origin: string | null): Promise<object>
}

const SETTINGS_SECONDS = 15
const SERVICE_ID = /^[\da-f-]{36}$/i
/** Stands in the place of a service's id in `examples/widget.html`. */
const PLACEHOLDER = 'YOUR-SERVICE-ID'

/** The web widget: its one script, what it shows before there is a conversation, and a page that has it. */
export function addWidgetRoutes(app: FastifyInstance, options: WidgetRoutesOptions): void {
  const { webFiles, publicUrl, countRequest, readSettings } = options

  app.get('/widget.js', (request, reply) => {
    const file = webFiles.files.get('widget.js')
    if (!file) throw new NotFound('the widget has not been built: run npm run build, and start again')
    allowAnyPage(reply)
    return sendWebFile(file, request, reply)
  })

  app.get('/widget/:name', async (request, reply) => {
    // For refusals as well: the page shows the visitor the reason.
    allowAnyPage(reply)
    await countRequest(reply, request.ip)
    const [, service] = /^(.+)\.json$/.exec((request.params as { name: string }).name) ?? []
    if (!service) throw new NotFound(`${quoteValue(request.url)} does not exist`)
    const { origin, host } = request.headers
    const foreign = origin === undefined || isOwnOrigin(origin, host, publicUrl) ? null : origin
    const settings = await readSettings(service, foreign)
    reply.headers({ 'cache-control': `public, max-age=${SETTINGS_SECONDS}`, vary: 'Origin' })
    return settings
  })

  app.get('/widget/demo', async (request, reply) => {
    const page = webFiles.pages.get(askedService(request.query) ? 'widget-demo' : 'widget-help')
    if (!page) throw new NotFound('the widget has not been built: run npm run build, and start again')
    const html = String(page.plain)
    reply.header('content-security-policy', demoPolicy(request.host, request.protocol === 'https'))
    return reply.type(page.type).send(html.replaceAll(PLACEHOLDER, askedService(request.query) ?? PLACEHOLDER))
  })
}

function askedService(query: unknown): string | null {
  const { service } = query as { service?: unknown }
  return typeof service === 'string' && SERVICE_ID.test(service) ? service : null
}

/** The parts of a page's policy that the widget needs, and nothing else. */
function demoPolicy(host: string, isSecure: boolean): string {
  return appPolicy(host, isSecure, [`form-action 'none'`, `trusted-types switchboard`])
}
