import type { FastifyInstance } from 'fastify'
import { sendStaticFile, staticText } from '../../src/api/http/static-file.js'
import { hashSource, pagePolicy } from '../../src/platform/content/page-policy.js'
import { docsPage } from './docs-page.js'
import { DOCS_SCRIPT } from './docs-script.js'
import { DOCS_STYLE } from './docs-style.js'
import type { OpenApiDocument } from './openapi-types.js'
import { selectedDocument } from './selected-document.js'

export const OPENAPI_PATH = '/v2/openapi.json'
/** The same for clients that use `select`. */
export const SELECTED_PATH = '/v2/openapi-selected.json'
export const DOCS_PATH = '/v2/docs'

/** The page loads nothing and talks to its own server; its style sheet and script are allowed by their hashes. */
const DOCS_POLICY = pagePolicy([
  `style-src ${hashSource(DOCS_STYLE)}`,
  `script-src ${hashSource(DOCS_SCRIPT)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "trusted-types 'none'",
])
const CACHE = 'public, max-age=300'

/** Serves the documents and the page to everybody. All are built once, when somebody first asks. */
export function addOpenApiRoutes(scope: FastifyInstance, describe: () => OpenApiDocument): void {
  let described: OpenApiDocument | undefined
  const document = (): OpenApiDocument => (described ??= describe())
  const documents = [
    [OPENAPI_PATH, document],
    [SELECTED_PATH, () => selectedDocument(document())],
  ] as const
  for (const [path, documentOf] of documents) {
    const json = staticText(() => JSON.stringify(documentOf()))
    scope.get(path.slice('/v2'.length), async (request, reply) =>
      sendStaticFile(
        await json(),
        request,
        reply.type('application/json; charset=utf-8').header('cache-control', CACHE),
      ),
    )
  }
  const html = staticText(() => docsPage(document()))
  const headers = { 'content-security-policy': DOCS_POLICY, 'cache-control': CACHE }
  scope.get(DOCS_PATH.slice('/v2'.length), async (request, reply) =>
    sendStaticFile(await html(), request, reply.type('text/html; charset=utf-8').headers(headers)),
  )
}
