import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.js'
import { DOCS_STYLE } from './docs-style.js'
import type { OpenApiDocument } from './openapi-document.js'

export const OPENAPI_PATH = '/v2/openapi.json'
export const DOCS_PATH = '/v2/docs'

/** The page loads and runs nothing; its style sheet is allowed by its hash. */
const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'`
const CACHE = 'public, max-age=300'

/** Serves the document and its page to everybody. Both are built once. */
export function addOpenApiRoutes(scope: FastifyInstance, document: OpenApiDocument): void {
  const json = JSON.stringify(document)
  const html = docsPage(document)
  scope.get(OPENAPI_PATH.slice('/v2'.length), (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', CACHE).send(json),
  )
  const headers = { 'content-security-policy': DOCS_POLICY, 'cache-control': CACHE }
  scope.get(DOCS_PATH.slice('/v2'.length), (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers(headers).send(html),
  )
}
