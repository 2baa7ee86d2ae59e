import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { FILES_PATH, type BrowserClient } from '../graphql/browser-client.js'

/** Whether the request is a browser's navigation rather than a client's operation. */
export function asksForPage({ method, headers, url }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true && !/[?&]query=/.test(url)
}

export function sendPage(client: BrowserClient, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { html, headers } = client.page(request.host, request.protocol === 'https')
  return reply.headers(headers).send(html)
}

/** Adds the files that the page loads. */
export function addBrowserClientFiles(app: FastifyInstance, client: BrowserClient): void {
  app.get(`${FILES_PATH}*`, async (request, reply) => {
    const file = await client.file((request.params as { '*': string })['*'])
    if (!file) return reply.callNotFound()
    reply.headers(file.headers).type(file.type).header('vary', 'Accept-Encoding')
    if (request.headers['if-none-match'] === file.headers.etag) return reply.code(304).send()
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (!takesGzip) return reply.send(await promisify(gunzip)(file.gzipped))
    return reply.header('content-encoding', 'gzip').send(file.gzipped)
  })
}
