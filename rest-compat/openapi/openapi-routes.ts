import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { POLICY_REPORTS } from '../../src/api/http/policy-reports.js'
import { sendStaticFile, staticText } from '../../src/api/http/static-file.js'
import { docsPage } from './docs-page.js'
import { DOCS_SCRIPT } from './docs-script.js'
import { DOCS_STYLE } from './docs-style.js'
import type { OpenApiDocument } from './openapi-types.js'

export const OPENAPI_PATH = '/v2/openapi.json'
export const DOCS_PATH = '/v2/docs'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** The page loads nothing and talks to its own server; its style sheet and script are allowed by their hashes. */
const DOCS_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(DOCS_STYLE)}`,
  `script-src ${hashOf(DOCS_SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  `report-uri ${POLICY_REPORTS}`,
].join('; ')
const CACHE = 'public, max-age=300'

/** Serves the document and its page to everybody. Both are built once. */
export function addOpenApiRoutes(scope: FastifyInstance, document: OpenApiDocument): void {
  const json = staticText(JSON.stringify(document))
  const html = staticText(docsPage(document))
  scope.get(OPENAPI_PATH.slice('/v2'.length), (request, reply) =>
    sendStaticFile(json, request, reply.type('application/json; charset=utf-8').header('cache-control', CACHE)),
  )
  const headers = { 'content-security-policy': DOCS_POLICY, 'cache-control': CACHE }
  scope.get(DOCS_PATH.slice('/v2'.length), (request, reply) =>
    sendStaticFile(html, request, reply.type('text/html; charset=utf-8').headers(headers)),
  )
}
