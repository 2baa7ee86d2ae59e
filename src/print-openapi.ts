import { BYTE_ENDPOINTS } from '../rest-compat/byte-endpoints.js'
import { RouteCompiler } from '../rest-compat/compiled-route.js'
import { openApiDocument } from '../rest-compat/openapi/openapi-document.js'
import { routes } from '../rest-compat/routes/index.js'
import { schemaShape } from './app/schema.js'
import { WEBHOOK_EVENTS } from './modules/webhooks/webhook-events.js'

/** Prints the OpenAPI document for `openapi.json`, with a server that is wherever the document is. */
const schema = await schemaShape()
const compiler = new RouteCompiler(schema)
const rows = routes.map((route) => compiler.compile(route))
const document = openApiDocument(schema, rows, {
  publicUrl: '/',
  endpoints: BYTE_ENDPOINTS,
  webhookEvents: WEBHOOK_EVENTS,
})
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
