import { BYTE_ENDPOINTS } from '../rest-compat/byte-endpoints.js'
import { openApiDocument } from '../rest-compat/openapi/openapi-document.js'
import { PreparedRoutes } from '../rest-compat/prepared-routes.js'
import { routes } from '../rest-compat/routes/index.js'
import { Documents } from './api/graphql/documents.js'
import { schemaShape } from './app/schema.js'
import { WEBHOOK_EVENTS } from './modules/webhooks/webhook-events.js'

/** Prints the OpenAPI document for `openapi.json`, with a server that is wherever the document is. Fails if a row's document is invalid. */
const schema = await schemaShape()
const prepared = new PreparedRoutes(schema, new Documents(schema))
const rows = routes.map((route) => prepared.of(route))
const document = openApiDocument(schema, rows, {
  publicUrl: '/',
  endpoints: BYTE_ENDPOINTS,
  webhookEvents: WEBHOOK_EVENTS,
})
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
